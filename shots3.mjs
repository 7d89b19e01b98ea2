import { chromium } from 'playwright-core';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless','--no-sandbox','--disable-gpu'] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' })).newPage();
await page.goto('file:///tmp/fold40/report.html'); await page.waitForTimeout(1000);
const box = await page.locator('h2', { hasText: 'Months' }).evaluate((e) => e.getBoundingClientRect().top + scrollY);
await page.screenshot({ path: '/tmp/fold40/months.png', fullPage: true, clip: { x: 0, y: box - 20, width: 1280, height: 700 } });
const b2 = await page.locator('figure', { hasText: 'holding the market at' }).evaluate((e) => e.getBoundingClientRect().top + scrollY);
await page.screenshot({ path: '/tmp/fold40/holding.png', fullPage: true, clip: { x: 0, y: b2 - 20, width: 1280, height: 300 } });
await browser.close();
