// The pictures in the documents are what the program draws today.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIVE_VIEW, REPORT } from './files.ts';
import { liveView } from './live-view.ts';
import { hashIn, hashOfShown, reportPage } from './report.ts';

test('the live view', async () => {
  expect(await liveView(), 'run npm run pictures').toBe(readFileSync(LIVE_VIEW, 'utf8'));
});

test('the report: the page that it shows is that of today', async () => {
  expect(hashOfShown(await reportPage()), 'run npm run pictures').toBe(hashIn(readFileSync(REPORT)));
});
