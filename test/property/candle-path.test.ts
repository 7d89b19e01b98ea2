// A candle in which no order is reached gives the same turns, fills and money whether the quotes on its way are played or not.
import { afterEach, expect, test, vi } from 'vitest';
import { HOUR } from '../../src/base/clock.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import type { Intent } from '../../src/bot/domain/intent.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import { defineStrategy, type Params, type Strategy } from '../../src/bot/strategy/contract.ts';
import type { MarketView } from '../../src/bot/strategy/view/market-view.ts';
import { CandlePath, DEFAULT_CANDLES } from '../../src/embedded/exchange/recorded/candle-path.ts';
import { codeOf, FUNDING_PARTS, type RowKind } from '../../src/embedded/rows/rows.ts';
import type { Tape } from '../../src/embedded/tape/reader.ts';
import { backtest } from '../../src/research/backtest/backtest.ts';
import { MemoryRows } from '../../src/research/testing/memory-tape.ts';
import { DEFAULTS } from '../replay/virtual-run.ts';
import { ASSUMPTIONS, DEPOSIT } from '../story/backtest/played.ts';
import { BTC } from '../unit/world-builder.ts';

const START = Date.UTC(2026, 0, 5);
const TICKS_PER_UNIT = 10;
const CANDLES = 120;

const pick = <T>(rng: Rng, from: readonly T[]): T => from[rng.below(from.length)]!;

/** In ticks. */
interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A walk with candles that do not move, and some that move much. */
function walk(rng: Rng): readonly Candle[] {
  let close = 600_000;
  return Array.from({ length: CANDLES }, () => {
    const size = pick(rng, [0, 40, 400, 4_000]);
    const open = rng.next() < 0.2 ? close + rng.below(21) - 10 : close;
    close = open + rng.below(2 * size + 1) - size;
    return { open, close, high: Math.max(open, close) + rng.below(size + 1), low: Math.min(open, close) - rng.below(size + 1) };
  });
}

/** Some candles are missing; marks, funding and gaps lie between the others. */
function tapeOf(candles: readonly Candle[], rng: Rng, symbol: string): Tape {
  const rows = new MemoryRows();
  const hasMarks = rng.next() < 0.3;
  for (const [index, { open, high, low, close }] of candles.entries()) {
    const start = START + index * HOUR;
    const add = (kind: RowKind, price: number, size = 0, after = 0): void =>
      rows.add({ time: (start + after) * 1_000, lag: 0, code: codeOf(kind), price, size });
    if (index % 8 === 0) add('funding', 8 * HOUR, Math.round(1e-5 * FUNDING_PARTS));
    if (rng.next() < 0.05) continue;
    add('open', open, HOUR);
    add('high', high);
    add('low', low);
    add('close', close, pick(rng, [0, 7, 1_000, 50_000]));
    if (hasMarks && rng.next() < 0.5) add('mark', open + 1, 0, rng.below(HOUR - 10));
    if (rng.next() < 0.03) add('gap', 0, 0, HOUR - 5);
  }
  return rows.tape({ market: { ...BTC.spec, symbol }, basePrice: 60_000, source: 'a walk', books: 'candles', pollMs: HOUR })!;
}

/** The half spread of the default options. */
const half = (price: number): number => Math.round(price * 1e-4);

/** Knows the candles, so that its orders rest at, within and just beyond the extremes of the next one and of its quotes. */
function gambler(markets: readonly { readonly symbol: string; readonly candles: readonly Candle[] }[], seed: string): Strategy<Params> {
  const rng = rngFrom(seed).fork('gambler');
  const near = (price: number): number => price + rng.below(5) - 2;
  const level = (price: number) => ({ price: price / TICKS_PER_UNIT, size: pick(rng, [0.001, 0.02, 3]) });
  const intentsIn = ({ quote, target, stopLoss, position }: MarketView, { low, high }: Candle): readonly Intent[] => {
    const prices = {
      bid: [near(low - half(low)), near(low), low - 5_000, low + rng.below(high - low + 1)],
      ask: [near(high + half(high)), near(high), high + 5_000, high - rng.below(high - low + 1)],
    };
    const levels = (side: 'bid' | 'ask') => Array.from({ length: rng.below(3) }, () => level(pick(rng, prices[side])));
    const stop = position === 0 ? [] : [stopLoss({ price: (position > 0 ? near(low) : near(high)) / TICKS_PER_UNIT })];
    const choice = rng.below(6);
    if (choice === 0) return [target({ position: pick(rng, [-0.05, 0, 0.05]) }), ...stop];
    if (choice === 1) return [];
    return [quote({ bids: levels('bid'), asks: levels('ask'), postOnly: false }), ...(choice === 2 ? stop : [])];
  };
  return defineStrategy({
    name: 'gambler',
    defaults: Object.fromEntries(markets.map(({ symbol }, rank) => [rank === 0 ? 'market' : `market${rank}`, symbol])),
    every: '1h',
    create: () => (view) => {
      const at = Math.floor((view.now - START) / HOUR);
      return markets.flatMap(({ symbol, candles }) => {
        const candle = candles[at];
        return candle === undefined ? [] : intentsIn(view.market(symbol), candle);
      });
    },
  });
}

async function play(seed: string) {
  const rng = rngFrom(seed);
  const symbols = rng.next() < 0.3 ? ['BTCUSDC', 'BTC2USDC'] : ['BTCUSDC'];
  const markets = symbols.map((symbol) => ({ symbol, candles: walk(rng) }));
  const strategy = gambler(markets, seed);
  const turns: Turn[] = [];
  const { summary, closings } = await backtest({
    strategy,
    params: strategy.defaults,
    limits: { ...DEFAULTS.limits, position: { maxNotional: 1_000_000 }, 'order-size': { maxNotional: 1_000_000 } },
    polling: DEFAULTS.polling,
    seed,
    tapes: markets.map(({ symbol, candles }) => tapeOf(candles, rng, symbol)),
    deposit: DEPOSIT,
    watch: ({ run }) => void run.turns.subscribe((turn) => turns.push(withoutBookNumbers(turn))),
    assumptions: { ...ASSUMPTIONS, candles: { ...DEFAULT_CANDLES, path: pick(rng, ['pessimistic', 'nearest']) } },
  });
  return { turns, summary, closings };
}

/** A book has another number if fewer of its changes were played. */
function withoutBookNumbers(turn: Turn): Turn {
  const events = turn.events.map((event) => (event.kind === 'bookSeen' ? { ...event, book: { ...event.book, updateId: '' } } : event));
  return { ...turn, events };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(Array.from({ length: 10 }, (_, nth) => `candles ${nth}`))('seed %s', async (seed) => {
  const end = vi.spyOn(CandlePath.prototype, 'end');
  const short = await play(seed);
  const isWhole = end.mock.calls.map(([, whole]) => whole);
  expect(isWhole).toContain(true);
  expect(isWhole).toContain(false);
  expect(short.turns.flatMap(({ fills }) => fills).length).toBeGreaterThan(5);
  vi.spyOn(CandlePath.prototype, 'beginsAnew', 'get').mockReturnValue(true); // as if the book began anew: the whole way is played
  end.mockClear();
  expect(await play(seed)).toEqual(short);
  expect(end.mock.calls.every(([, whole]) => whole)).toBe(true);
});
