// The funding of an account's positions as the bot counts it, from the accounts that it polls.
// How the embedded exchange charges it: `embedded/rules/funding/pay-funding.ts`, then `embedded/rules/clearing.ts`.
import type { Account, Position } from '../account.ts';
import type { MarketId } from '../ids.ts';
import type { Market } from '../market.ts';
import { MICROS_PER_UNIT, type Micros, micros } from '../numbers.ts';

/** The part of a position from which a later account shows what was settled of it. */
type Owing = Pick<Position, 'market' | 'size' | 'entry' | 'fundingPaymentPnl' | 'fundingIndex'>;

/** The state that a later process continues from. */
export interface FundingCarry {
  /** Millionths of the quote token. */
  readonly total: number;
  /** The total by symbol; absent with one market, and in journals of earlier versions. */
  readonly markets?: Readonly<Record<string, number>> | undefined;
  /** The positions with a funding index. Sizes are decimal text. */
  readonly positions: readonly {
    readonly market: string;
    readonly size: string;
    readonly entry?: number | undefined;
    readonly owed: number;
    readonly index: number;
  }[];
}

/**
 * Funding is owed on a position until a fill in it settles it into the balance. A settlement shows in the funding index of the position, which also
 * gives what was paid and settled between two polls, or in its size and entry. A position without an index always shows all its funding. What the
 * first account owes is from before the run.
 */
export class AccountFunding {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #last = new Map<MarketId, Owing>();
  readonly #settled = new Map<MarketId, number>();
  #before: ReadonlyMap<MarketId, number> = new Map();
  /** Of earlier processes, if their journal does not say of which market. */
  #unnamed = 0;
  #sawAccount = false;

  constructor(markets: Iterable<Market>) {
    this.#markets = new Map([...markets].map((market) => [market.id, market]));
  }

  see({ positions }: Account): void {
    for (const position of positions) {
      const before = this.#last.get(position.market);
      if (before !== undefined) this.#settle(position.market, this.#settledBetween(before, position));
      this.#last.set(position.market, position);
    }
    if (this.#last.size > positions.length) this.#dropAllBut(positions);
    if (!this.#sawAccount) this.#before = this.#owed();
    this.#sawAccount = true;
  }

  /** Positive when earned. */
  get total(): Micros {
    let sum = this.#unnamed;
    for (const settled of this.#settled.values()) sum += settled;
    for (const { fundingPaymentPnl } of this.#last.values()) sum += fundingPaymentPnl;
    for (const before of this.#before.values()) sum -= before;
    return micros(sum);
  }

  /** The part of the total that is known to be of a market. */
  of(market: MarketId): Micros {
    const owed = this.#last.get(market)?.fundingPaymentPnl ?? 0;
    return micros((this.#settled.get(market) ?? 0) + owed - (this.#before.get(market) ?? 0));
  }

  carry(): FundingCarry {
    const positions = [...this.#last.values()].flatMap(({ market: id, size, entry, fundingPaymentPnl: owed, fundingIndex: index }) => {
      const market = this.#markets.get(id);
      return market === undefined || index === undefined
        ? []
        : [{ market: market.symbol, size: market.sizeText(size), entry, owed, index }];
    });
    const markets = Object.fromEntries([...this.#markets.values()].map(({ id, symbol }) => [symbol, this.of(id)]));
    return { total: this.total, ...(this.#markets.size > 1 && { markets }), positions };
  }

  /** Called before any account. For a position without an index, the funding owed counts from the beginning of each process. */
  resume({ total, markets = {}, positions }: FundingCarry): void {
    const bySymbol = new Map([...this.#markets.values()].map((market) => [market.symbol, market]));
    for (const { market: symbol, size, entry, owed, index } of positions) {
      const market = bySymbol.get(symbol);
      if (market === undefined) continue;
      const position = { market: market.id, size: market.parseSize(size), entry, fundingPaymentPnl: micros(owed), fundingIndex: index };
      this.#last.set(market.id, position);
    }
    this.#unnamed = total;
    for (const [symbol, part] of Object.entries(markets)) {
      const market = bySymbol.get(symbol);
      if (market === undefined) continue;
      this.#settle(market.id, part);
      this.#unnamed -= part;
    }
    this.#before = this.#owed();
    this.#sawAccount = true;
  }

  #dropAllBut(positions: readonly Position[]): void {
    const held = new Set(positions.map(({ market }) => market));
    for (const [market, last] of this.#last) {
      if (held.has(market) || last.fundingIndex === undefined) continue;
      this.#settle(market, last.fundingPaymentPnl);
      this.#last.delete(market);
    }
  }

  #settle(market: MarketId, paid: number): void {
    this.#settled.set(market, (this.#settled.get(market) ?? 0) + paid);
  }

  #owed(): ReadonlyMap<MarketId, number> {
    return new Map([...this.#last].map(([market, { fundingPaymentPnl }]) => [market, fundingPaymentPnl]));
  }

  #settledBetween(before: Owing, after: Owing): number {
    const owed = before.fundingPaymentPnl;
    if (before.fundingIndex === undefined) return 0;
    const moved = (after.fundingIndex ?? before.fundingIndex) - before.fundingIndex; // a flat position may show none
    if (moved === 0) return before.size === after.size && before.entry === after.entry ? 0 : owed;
    const size = this.#markets.get(before.market)?.size(before.size) ?? 0;
    const paid = -size * moved * MICROS_PER_UNIT;
    return Math.abs(paid - owed) < 2 ? owed : Math.floor(paid); // the exchange's own rounding if no payment was missed
  }
}
