// The web page of a run as a PNG, at the end of a recorded minute.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { VirtualClock } from '../../src/base/clock.ts';
import { CHROMIUM_FLAGS } from '../chromium.ts';
import { turnsIn } from '../unit/monitoring/recorded-turns.ts';
import { openTestPage, watchOf } from '../unit/monitoring/test-page.ts';

const RECORDING = new URL('../fixtures/page/turns.jsonl.gz', import.meta.url);
const SIZE = { width: 1280, height: 1060 };

/** Returns the picture. The page is opened at the time of the last turn, so that its data is fresh. */
export async function runPage(executablePath: string): Promise<Buffer> {
  const { markets, turns } = turnsIn(gunzipSync(readFileSync(RECORDING)).toString().trimEnd().split('\n'));
  const shown = turns.slice(0, -90); // without the end of the run, where all orders are cancelled
  const watch = watchOf(markets);
  const testPage = await openTestPage({ control: true, watch, clock: new VirtualClock(shown.at(-1)?.at ?? 0) });
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
  try {
    for (const turn of shown) {
      watch.add(turn);
      testPage.source.add(turn);
    }
    const page = await browser.newPage({ viewport: SIZE, timezoneId: 'UTC' });
    await page.goto(testPage.page.link);
    await page.locator('.chart.price canvas').first().waitFor();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    return await page.screenshot();
  } finally {
    await browser.close();
    await testPage.close();
  }
}
