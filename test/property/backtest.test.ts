// For random recordings: no turn depends on the future, and the accounting of a run agrees with the exchange.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { moneyText } from '../../src/bot/accounting/lines.ts';
import { type Micros, toMicros } from '../../src/bot/domain/numbers.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import type { Params, Strategy } from '../../src/bot/strategy/contract.ts';
import type { World } from '../../src/bot/world/world.ts';
import { DEFAULT_CANDLES } from '../../src/embedded/exchange/recorded/candle-path.ts';
import type { Row } from '../../src/embedded/rows/row-builder.ts';
import { STAMPS_PER_MILLI } from '../../src/embedded/rows/rows.ts';
import type { View } from '../../src/index.ts';
import type { Assumptions } from '../../src/research/backtest/backtest.ts';
import { MARKET, memoryTape, randomRows, START } from '../story/backtest/memory-tape.ts';
import { DEPOSIT, fineGrid, played } from '../story/backtest/played.ts';

const SECONDS = 6;
const OPTIONS = { numRuns: 20 };

const assumptions: fc.Arbitrary<Assumptions> = fc.record({
  latency: fc.constantFrom<Assumptions['latency']>(
    { kind: 'constant', there: 0, back: 0 },
    { kind: 'lognormal', median: 15, p99: 300 },
    { kind: 'recorded' },
  ),
  queue: fc.constantFrom<Assumptions['queue']>({ kind: 'conservative' }, { kind: 'probabilistic', power: 2 }),
  phase: fc.double({ min: 0, max: 1, noNaN: true }),
  candles: fc.constant(DEFAULT_CANDLES),
});
const seeds = fc.integer({ min: 0, max: 1e9 }).map(String);

/** Returns the rows of `first` up to a moment, then the rows of `others`. */
function spliced(first: readonly Row[], others: readonly Row[], until: number): readonly Row[] {
  return [...first.filter(({ time }) => time <= until), ...others.filter(({ time }) => time > until)];
}

/** Returns everything that a strategy can reach, as text. Calls functions and reads getters on their owner. */
function everythingIn(value: unknown, { seen = new Set<unknown>(), owner = value } = {}): string {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
  if (seen.has(value) || value === Function.prototype || value === Object.prototype || value === Array.prototype) return '';
  seen.add(value);
  const within = (look: () => unknown): string => attempt(() => everythingIn(look(), { seen }));
  const result = typeof value === 'function' && value.length === 0 ? within(() => Reflect.apply(value, undefined, [])) : '';
  const own = Reflect.ownKeys(value).map((key) => `${String(key)}:${within(() => Reflect.get(value, key, owner))}`);
  return [...own, result, attempt(() => everythingIn(Object.getPrototypeOf(value), { seen, owner }))].join(';');
}

function attempt(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}

function digest(text: string): number {
  let sum = 7;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % 997;
  return sum;
}

/** A strategy whose prices depend on everything it can reach. It reads that in every sixth turn, because it is slow. */
const cheat: Strategy<Params> = {
  name: 'cheat',
  defaults: { market: MARKET.symbol },
  create: ({ market }) => {
    let [turns, away] = [0, 0];
    return (view: View) => {
      const { mid, quote } = view.market(String(market));
      if (mid === undefined) return [];
      if (turns++ % 6 === 0) away = digest(`${everythingIn(view)}${everythingIn(view.market(String(market)))}`) / 100;
      return [quote({ bids: [{ price: mid - 1 - away, size: 0.01 }], asks: [{ price: mid + 1 + away, size: 0.01 }] })];
    };
  },
};

const upTo = (turns: readonly Turn[], at: number): string[] => turns.filter((turn) => turn.at <= at).map((turn) => JSON.stringify(turn));

test('turns are equal as long as the tapes are, even for a strategy that reads everything', async () => {
  await fc.assert(
    fc.asyncProperty(seeds, seeds, fc.integer({ min: 1_500, max: 4_500 }), assumptions, async (one, another, span, assumptions) => {
      const parting = START + span;
      const past = randomRows(one, SECONDS);
      const other = spliced(past, randomRows(`other ${another}`, SECONDS), parting * STAMPS_PER_MILLI);
      const [ours, theirs] = [
        await played([memoryTape(past)], cheat, { assumptions }),
        await played([memoryTape(other)], cheat, { assumptions }),
      ];
      const turns = upTo(ours.turns, parting);
      expect(turns.flatMap((turn) => (JSON.parse(turn) as Turn).events).length).toBeGreaterThan(10);
      expect(upTo(theirs.turns, parting)).toEqual(turns);
      expect(JSON.stringify(theirs.turns)).not.toBe(JSON.stringify(ours.turns));
    }),
    OPTIONS,
  );
});

/** Returns the value of the account with its positions at the mark price, from the last account and the prices. */
function worth(world: World): Micros {
  const account = world.account!.value;
  const money = toMicros(account.balances[0]!.amount)!;
  const held = account.positions.map(({ market, size, tradingPnl, fundingPaymentPnl }) => {
    const { index, mark } = world.info(market)!.value;
    const at = (price: typeof index): Micros => world.market(market).notional(price!, size);
    return tradingPnl - at(index) + at(mark) + fundingPaymentPnl;
  });
  return held.reduce((sum, pnl) => sum + pnl, money) as Micros;
}

test('a run leaves no orders; its position is the sum of its fills, its profit the growth of the account', async () => {
  const strategy = await fineGrid();
  let fills = 0;
  await fc.assert(
    fc.asyncProperty(seeds, assumptions, async (seed, assumptions) => {
      const { ending, summary, lines, world } = await played([memoryTape(randomRows(seed, 2 * SECONDS))], strategy, { assumptions });
      expect(ending).toEqual({ kind: 'settled' });
      expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
      const traded = lines.flatMap((line) => (line.kind === 'fill' ? [line] : []));
      const position = traded.reduce((sum, { side, size }) => sum + (side === 'bid' ? 1 : -1) * Math.round(Number(size) * 1e4), 0);
      expect(Math.round(Number(summary.positions[MARKET.symbol] ?? 0) * 1e4)).toBe(position);
      expect(summary.pnl).toBe(moneyText((worth(world) - DEPOSIT) as Micros));
      fills += traded.length;
    }),
    OPTIONS,
  );
  expect(fills).toBeGreaterThan(0);
});
