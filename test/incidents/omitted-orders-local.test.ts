// A local process whose list of open orders omits them for longer than any lag: no order may be given up, and trading must go on by itself.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import type { HttpReply, HttpRequest } from '../../src/base/transport/transport.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { REGIMES } from '../../src/embedded/exchange/traders/regimes.ts';
import { connectLocal } from '../../src/venues/local/open.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';
import { DEFAULTS, embeddedOn, latencies, ONE_MARKET, QUIET, START, tradeAt } from '../replay/virtual-run.ts';
import { FaultyTransport, NO_FAULTS } from './faulty-transport.ts';

const SEED = 'omitted';
const [FIRST, UNTIL, LAST] = [15, 35, 60];

type Answer = (reply: HttpReply, request: HttpRequest) => HttpReply;

const withText = (reply: HttpReply, change: (text: string) => string): HttpReply => ({
  ...reply,
  body: Buffer.from(change(Buffer.from(reply.body).toString())),
});

const withoutOrders: Answer = (reply, { method, path }) =>
  method === 'GET' && path === '/orders' ? withText(reply, () => '{"success":true,"result":[]}') : reply;

test('empty lists that contradict its positions free no level', async () => {
  const lies: readonly Answer[] = [withoutOrders];
  const clock = new VirtualClock(START);
  const embedded = await embeddedOn(clock, { seed: SEED, markets: ONE_MARKET, regime: REGIMES.swinging, localPort: 0 });
  const { local: handler, localAccount } = embedded;
  if (handler === undefined || localAccount === undefined) throw new Error('there is no local API');
  const inner = inProcessTransport({ handler, clock, latencyMs: latencies(SEED) });
  const transport = new FaultyTransport(inner, { clock, rng: rngFrom(SEED), faults: NO_FAULTS });
  const options = { transport, clock, rng: rngFrom(SEED), polling: DEFAULTS.polling, log: QUIET, markets: ['BTCUSDC'] };
  const venue = await driven(clock, connectLocal(options));
  const { strategy } = await loadStrategy('grid');
  const { run } = tradeAt(venue, { clock, seed: SEED, strategy, state: memoryState(), exchange: 'local' });
  const resting = () => embedded.exchange.account(localAccount.id)?.orders ?? [];
  const givenUpUntil = async (second: number): Promise<number> => {
    let most = 0;
    while (clock.now() < START + second * 1_000) {
      await clock.drive(clock.now() + 200);
      most = Math.max(most, resting().length - run.world.orders().length);
    }
    return most;
  };
  await clock.drive(START + FIRST * 1_000);
  expect(resting().length).toBeGreaterThan(4);
  transport.corrupts = (reply, request) => lies.reduce((answer, lie) => lie(answer, request), reply);
  expect(await givenUpUntil(UNTIL)).toBe(0);
  transport.corrupts = (reply) => reply;
  expect(await givenUpUntil(LAST)).toBe(0);
  expect(resting().length).toBeGreaterThan(4);
  run.stop('the test ends');
  expect(await driven(clock, run.done)).toEqual({ kind: 'settled' });
  expect(resting()).toEqual([]);
  await venue.gateway.close();
  await embedded.close();
});
