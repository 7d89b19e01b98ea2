// Strategies that would earn on noise if a backtest let them see, trade or cancel inside candles, or gave their orders and exits the better path.
import type { Exit } from '../../../src/bot/domain/intent.ts';
import { defineStrategy, type Params, type Strategy } from '../../../src/bot/strategy/contract.ts';
import type { MarketView } from '../../../src/bot/strategy/view/market-view.ts';

const SIZE = 0.05;

/** The newest price of each market, and the newest of all. */
class Known {
  readonly #prices = new Map<string, number>();
  newest: number | undefined;

  /** Returns the last change of the market's price. */
  see({ symbol, mid }: MarketView): number {
    const before = this.#prices.get(symbol);
    if (mid === undefined || mid === before) return 0;
    this.#prices.set(symbol, mid);
    this.newest = mid;
    return before === undefined ? 0 : mid - before;
  }
}

type Decide = (
  view: MarketView,
  seen: { readonly newest: number; readonly move: number },
) => ReturnType<MarketView['quote']> | ReturnType<MarketView['target']> | undefined;

/** Decides for each market that shows a price, after all were seen. */
const each = (
  name: string,
  symbols: readonly string[],
  decide: Decide,
  exitsOf: (view: MarketView) => readonly Exit[] = () => [],
): Strategy<Params> =>
  defineStrategy({
    name,
    defaults: { market: symbols[0]!, others: symbols.slice(1) },
    create() {
      const known = new Known();
      return (view) => {
        const markets = symbols.map((symbol) => view.market(symbol));
        const moves = markets.map((market) => known.see(market));
        return markets.flatMap((market, index) => {
          if (market.mid === undefined || known.newest === undefined) return [];
          const intent = decide(market, { newest: known.newest, move: moves[index]! });
          return [...(intent === undefined ? [] : [intent]), ...exitsOf(market)];
        });
      };
    },
  });

const turned = ({ target, position }: MarketView, to: number) =>
  target({ position: to === 0 ? position : SIZE * Math.sign(to), maxSlippageBps: 100 });

/** Trades each market towards the price that was seen last in any of them. */
export const follower = (symbols: readonly string[]): Strategy<Params> =>
  each('follower', symbols, (view, { newest }) => turned(view, newest - view.mid!));

/** Turns its position over, but only at a better price than the one that it saw: it needs a price that moves before its order arrives. */
export const onlyBetter = (symbol: string): Strategy<Params> =>
  each('only better', [symbol], ({ mid, position, target }) => target({ position: position > 0 ? -SIZE : SIZE, limit: mid! }));

const around = ({ quote, mid }: MarketView, bps: number) =>
  quote({
    bids: [{ price: mid! * (1 - bps / 1e4), size: SIZE }],
    asks: [{ price: mid! * (1 + bps / 1e4), size: SIZE }],
    postOnly: false,
  });

/** Rests on the side to which another market has not moved, and cancels the other side. */
const canceller: Decide = ({ quote, mid }, { newest }) => {
  const level = (sign: number) => (Math.sign(newest - mid!) === -sign ? [] : [{ price: mid! * (1 - sign * 2e-4), size: SIZE }]);
  return quote({ bids: level(1), asks: level(-1), postOnly: false });
};

/** Opens a position while there is none, so that the exits decide when it ends. */
const opening =
  (position: number): Decide =>
  ({ target, position: held, exited }) =>
    held === 0 && exited === undefined ? target({ position, maxSlippageBps: 100 }) : undefined;

/** `unit`: about the deviation of a candle's move, in basis points. */
export const ADVERSARIES: Readonly<Record<string, (symbols: readonly string[], unit: number) => Strategy<Params>>> = {
  follower,
  'only better': ([first = '']) => onlyBetter(first),
  momentum: (symbols) => each('momentum', symbols, (view, { move }) => turned(view, move)),
  reversal: (symbols) => each('reversal', symbols, (view, { move }) => turned(view, -move)),
  'near quotes': (symbols, unit) => each('near', symbols, (view) => around(view, unit / 4)),
  'far quotes': (symbols, unit) => each('far', symbols, (view) => around(view, unit)),
  canceller: (symbols) => each('canceller', symbols, canceller),
  'near stop, far target': (symbols, unit) =>
    each('cut losses', symbols, opening(SIZE), ({ bracket }) => [bracket({ stopLossBps: unit / 3, takeProfitBps: 2 * unit })]),
  'far stop, near target': (symbols, unit) =>
    each('take profits', symbols, opening(-SIZE), ({ bracket }) => [bracket({ stopLossBps: 2 * unit, takeProfitBps: unit / 3 })]),
  'near trail': (symbols, unit) => each('near trail', symbols, opening(SIZE), ({ trailingStop }) => [trailingStop({ bps: unit / 3 })]),
  'trail and target': (symbols, unit) =>
    each('trail', symbols, opening(-SIZE), ({ trailingStop, takeProfit }) => [trailingStop({ bps: unit }), takeProfit({ bps: unit })]),
  'quotes with exits': (symbols, unit) =>
    each(
      'quotes',
      symbols,
      (view) => around(view, unit / 3),
      ({ bracket }) => [bracket({ stopLossBps: unit / 2, takeProfitBps: unit / 2 })],
    ),
};
