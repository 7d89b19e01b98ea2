// The scripts and styles embedded in the page: the chart library first, then our own.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { programFile } from '../../../base/package.ts';

const require = createRequire(import.meta.url);
const ASSETS = {
  script: [require.resolve('uplot/dist/uPlot.iife.min.js'), programFile('research/report/html/page-script.js')],
  style: [require.resolve('uplot/dist/uPlot.min.css'), programFile('research/report/html/page-style.css')],
} as const;

/** Returns the text of all scripts or styles. The files are read only when a page is written. */
export const assetText = (kind: keyof typeof ASSETS): string => ASSETS[kind].map((file) => readFileSync(file, 'utf8')).join('\n');
