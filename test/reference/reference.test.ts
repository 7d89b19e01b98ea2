// The strategy API reference in the documents is up to date.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REFERENCE, strategyApi } from './reference.ts';

test('docs/strategy-api.md is what `npm run docs` writes', () => {
  expect(readFileSync(REFERENCE, 'utf8'), 'run npm run docs').toBe(strategyApi());
});
