// The files of the page: built files, or, in the repository, a bundle that esbuild makes in memory when the page is first opened.
import { readFileSync } from 'node:fs';
import { BUILT, programFile } from '../../../base/package.ts';

export interface Asset {
  readonly contentType: string;
  readonly body: Uint8Array;
}

const FILES = {
  '/': { name: 'index.html', contentType: 'text/html; charset=utf-8' },
  '/page.js': { name: 'page.js', contentType: 'text/javascript; charset=utf-8' },
  '/page.css': { name: 'page.css', contentType: 'text/css; charset=utf-8' },
  '/favicon.svg': { name: 'favicon.svg', contentType: 'image/svg+xml' },
} as const;

/** The exports of bundle.mjs, which the build uses too. */
interface Bundler {
  readonly bundlePage: () => Promise<Readonly<Record<string, Uint8Array>>>;
}

/** Returns a function that reads the files once, at its first call; after a failure the next call tries again. */
export function pageAssets(): () => Promise<ReadonlyMap<string, Asset>> {
  let found: Promise<ReadonlyMap<string, Asset>> | undefined;
  return () => {
    found ??= readAll().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

async function readAll(): Promise<ReadonlyMap<string, Asset>> {
  const files = BUILT ? undefined : await bundle();
  return new Map(
    Object.entries(FILES).map(([path, { name, contentType }]) => {
      const body = files?.[name] ?? readFileSync(programFile(`program/monitoring/page/browser/${name}`));
      return [path, { contentType, body }];
    }),
  );
}

async function bundle(): Promise<Readonly<Record<string, Uint8Array>>> {
  const { bundlePage } = (await import(programFile('program/monitoring/page/bundle.mjs').href)) as Bundler;
  return bundlePage();
}
