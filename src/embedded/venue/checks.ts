// The checks of `doctor` for the embedded exchange.
import { systemClock } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import { DEFAULT_POLLING } from '../../bot/exchange/kit/streams/polling.ts';
import { type DoctorCheck, failed } from '../../venues/operate/check.ts';
import { NO_STATE } from '../recording/no-state.ts';
import { openEmbedded } from './open.ts';

/** Starts an embedded exchange, opens a session there and reads its account and an order book. */
export async function embeddedChecks(): Promise<readonly DoctorCheck[]> {
  const log = { info: () => undefined, warn: () => undefined };
  const asked = systemClock.now();
  const options = {
    clock: systemClock,
    rng: rngFrom('doctor'),
    polling: DEFAULT_POLLING,
    markets: ['BTCUSDC'],
    state: NO_STATE,
    log,
    limits: {},
    seed: 'doctor',
  };
  try {
    const opened = await openEmbedded({ ...options, onBug: () => undefined });
    await opened.close();
    return [
      {
        check: 'exchange',
        verdict: 'ok',
        says: `the embedded exchange starts and opens a session within ${systemClock.now() - asked} ms; to check a real one, add --url`,
      },
    ];
  } catch (error) {
    return [failed('exchange', error)];
  }
}
