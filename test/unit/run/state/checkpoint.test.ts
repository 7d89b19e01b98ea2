// A checkpoint gives a later process the same state as the entries, in fewer entries.
import { fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { checkpointOf } from '../../../../src/bot/run/state/checkpoint.ts';
import type { Entry, Sent } from '../../../../src/bot/run/state/entries.ts';
import { countsOf, historyOf } from '../../../../src/bot/run/state/history.ts';
import { profitFrom } from '../../../../src/bot/run/state/loss-entries.ts';
import { tradesToResume } from '../../../../src/bot/run/state/resume-trades.ts';
import { unsentIn } from '../../../../src/bot/run/state/state.ts';
import { AT, fillLine, findingLine, orderLine } from '../../report/samples.ts';
import { BTC, ETH } from '../../world-builder.ts';

const SEED = 20_260_105;
const MARKETS = [BTC, ETH];
const bySymbol = new Map(MARKETS.map((market) => [market.symbol, market]));
const minute = (count: number): string => new Date(Date.parse(AT) + count * 60_000).toISOString();

const process = (at = AT): Entry => ({ kind: 'process', at });
const sent = (part: Partial<Sent>): Sent => ({ kind: 'sent', at: AT, action: 'place', ...part });

/** The state that a later process derives from entries. */
function meaning(entries: readonly Entry[]) {
  const resume = tradesToResume(entries);
  const history = historyOf(entries, bySymbol);
  const { fills } = profitFrom(entries, bySymbol);
  // Before the first losses are known, a checkpoint keeps no average entries.
  const costs = entries.some(({ kind }) => kind === 'losses') ? history.accounting?.costs : undefined;
  const reported = resume?.reported.filter(({ time }) => time >= resume.since);
  return {
    totals: { ...countsOf(entries).counts(), ...fills.totals(), provisional: fills.provisional, position: fills.position(0) },
    // A checkpoint keeps few orders: the newest of those before a fill may be an older one, but never older than one that lives.
    history: {
      ...history,
      accounting: history.accounting && { ...history.accounting, costs },
      fills: history.fills.map((fill) => ({ ...fill, newestThen: undefined })),
    },
    resume: resume && { since: resume.since, reported },
    nonce: entries.findLast((entry) => entry.kind === 'sent' && entry.nonce !== undefined),
  };
}

const market = fc.constantFrom(
  { market: 'BTCUSDC', price: '60000.0', size: '0.1000' },
  { market: 'ETHUSDC', price: '3000.05', size: '2.000' },
  { market: 'SOLUSDC', price: '150.123', size: '7.5' },
);
const clientOrderId = fc.integer({ min: 1, max: 12 }).map(String);
const at = fc.integer({ min: 0, max: 60 });
const status = fc.constantFrom('placed', 'open', 'filled', 'cancelled', 'rejected', 'unknown' as const);

/** Entries that a run could write, but in any order. */
const entry: fc.Arbitrary<(moment: string) => Entry> = fc.oneof(
  fc.tuple(market, clientOrderId, status, fc.boolean()).map(
    ([terms, id, state, known]) =>
      (moment: string) =>
        orderLine({ ...terms, at: moment, clientOrderId: id, status: state, ...(known && { orderId: `x${id}` }) }),
  ),
  fc.tuple(market, fc.option(clientOrderId, { nil: undefined }), fc.nat(40), fc.constantFrom('bid', 'ask'), fc.nat(99)).map(
    ([terms, id, trade, side, fee]) =>
      (moment: string) =>
        fillLine({ ...terms, at: moment, clientOrderId: id, tradeId: `t${trade}`, side, fee: `0.${String(fee).padStart(2, '0')}` }),
  ),
  fc.constantFrom('margin', 'rate').map((guard) => (moment: string) => ({ ...findingLine(guard), at: moment })),
  fc.tuple(clientOrderId, fc.nat(2 ** 32 - 1)).map(
    ([id, nonce]) =>
      (moment: string) =>
        sent({ at: moment, clientOrderId: id, nonce, timestamp: 1_000, deadAfter: 1_063 }),
  ),
  market.map(
    ({ market: symbol, size }) =>
      (moment: string) =>
        ({ kind: 'baseline', at: moment, market: symbol, size }) as const,
  ),
  fc.constant((moment: string) => ({ kind: 'begin', at: moment, since: 0, trades: [] }) as const),
  fc.nat(1_000).map((total) => (moment: string) => ({ kind: 'funding', at: moment, total, positions: [] }) as const),
  fc.nat(1_000).map(
    (cash) => (moment: string) =>
      ({
        kind: 'losses',
        at: moment,
        day: 1,
        hour: 24,
        hours: [-0.001],
        stopped: [],
        last: cash,
        cash,
        held: { BTCUSDC: '0.5000' },
      }) as const,
  ),
);

/** In order of time; a trade is reported once, an order is placed before it is sent, and an ended order has no more entries. */
const entries = fc.array(fc.tuple(at, entry), { maxLength: 60 }).map((some) => {
  const reported = new Set<string>();
  const alive = new Map<string, boolean>();
  const isCredible = (one: Entry): boolean => {
    if (one.kind === 'fill') return !reported.has(one.tradeId) && reported.add(one.tradeId).has(one.tradeId);
    if (one.kind === 'sent') return alive.get(one.clientOrderId ?? '') === true;
    if (one.kind !== 'order') return true;
    const before = alive.get(one.clientOrderId) ?? true;
    alive.set(one.clientOrderId, before && !['filled', 'cancelled', 'rejected'].includes(one.status));
    return before;
  };
  return some
    .sort(([a], [b]) => a - b)
    .map(([moment, make]) => make(minute(moment)))
    .filter(isCredible);
});

/** Fills that a checkpoint sums, and one that it keeps. */
function oldFills(...prices: readonly string[]) {
  const old = prices.map((price, index) => fillLine({ price, size: '0.1000', tradeId: `old ${index}`, orderId: `${index}` }));
  return [...old, fillLine({ tradeId: 'new', at: minute(60), market: 'SOLUSDC', price: '150.1', size: '1' })];
}

describe('a checkpoint', () => {
  test('gives the same state, and so does a checkpoint of it with later entries', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (all, cut) => {
        const before = all.slice(0, cut % (all.length + 1));
        const after = all.slice(before.length);
        expect(meaning(checkpointOf(all))).toEqual(meaning(all));
        expect(meaning([...checkpointOf(before), ...after])).toEqual(meaning(all));
        expect(meaning(checkpointOf([...checkpointOf(before), ...after]))).toEqual(meaning(all));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('of a long run is short', () => {
    const all = Array.from({ length: 5_000 }, (_, index): Entry[] => {
      const id = { clientOrderId: String(index), at: minute(index) };
      return [
        orderLine(id),
        sent({ ...id, nonce: index }),
        orderLine({ ...id, status: 'open', orderId: 'x' }),
        fillLine({ ...id, tradeId: String(index) }),
        orderLine({ ...id, status: 'filled', orderId: 'x' }),
      ];
    }).flat();
    const checkpoint = checkpointOf([process(), ...all]);
    expect(checkpoint.length).toBeLessThan(20);
    expect(meaning(checkpoint).totals).toMatchObject({ placed: 5_000, fills: 5_000, volume: 5_000 * 6_000 * 1e6 });
  });

  test('sums a market with the decimals in the journal', () => {
    const spec = { ...BTC.spec, priceDecimals: 2, priceStep: 25 };
    const listed: Entry = { kind: 'market', at: AT, spec };
    const all = [listed, ...oldFills('60000.25', '60001.5')];
    const [carry] = checkpointOf(all);
    expect(carry).toMatchObject({ ledger: { markets: { BTCUSDC: { position: '0.2000' } } } });
    expect(checkpointOf(all)).toContainEqual(listed);
    expect(checkpointOf([...checkpointOf(all), ...oldFills('60000.50')])).toContainEqual(listed);
  });

  test('sums a market of an earlier version, whose journal has no decimals, and one that had finer prices before', () => {
    const markets = { BTCUSDC: { position: '0.1000' } };
    expect(checkpointOf(oldFills('60000.125'))[0]).toMatchObject({ ledger: { markets } });
    expect(checkpointOf([{ kind: 'market', at: AT, spec: BTC.spec }, ...oldFills('60000.125')])[0]).toMatchObject({ ledger: { markets } });
  });

  test('keeps the sums of two markets separate that had the same id in different processes', () => {
    const other = { ...ETH.spec, id: BTC.id };
    const listed = [BTC.spec, other].map((spec): Entry => ({ kind: 'market', at: AT, spec }));
    const [carry] = checkpointOf([
      ...listed,
      ...oldFills('60000.0'),
      ...oldFills('3000.0').map((fill) => ({ ...fill, market: ETH.symbol })),
    ]);
    expect(carry).toMatchObject({ ledger: { markets: { BTCUSDC: { position: '0.1000' }, ETHUSDC: { position: '0.100' } } } });
  });

  test('of no entries starts a run', () => expect(meaning(checkpointOf([]))).toEqual(meaning([])));
});

describe('an order that was placed and not journaled as sent', () => {
  const kept = sent({ clientOrderId: '1', nonce: 1 });
  test('was never sent, if its process journaled what it sent', () => {
    const unsent = unsentIn([process(), orderLine({}), kept, orderLine({ clientOrderId: '2' })]);
    expect(unsent).toEqual([orderLine({ clientOrderId: '2', status: 'rejected', reason: 'NOT_SENT' })]);
  });

  test.each([
    ['its process journaled nothing', [process(), orderLine({ clientOrderId: '2' })]],
    ['another process journaled what it sent', [process(), kept, process(), orderLine({ clientOrderId: '2' }), process(), kept]],
    ['it was answered', [process(), kept, orderLine({ clientOrderId: '2' }), orderLine({ clientOrderId: '2', status: 'unknown' })]],
    ['it was journaled', [process(), orderLine({}), kept]],
  ] as const)('may have been sent if %s', (_, reported) => expect(unsentIn(reported)).toEqual([]));

  test('is not counted as placed once that is known', () => {
    const reported = [process(), orderLine({}), kept, orderLine({ clientOrderId: '2' })];
    expect(meaning([...reported, ...unsentIn(reported)]).totals).toMatchObject({ placed: 1, rejected: 0 });
    expect(unsentIn([...reported, ...unsentIn(reported)])).toEqual([]);
  });
});
