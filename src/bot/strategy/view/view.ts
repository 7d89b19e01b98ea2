// A strategy's view of the world in one turn: read-only, in decimals, converted lazily. One market of it: `market-view.ts`.

import type { Millis } from '../../../base/clock.ts';
import { assert, UserError } from '../../../base/errors.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { Account } from '../../domain/account.ts';
import type { Resolution } from '../../domain/candle.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { toDecimal } from '../../domain/numbers.ts';
import type { World } from '../../world/world.ts';
import { type Inputs, type InputView, inputViewer } from '../inputs.ts';
import { aligned } from './candle-views.ts';
import type { CandleView } from './market-parts.ts';
import { type MarketView, marketViewer } from './market-view.ts';

/** A strategy's view of the world in one turn: read-only, in decimals. */
export interface View {
  /** The time of this turn, the only clock of a strategy. */
  readonly now: Millis;
  readonly account: AccountView;
  /** Every market of the run, in the order of the exchange's ids. */
  readonly markets: readonly MarketView[];
  /** Returns a market by its symbol. Throws a `UserError` that lists the markets of the run if the symbol is unknown. */
  market(symbol: string): MarketView;
  /**
   * The finished candles of several markets that begin at the same times, oldest first: for each time a list with one candle of each symbol, in their
   * order. Times at which one of them has no candle are left out. Throws as `market` and `MarketView.candles` do.
   */
  candles<const Symbols extends readonly string[]>(symbols: Symbols, resolution?: Resolution): readonly AlignedCandles<Symbols>[];
  /** Returns the newest value of an input; undefined before the first. Throws a `UserError` for a name that the strategy does not declare. */
  input(name: string): InputView | undefined;
}

/** One candle of each symbol, all of one time. */
export type AlignedCandles<Symbols extends readonly string[]> = { readonly [Key in keyof Symbols]: CandleView };

/**
 * The newest account. Amounts are quote money, except the balances, which are whole tokens by the token's symbol. The balances include the spot fills
 * that the account does not include yet.
 */
export interface AccountView {
  /** The value of the account with unrealised profit and loss: its `mf`. */
  readonly equity: number;
  /** Margin available for new positions and orders: `omf − imf`. */
  readonly freeCollateral: number;
  /** Whole tokens, by the token's symbol. */
  readonly balances: Readonly<Record<string, number>>;
  /** Amounts of money, although the exchange calls them fractions: compare omf with imf and cmf, mf with mmf. */
  readonly margins: {
    readonly omf: number;
    readonly mf: number;
    readonly imf: number;
    /** Absent if the exchange has no such level. */
    readonly cmf?: number;
    readonly mmf: number;
    readonly pon: number;
    readonly pn: number;
    readonly bankruptcy: boolean;
  };
}

/**
 * Returns a function that creates views; the account must be known. Each view keeps the values of its turn. Markets that are not `open` show no
 * prices.
 */
export function viewer(markets: readonly Market[], inputs: Inputs = {}): (world: World, open: ReadonlySet<MarketId>) => View {
  const bySymbol = new Map([...markets].sort((a, b) => a.id - b.id).map((market) => [market.symbol, { market, views: new Views(market) }]));
  const symbols = [...bySymbol.keys()];
  const inputOf = inputViewer(inputs);
  let turn = 0;
  return (world, open) => {
    const account = world.account?.value;
    assert(account !== undefined, 'a view was requested before the first account');
    const { now } = world;
    const current = ++turn;
    return new TurnView({ now, account, world, symbols, inputOf }, (symbol) => {
      const { market, views } = bySymbol.get(symbol) ?? noMarket(symbol, symbols);
      return views.of(current, world, open.has(market.id));
    });
  };
}

/** Creates at most one view of a market per turn, when it is first read. */
class Views {
  readonly #viewOf: ReturnType<typeof marketViewer>;
  #turn = 0;
  #view: MarketView | undefined;

  constructor(market: Market) {
    this.#viewOf = marketViewer(market);
  }

  of(turn: number, world: World, open: boolean): MarketView {
    if (this.#view !== undefined && this.#turn === turn) return this.#view;
    this.#turn = turn;
    this.#view = this.#viewOf(world, { open });
    return this.#view;
  }
}

interface Turn {
  readonly now: Millis;
  readonly account: Account;
  readonly world: World;
  readonly symbols: readonly string[];
  readonly inputOf: ReturnType<typeof inputViewer>;
}

class TurnView implements View {
  readonly now: Millis;
  readonly market: View['market'];
  readonly #account: Account;
  readonly #world: World;
  readonly #symbols: readonly string[];
  readonly #inputOf: ReturnType<typeof inputViewer>;

  constructor({ now, account, world, symbols, inputOf }: Turn, market: View['market']) {
    this.now = now;
    this.market = market;
    this.#account = account;
    this.#world = world;
    this.#symbols = symbols;
    this.#inputOf = inputOf;
  }

  get markets(): readonly MarketView[] {
    return this.#symbols.map((symbol) => this.market(symbol));
  }

  candles<const Symbols extends readonly string[]>(symbols: Symbols, resolution?: Resolution): readonly AlignedCandles<Symbols>[] {
    return aligned(symbols.map((symbol) => this.market(symbol).candles(resolution))) as readonly AlignedCandles<Symbols>[];
  }

  input(name: string): InputView | undefined {
    return this.#inputOf(name, this.#world);
  }

  get account(): AccountView {
    return accountView(this.#account, this.#world.balances());
  }
}

function noMarket(symbol: string, known: readonly string[]): never {
  throw new UserError({
    code: 'market',
    message: `there is no market "${symbol}"; ${suggestion(symbol, known)}`,
    hint: `markets: ${known.join(', ')}`,
  });
}

function accountView({ margins }: Account, balances: Account['balances']): AccountView {
  const { omf, mf, imf, cmf, mmf, pon, pn, bankruptcy } = margins;
  return {
    equity: toDecimal(mf),
    freeCollateral: toDecimal(omf) - toDecimal(imf),
    balances: Object.fromEntries(balances.map(({ token, amount }) => [token, amount])),
    margins: {
      omf: toDecimal(omf),
      mf: toDecimal(mf),
      imf: toDecimal(imf),
      ...(cmf !== undefined && { cmf: toDecimal(cmf) }),
      mmf: toDecimal(mmf),
      pon: toDecimal(pon),
      pn: toDecimal(pn),
      bankruptcy,
    },
  };
}
