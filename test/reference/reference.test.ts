// The references in the documents are up to date.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GENERATED } from './pages.ts';
import { fileOf } from './reference.ts';

test.each(Object.entries(GENERATED))('docs/%s is what `npm run docs` writes', (file, text) => {
  expect(readFileSync(fileOf(file), 'utf8'), 'run npm run docs').toBe(text());
});
