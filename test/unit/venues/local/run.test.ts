// Whole runs through the local API of the embedded exchange, on virtual time: the built-in strategies with default settings.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { stopAfter } from '../../../../src/bot/run/core/trading.ts';
import { loadStrategy } from '../../../../src/bot/strategy/loading/loader.ts';
import { DEFAULT_FUNDS } from '../../../../src/embedded/exchange/state/listing.ts';
import { REGIMES } from '../../../../src/embedded/exchange/traders/regimes.ts';
import { startEmbedded } from '../../../../src/embedded/server/embedded.ts';
import { connectLocal } from '../../../../src/venues/local/open.ts';
import { bundledSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../../driven.ts';
import { inProcessTransport } from '../../../in-process.ts';
import { memoryState } from '../../../memory-state.ts';
import { DEFAULTS, latencies, QUIET, START, tradeAt } from '../../../replay/virtual-run.ts';

const SEED = 'local';
const SECONDS = 20;

const onBug = (thrown: unknown): never => {
  throw thrown;
};

async function play(name: string) {
  const clock = new VirtualClock(START);
  const exchange = {
    regime: REGIMES.swinging,
    seed: SEED,
    start: START,
    clock,
    speed: 1,
    faucet: DEFAULT_FUNDS,
    schema: bundledSchema(),
    localPort: 0,
    onBug,
  };
  const embedded = await startEmbedded(exchange);
  const { local: handler, localAccount } = embedded;
  if (handler === undefined || localAccount === undefined) throw new Error('there is no local API');
  const transport = inProcessTransport({ handler, clock, latencyMs: latencies(SEED) });
  const { polling } = DEFAULTS;
  const options = { transport, clock, rng: rngFrom(SEED), polling, log: QUIET, markets: ['BTCUSDC'] };
  const venue = await driven(clock, connectLocal(options));
  const { strategy } = await loadStrategy(name);
  const state = memoryState();
  const trading = tradeAt(venue, { clock, seed: SEED, strategy, state, exchange: 'local' });
  stopAfter(trading.run, { clock, spanMs: SECONDS * 1_000 });
  const ending = await driven(clock, trading.run.done);
  await venue.gateway.close();
  await embedded.close();
  const account = embedded.exchange.account(localAccount.id);
  const trades = embedded.exchange.trades({ account: localAccount.id, pageSize: 50 }).items;
  return { ending, summary: trading.summary(), lines: state.lines, account, trades };
}

test.each(['grid', 'twap'])('%s trades, and leaves nothing unknown or open', async (strategy) => {
  const { ending, summary, lines, account, trades } = await play(strategy);
  expect(ending).toEqual({ kind: 'settled' });
  expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(summary.fills).toBe(trades.length);
  expect(summary.fills).toBeGreaterThan(0);
  expect(account?.orders).toEqual([]);
  const held = account?.positions.find(({ market }) => market === 0)?.size ?? 0;
  expect(Number(summary.positions['BTCUSDC'] ?? 0)).toBeCloseTo(held / 1e4, 9);
  const ends = lines.filter((line) => line.kind === 'order' && ['filled', 'cancelled', 'rejected'].includes(line.status));
  expect(ends).toHaveLength(summary.orders.placed);
});

test('twice the same, byte for byte', async () => {
  const [first, second] = [await play('twap'), await play('twap')];
  expect(second.summary).toEqual(first.summary);
  expect(second.lines).toEqual(first.lines);
});
