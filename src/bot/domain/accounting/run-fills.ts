// The fills of a run, each counted once: the sums of each market and of the run. Fills are summed nowhere else: `bot/world/position/profit.ts` holds the sums
// of the run, and a restart restores them from the journal (`bot/run/state/loss-entries.ts`).
import type { MarketId } from '../ids.ts';
import type { Market } from '../market.ts';
import { type Lots, lots } from '../numbers.ts';
import type { Fill, FillCorrection } from '../order.ts';
import { CountedFills } from './counted-fills.ts';
import { MarketFills } from './market-fills.ts';

/** The sums of fills that the journal no longer holds. Sizes are decimal text, money is in millionths of the quote token. */
export interface RunFillsCarry {
  /** Number of provisional fills; absent if there are none. */
  readonly provisional?: number | undefined;
  /** By symbol. */
  readonly markets: Readonly<Record<string, MarketFillsCarry>>;
}

interface MarketFillsCarry {
  readonly position: string;
  readonly cash: number;
  readonly volume: number;
  readonly fees: number;
  readonly fills: number;
}

export interface MarketSums {
  readonly sums: MarketFills;
  /** Number of trades; a trade with ourselves is one. */
  readonly fills: number;
}

/** In millionths of the quote token; `cash`: proceeds of sales, less the cost of purchases, before fees. */
interface FillTotals {
  readonly fills: number;
  readonly cash: number;
  readonly volume: number;
  readonly fees: number;
}

type BookedFill = Omit<Fill, 'actionId'>;
type BookedCorrection = Omit<FillCorrection, 'fill'> & { readonly fill: BookedFill };

export class RunFills {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #sums = new Map<MarketId, { sums: MarketFills; fills: number }>();
  readonly #counted = new CountedFills();
  #provisional = 0;
  /** Undefined after a change. */
  #totals: FillTotals | undefined;

  constructor(markets: Iterable<Market>) {
    this.#markets = new Map([...markets].map((market) => [market.id, market]));
  }

  /** Restores the sums; call it before the first fill. Markets that the run no longer trades are ignored, as their fills are. */
  resume({ provisional = 0, markets }: RunFillsCarry): void {
    this.#provisional = provisional;
    this.#totals = undefined;
    for (const market of this.#markets.values()) {
      const carried = markets[market.symbol];
      if (carried === undefined) continue;
      const { position, fills, ...money } = carried;
      this.#sums.set(market.id, { sums: new MarketFills(market, { ...money, position: market.parseSize(position) }), fills });
    }
  }

  carry(): RunFillsCarry {
    const markets = [...this.#markets.values()].flatMap((market) => {
      const entry = this.#sums.get(market.id);
      if (entry === undefined) return [];
      const { position, cash, volume, fees } = entry.sums;
      return [[market.symbol, { position: market.sizeText(position), cash, volume, fees, fills: entry.fills }] as const];
    });
    return { ...(this.#provisional !== 0 && { provisional: this.#provisional }), markets: Object.fromEntries(markets) };
  }

  /** Takes fills that the sums include already, so that they are not counted again. */
  remember(fills: readonly BookedFill[]): void {
    for (const fill of fills) if (this.#counted.add(fill)) this.#counted.addTrade(fill.tradeId);
  }

  /** Returns false if the fill is not counted: it is counted already, or of a market that the run does not trade. */
  add(fill: BookedFill): boolean {
    const market = this.#markets.get(fill.market);
    if (market === undefined || !this.#counted.add(fill)) return false;
    const entry = this.#sums.get(market.id) ?? { sums: new MarketFills(market), fills: 0 };
    this.#sums.set(market.id, entry);
    entry.sums.add(fill);
    this.#totals = undefined;
    if (fill.provisional !== undefined) this.#provisional++;
    if (this.#counted.addTrade(fill.tradeId)) entry.fills++;
    return true;
  }

  correct(correction: BookedCorrection): void {
    const entry = this.#sums.get(correction.fill.market);
    if (entry === undefined) return;
    entry.sums.correct(correction);
    this.#totals = undefined;
    this.#provisional += Number(correction.fill.provisional !== undefined) - Number(correction.wasProvisional);
  }

  /** Returns the sums of a market; undefined for one without fills. */
  of(market: MarketId): MarketSums | undefined {
    return this.#sums.get(market);
  }

  /** The position that results from the fills; positive is long. */
  position(market: MarketId): Lots {
    return this.#sums.get(market)?.sums.position ?? lots(0);
  }

  get provisional(): number {
    return this.#provisional;
  }

  /** The sums over all markets. The same object until one of them changes. */
  totals(): FillTotals {
    this.#totals ??= this.#summed();
    return this.#totals;
  }

  #summed(): FillTotals {
    const all = { fills: 0, cash: 0, volume: 0, fees: 0 };
    for (const { sums, fills } of this.#sums.values()) {
      all.fills += fills;
      all.cash += sums.cash;
      all.volume += sums.volume;
      all.fees += sums.fees;
    }
    return all;
  }
}
