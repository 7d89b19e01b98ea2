// The files that the page carries inside: the chart library, and after it our own script and style.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const ASSETS = {
  script: [require.resolve('uplot/dist/uPlot.iife.min.js'), new URL('./page.js', import.meta.url)],
  style: [require.resolve('uplot/dist/uPlot.min.css'), new URL('./page.css', import.meta.url)],
} as const;

/** Read when a page is written: a run without a report needs none of it. */
export const assetText = (kind: keyof typeof ASSETS): string => ASSETS[kind].map((file) => readFileSync(file, 'utf8')).join('\n');
