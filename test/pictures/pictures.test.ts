// The pictures in the documents are what the program draws today.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIVE_VIEW } from './files.ts';
import { liveView } from './live-view.ts';

test('the live view (npm run pictures makes it anew)', async () => {
  expect(await liveView()).toBe(readFileSync(LIVE_VIEW, 'utf8'));
});
