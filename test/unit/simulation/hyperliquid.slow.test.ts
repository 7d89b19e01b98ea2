// The whole bot at Hyperliquid's API under faults: no invariant is violated. Its table of faults leaves out those that the exchange cannot have.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { DEFAULT_FUNDS, listedAs } from '../../../src/embedded/exchange/state/listing.ts';
import { hyperliquidExchange } from '../../../src/research/simulation/exchanges/hyperliquid/exchange.ts';
import { hyperliquidFormat } from '../../../src/research/simulation/exchanges/hyperliquid/format.ts';
import { infoRequest } from '../../../src/research/simulation/exchanges/hyperliquid/server.ts';
import { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';
import { kindsOf, survivableOn, whyNotPlayed } from '../../../src/research/simulation/plan/faults-by-exchange.ts';
import { optionsOf, PROFILES } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';
import { trial } from '../../../src/research/simulation/trial.ts';
import { builtIn } from './subjects.ts';

/**
 * Each showed a mistake of the adapter, of the kit or of the exchange's server when it was first played: 657, an order of the account met another one of
 * it; 692, the refusal of another order was believed; h1/126, an account that was five seconds behind showed a filled order; h1/618, the answer that the
 * nonce of another order was unused was believed.
 */
test.each([
  { profile: 'smoke', seed: '2', twice: true },
  { profile: 'swarm', seed: '657', twice: false },
  { profile: 'swarm', seed: '692', twice: false },
  { profile: 'swarm', seed: 'h1/126', twice: false },
  { profile: 'swarm', seed: 'h1/618', twice: false },
] as const)('$profile, seed $seed', async (asked) => {
  const { failure, figures } = await trial(await builtIn('grid'), { ...asked, exchange: 'hyperliquid' });
  expect(failure && [failure.invariant, failure.message, ...failure.timeline].join('\n')).toBeUndefined();
  expect(figures.orders).toBeGreaterThan(10);
  expect(figures.fills).toBeGreaterThan(5);
});

test('no plan has a fault that Hyperliquid cannot have, and its own ones are in some', () => {
  const plans = Array.from({ length: 60 }, (_, seed) =>
    planOf(optionsOf({ seed: String(seed), profile: 'swarm', strategy: 'grid', exchange: 'hyperliquid' })),
  );
  const kinds = new Set(plans.flat().map(({ kind }) => kind));
  expect([...kinds].filter((kind) => !survivableOn('hyperliquid').some((known) => known === kind))).toEqual([]);
  expect([...kinds]).toEqual(expect.arrayContaining(['limited', 'lag', 'dropReply', 'duplicate']));
  expect(kindsOf('hosted')).not.toContain('limited');
  expect(Math.max(...plans.flat().flatMap(({ kind, amount = 0 }) => (kind === 'lag' ? [amount] : [])))).toBeGreaterThan(4_000);
});

test('what is not played there has a reason', () => {
  const played = PROFILES.filter((profile) => whyNotPlayed('hyperliquid', profile) === undefined);
  expect(played).toEqual(['calm', 'smoke', 'swarm', 'crash']);
  expect(PROFILES.map((profile) => whyNotPlayed('hosted', profile))).toEqual(PROFILES.map(() => undefined));
});

test('the questions of one stream have one endpoint, so that a wait that the exchange asked for counts for the stream', () => {
  const { pathOf } = hyperliquidFormat([]);
  const endpointOf = (type: string) => pathOf(infoRequest({ type }));
  expect(['meta', 'spotMeta'].map(endpointOf)).toEqual(['info', 'info']);
  expect(['metaAndAssetCtxs', 'allMids'].map(endpointOf)).toEqual(['live', 'live']);
});

test('the record knows how far each account reaches, also at a fraction of a millisecond', () => {
  const options = optionsOf({ seed: 'fraction', profile: 'calm', strategy: 'grid', exchange: 'hyperliquid' });
  const markets = listedAs(['BTCUSDC']);
  const played = hyperliquidExchange({ options, markets, rng: rngFrom('fraction') });
  const clock = new VirtualClock(1_000_000);
  const exchange = new Exchange({ seed: 'fraction', start: clock.now(), markets: played.listed(markets) });
  const account = exchange.register(played.user, DEFAULT_FUNDS);
  const faults = new FaultBox({ plan: [], seed: 'fraction', now: () => clock.now(), onStruck: () => undefined });
  const engineTime = (): number => exchange.now();
  const server = played.serve({
    options,
    clock,
    faults,
    exchange,
    account,
    engineTime,
    arrivedAt: () => undefined,
    shift: () => ({ price: 1, size: 1 }),
  });
  exchange.advanceTo(1_030_000.75);
  const replies = server.accountRequests.map((request) => ({ request, asked: 1, at: 1, body: server.answer(request).body }));
  const [shown] = played.api.accountsIn(replies.toReversed());
  expect(Number(exchange.lastActionId())).toBeGreaterThan(0);
  expect(server.actionOf(shown!.updateId)).toBe(Number(exchange.lastActionId()));
  exchange.countAction();
  const sameTime = Number(exchange.lastActionId());
  for (const request of server.accountRequests) server.answer(request);
  expect([server.actionOf(shown!.updateId), server.lastActionOf(shown!.updateId)]).toEqual([sameTime - 1, sameTime]);
});
