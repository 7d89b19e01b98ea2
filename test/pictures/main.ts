// Makes the pictures of the documents anew: `npm run pictures`.
import { writeFileSync } from 'node:fs';
import { LIVE_VIEW } from './files.ts';
import { liveView } from './live-view.ts';

writeFileSync(LIVE_VIEW, await liveView());
console.log(`${LIVE_VIEW.pathname} is made`);
