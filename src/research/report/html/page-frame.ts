// The frame of every self-contained page: head, content security policy against requests, and the scripts and styles embedded in them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { programFile } from '../../../base/package.ts';
import { Markup, markup, type Part } from './markup.ts';

interface PageFrame {
  readonly title: string;
  readonly body: Part;
  /** The text of the style sheet. */
  readonly style: string;
  /** The content security policy. */
  readonly policy: string;
  /** The program that made the page, for readers of its source. */
  readonly generator?: string;
  /** Placed after the body. */
  readonly scripts?: Markup;
}

/** Returns the source of a content security policy that allows exactly this embedded script or style. */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Returns the text of the file. */
export function pageFrame({ title, body, style, policy, generator, scripts }: PageFrame): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${generator === undefined ? '' : markup`<meta name="generator" content="${generator}">\n`}<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${body}
</main>
${scripts ?? ''}</body>
</html>
`.toString();
}

const require = createRequire(import.meta.url);
/** The scripts and styles embedded in a page: the chart library first, then our own. */
const ASSETS = {
  script: [require.resolve('uplot/dist/uPlot.iife.min.js'), programFile('research/report/html/page-script.js')],
  style: [require.resolve('uplot/dist/uPlot.min.css'), programFile('research/report/html/page-style.css')],
} as const;

/** Returns the text of all scripts or styles. The files are read only when a page is written. */
export const assetText = (kind: keyof typeof ASSETS): string => ASSETS[kind].map((file) => readFileSync(file, 'utf8')).join('\n');
