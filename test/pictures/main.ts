// Makes the pictures of the documents: `npm run pictures`. Those of the report and of the page of a run need Chromium.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHROMIUM } from '../chromium.ts';
import { LIVE_VIEW, REPORT, RUN_PAGE } from './files.ts';
import { liveView } from './live-view.ts';
import { runPage } from './page.ts';
import { drawn, reportPage } from './report.ts';

writeFileSync(LIVE_VIEW, await liveView());
console.log(`wrote ${fileURLToPath(LIVE_VIEW)}`);
if (CHROMIUM === undefined) {
  console.error(
    'error: no Chromium was found, so the pictures of the report and of the page were not made\nhint: install chromium, and run this again',
  );
  process.exit(1);
}
writeFileSync(REPORT, await drawn(await reportPage(), CHROMIUM));
console.log(`wrote ${fileURLToPath(REPORT)}`);
writeFileSync(RUN_PAGE, await runPage(CHROMIUM));
console.log(`wrote ${fileURLToPath(RUN_PAGE)}`);
