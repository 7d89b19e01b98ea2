// A process that opens a session with each key file, keeps one key in memory carelessly, and waits until its memory has been inspected.
import { readFileSync } from 'node:fs';
import { writeHeapSnapshot } from 'node:v8';
import { systemClock } from '../../src/base/clock.ts';
import { openKey } from '../../src/base/keys/key.ts';
import { passphraseFrom } from '../../src/base/keys/passphrase.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { DEFAULT_POLLING } from '../../src/bot/exchange/kit/streams/polling.ts';
import { NO_STATE } from '../../src/embedded/recording/no-state.ts';
import { openHosted } from '../../src/venues/hosted/open.ts';

const [url = '', snapshot = '', careless = '', ...files] = process.argv.slice(2);
const kept = [readFileSync(careless, 'latin1'), Uint8Array.from(JSON.parse(readFileSync(careless, 'latin1')) as number[])];

const ask = (): Promise<never> => Promise.reject(new Error('there is no terminal'));
const log = { info: () => undefined, warn: () => undefined };
const common = {
  clock: systemClock,
  polling: DEFAULT_POLLING,
  markets: ['BTCUSDC'],
  state: NO_STATE,
  limits: {},
  log,
  url,
  schema: 'bundled',
};
for (const file of files) {
  const wallet = await openKey(file, () => passphraseFrom({ env: process.env, ask }));
  await openHosted({ ...common, rng: rngFrom('x'), wallet });
}
process.stdout.write('open\n');
process.stdin.once('data', () => {
  writeHeapSnapshot(snapshot, { exposeNumericValues: true }); // collects garbage first; the memory has been inspected before
  process.exit(kept.length);
});
