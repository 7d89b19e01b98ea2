// The pictures in the documents match what the program draws today.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIVE_VIEW, REPORT } from './files.ts';
import { liveView } from './live-view.ts';
import { hashIn, hashOfShown, reportPage } from './report.ts';

test('the live view is up to date', async () => {
  expect(await liveView(), 'run npm run pictures').toBe(readFileSync(LIVE_VIEW, 'utf8'));
});

test('the picture of the report shows the page of today', async () => {
  expect(hashOfShown(await reportPage()), 'run npm run pictures').toBe(hashIn(readFileSync(REPORT)));
});
