// Bundles the scripts of the page. The build writes the result into the package; in the repository it is made in memory.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const file = (name) => fileURLToPath(new URL(`./browser/${name}`, import.meta.url));

/** Returns the files of the page by name. */
export async function bundlePage() {
  const { outputFiles } = await build({
    entryPoints: [file('main.tsx')],
    bundle: true,
    minify: true,
    write: false,
    outfile: 'page.js',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    banner: {
      js: '/* With preact (MIT), @preact/signals (MIT), and TradingView Lightweight Charts(TM), Copyright (c) 2026 TradingView, Inc. (Apache-2.0), https://www.tradingview.com/ */',
    },
    logLevel: 'silent',
  });
  const texts = ['index.html', 'page.css', 'favicon.svg'].map((name) => [name, readFileSync(file(name))]);
  return Object.fromEntries([...texts, ['page.js', outputFiles[0].contents]]);
}
