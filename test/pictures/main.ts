// Makes the pictures of the documents: `npm run pictures`. The one of the report needs Chromium.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHROMIUM } from '../chromium.ts';
import { LIVE_VIEW, REPORT } from './files.ts';
import { liveView } from './live-view.ts';
import { drawn, reportPage } from './report.ts';

writeFileSync(LIVE_VIEW, await liveView());
console.log(`wrote ${fileURLToPath(LIVE_VIEW)}`);
if (CHROMIUM === undefined) {
  console.error('error: no Chromium was found, so the picture of the report was not made\nhint: install chromium, and run this again');
  process.exit(1);
}
writeFileSync(REPORT, await drawn(await reportPage(), CHROMIUM));
console.log(`wrote ${fileURLToPath(REPORT)}`);
