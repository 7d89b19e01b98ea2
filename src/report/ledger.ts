// What a run has done so far, folded from its lines: counts, volume, fees, funding and profit.
import { scale } from '../base/decimal.ts';
import type { Account } from '../domain/account.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import { lots, type Micros, micros, type Ticks } from '../domain/numbers.ts';
import { Funding } from './funding.ts';
import type { FillLine, Line, OrderLine } from './lines.ts';

export interface LedgerTotals {
  readonly placed: number;
  readonly cancelled: number;
  readonly rejected: number;
  readonly fills: number;
  readonly volume: Micros;
  readonly fees: Micros;
  readonly funding: Micros;
  /** Cash from the fills, plus what they left in the position at the mark, less fees, plus funding. */
  readonly pnl: Micros;
  readonly findings: Readonly<Record<string, number>>;
}

/** What the fills in one market add up to, and at which price the last one was. */
interface MarketBook {
  readonly position: number;
  readonly cash: number;
  readonly last: Ticks;
}

export class Ledger {
  readonly #bySymbol: ReadonlyMap<string, Market>;
  readonly #findings: Record<string, number> = {};
  readonly #trades = new Set<string>();
  /** A trade with ourselves has two. */
  readonly #sides = new Set<string>();
  readonly #books = new Map<MarketId, MarketBook>();
  readonly #funding: Funding;
  #placed = 0;
  #cancelled = 0;
  #rejected = 0;
  #volume = 0;
  #fees = 0;

  /** `guards` are counted from zero, so that a guard that never acted shows as 0. */
  constructor({ markets, guards }: { markets: Iterable<Market>; guards: readonly string[] }) {
    const all = [...markets];
    this.#bySymbol = new Map(all.map((market) => [market.symbol, market]));
    this.#funding = new Funding(all);
    for (const guard of guards) this.#findings[guard] = 0;
  }

  add(line: Line): void {
    switch (line.kind) {
      case 'order':
        return this.#order(line);
      case 'fill':
        return this.#fill(line);
      case 'finding':
        this.#findings[line.guard] = (this.#findings[line.guard] ?? 0) + 1;
    }
  }

  account(account: Account): void {
    this.#funding.see(account);
  }

  /** `mark` values what the fills left in a position; without one, the last fill's price does. */
  totals(mark: (market: MarketId) => Ticks | undefined): LedgerTotals {
    const funding = this.#funding.total;
    let pnl = funding - this.#fees;
    for (const market of this.#bySymbol.values()) {
      const book = this.#books.get(market.id);
      if (book !== undefined) pnl += book.cash + market.notional(mark(market.id) ?? book.last, lots(book.position));
    }
    return {
      placed: this.#placed,
      cancelled: this.#cancelled,
      rejected: this.#rejected,
      fills: this.#trades.size,
      volume: micros(this.#volume),
      fees: micros(this.#fees),
      funding,
      pnl: micros(pnl),
      findings: { ...this.#findings },
    };
  }

  #order({ status, reason }: OrderLine): void {
    if (status === 'placed') this.#placed++;
    else if (status === 'cancelled') this.#cancelled++;
    else if (status === 'rejected' && reason === 'NOT_SENT')
      this.#placed--; // it never reached the wire
    else if (status === 'rejected') this.#rejected++;
  }

  #fill(line: FillLine): void {
    const market = this.#bySymbol.get(line.market);
    const side = `${line.tradeId}/${line.side}`;
    if (market === undefined || this.#sides.has(side)) return;
    this.#sides.add(side);
    this.#trades.add(line.tradeId);
    const [price, size] = [market.parsePrice(line.price), market.parseSize(line.size)];
    const notional = market.notional(price, size);
    const sign = line.side === 'bid' ? 1 : -1;
    const { position, cash } = this.#books.get(market.id) ?? { position: 0, cash: 0 };
    this.#books.set(market.id, { position: position + sign * size, cash: cash - sign * notional, last: price });
    this.#volume += notional;
    this.#fees += Number(scale(line.fee ?? '0', 6, 'down') ?? 0n);
  }
}
