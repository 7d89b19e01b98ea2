import { chromium } from 'playwright-core';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--headless','--no-sandbox','--disable-gpu'] });
const page = await (await browser.newContext()).newPage();
page.on('console', (m) => console.log('console', m.text()));
page.on('pageerror', (e) => console.log('pageerror', e.message));
for (const [w, scheme] of [[1280,'dark'],[1260,'light'],[400,'dark']]) {
  await page.setViewportSize({ width: w, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto('file://' + process.argv[2]);
  await page.waitForTimeout(1500);
  console.log(w, scheme, 'overflow', await page.evaluate('document.documentElement.scrollWidth - innerWidth'), await page.evaluate('[...document.querySelectorAll("svg.shape")].map((s) => [s.getBoundingClientRect().width, s.parentElement.clientWidth])'));
  await page.screenshot({ path: `/tmp/fold40/report-${w}-${scheme}.png`, fullPage: true });
}
await browser.close();
