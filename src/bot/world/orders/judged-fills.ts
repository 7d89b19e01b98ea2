// Judges our trades as the exchange lists them: which of them are booked, and at which price and fee. Every accounting counts what this returns.
import type { Millis } from '../../../base/clock.ts';
import { Recent } from '../../../base/collections/recent.ts';
import type { Account } from '../../domain/account.ts';
import type { FillsSeen } from '../../domain/event.ts';
import { type ClientOrderId, type MarketId, NO_ACTION } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Micros, type Ticks, toDecimal } from '../../domain/numbers.ts';
import type { Fill, FillCorrection, Order } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';
import type { RunMemory } from '../memory.ts';
import type { Attribution } from './attribution.ts';
import { type FillTerms, type Impossible, impossibleIn, provisionalFill } from './possible-fill.ts';

/** Number of recent fills with which a new one is compared. */
export const COMPARED = 4096;
/** Shortest time between two alarms of one market. */
const ALARM_EVERY: Millis = 60_000;

export interface JudgedFillsParts {
  readonly markets: ReadonlyMap<MarketId, Market>;
  readonly attribution: Attribution;
  readonly alarms: Alarms;
  readonly orderOf: (id: ClientOrderId) => Order | undefined;
  /** True if the exchange uses other decimals than we do: sizes bound nothing then. */
  readonly hasOtherTerms: (market: MarketId) => boolean;
  readonly prices: { readonly price: (market: MarketId) => Ticks | undefined };
  readonly account: () => Account | undefined;
  readonly memory: RunMemory;
  /** Gets each correction at once; `takeCorrections` returns them once more for the turn. */
  readonly accounting: { readonly profit: { readonly corrected: (correction: FillCorrection) => void } };
}

export class JudgedFills {
  readonly #parts: JudgedFillsParts;
  /** The fills that were booked lately, by the values that all copies of one trade share (`tradeOf`). */
  readonly #booked = new Recent<string, readonly Fill[]>(COMPARED);
  readonly #provisional = new Map<string, Fill>();
  /** The values of `#provisional`; replaced when one of them changes. */
  #provisionalList: readonly Fill[] = NONE;
  /** The fills that were judged without a price of their market and of their order. */
  readonly #unpriced = new Map<string, Fill>();
  #corrections: FillCorrection[] = [];
  #unbooked: Fill[] = [];
  readonly #alarmedAt = new Map<MarketId, Millis>();
  readonly #rates: FeeRange;

  constructor(parts: JudgedFillsParts) {
    this.#parts = parts;
    this.#rates = new FeeRange(parts.memory);
  }

  /** The provisional fills. The same list until one of them changes. */
  get provisional(): readonly Fill[] {
    return this.#provisionalList;
  }

  /** Takes over the booked fills of an earlier process. */
  adopt(fills: readonly Fill[]): void {
    for (const fill of fills) this.#remember(fill);
  }

  /** Returns the round with the fills to book, or the same round if all of them are booked as they were reported. */
  judge(round: FillsSeen): FillsSeen {
    if (round.fills.length === 0) return round;
    const booked: Fill[] = [];
    for (const fill of round.fills) {
      const judged = this.#judged(fill, { before: booked, at: round.at });
      if (judged !== undefined) booked.push(judged);
    }
    const isSame = booked.length === round.fills.length && booked.every((fill, index) => fill === round.fills[index]);
    return isSame ? round : { ...round, fills: booked };
  }

  /** Judges the fills again whose order has become known, or turned out to be another one's, and reports their order. */
  judgeClaimed(at: Millis): void {
    for (const claimed of this.#parts.attribution.takeClaimed()) {
      const booked = this.#provisional.get(keyOf(claimed)) ?? this.#asBooked(claimed);
      const fill = { ...booked, clientOrderId: claimed.clientOrderId };
      const terms = claimed.clientOrderId === undefined ? undefined : this.#termsOf(fill);
      const count = this.#corrections.length;
      if (terms !== undefined) this.#judgeAgain(fill, asReported(fill), { terms, at });
      if (this.#corrections.length === count) this.#correct(fill, fill);
    }
  }

  /**
   * Judges fills again: the provisional ones if the exchange has listed a fee rate that it never had before, and those that were read before any price of
   * their market was known.
   */
  accountSeen(at: Millis): void {
    const hasNewRates = this.#rates.listed(this.#parts.account()?.feeRange);
    if (!hasNewRates && this.#unpriced.size === 0) return;
    for (const fill of [...(hasNewRates ? this.#provisionalList : NONE), ...this.#takePriced()]) {
      const terms = this.#termsOf(fill);
      if (terms !== undefined) this.#judgeAgain(fill, asReported(fill), { terms, at });
    }
  }

  /** Returns the fills that were judged without a price of their market, and whose market has one now. */
  #takePriced(): readonly Fill[] {
    if (this.#unpriced.size === 0) return NONE;
    const priced = [...this.#unpriced].filter(([, { market }]) => this.#parts.prices.price(market) !== undefined);
    for (const [key] of priced) this.#unpriced.delete(key);
    return priced.map(([, fill]) => this.#asBooked(fill));
  }

  #asBooked(fill: Fill): Fill {
    return this.#booked.get(tradeOf(fill))?.find((other) => keyOf(other) === keyOf(fill)) ?? fill;
  }

  takeCorrections(): readonly FillCorrection[] | undefined {
    return this.#corrections.length === 0 ? undefined : this.#corrections.splice(0);
  }

  /** Returns the fills since the last call that were not booked. */
  takeUnbooked(): readonly Fill[] | undefined {
    return this.#unbooked.length === 0 ? undefined : this.#unbooked.splice(0);
  }

  /** Returns the fill as it is booked; undefined if it is not booked. `before`: the fills of the same round that are booked before it. */
  #judged(fill: Fill, { before, at }: { readonly before: readonly Fill[]; readonly at: Millis }): Fill | undefined {
    const terms = this.#termsOf(fill);
    if (terms === undefined) return fill;
    const provisional = this.#provisional.get(keyOf(fill));
    if (provisional !== undefined) {
      this.#judgeAgain(provisional, fill, { terms, at });
      return undefined;
    }
    const impossible = impossibleIn(fill, terms);
    const twin = this.#twinOf(fill, impossible);
    if (twin !== undefined) {
      this.#notBooked(fill, `trade ${twin.tradeId} is the same one`, at);
      if (impossible === undefined && twin.provisional !== undefined)
        this.#judgeAgain(twin, { ...fill, tradeId: twin.tradeId }, { terms, at });
      return undefined;
    }
    if (this.#exceedsOrder(fill, before)) {
      this.#notBooked(fill, 'its order would be filled beyond its size', at);
      return undefined;
    }
    const judged = impossible === undefined ? fill : provisionalFill(fill, impossible, terms);
    if (impossible !== undefined) this.#alarmProvisional(judged, impossible, at);
    this.#remember(judged);
    if (terms.limit === undefined && terms.marketPrice === undefined) this.#unpriced.set(keyOf(judged), judged);
    return judged;
  }

  /** Judges a booked fill by what is reported of it now. A value that is still impossible keeps its substitute. */
  #judgeAgain(booked: Fill, reported: Fill, { terms, at }: { readonly terms: FillTerms; readonly at: Millis }): void {
    const impossible = impossibleIn(reported, terms);
    if (impossible === undefined && booked.provisional === undefined) return;
    const substitutes = impossible === undefined ? reported : provisionalFill(reported, impossible, terms);
    const { provisional } = substitutes;
    const keepsOrder = booked.provisional !== undefined && booked.provisional.limit === terms.limit;
    const price = impossible?.price === true && keepsOrder ? booked.price : substitutes.price;
    const fee = impossible?.fee === true && keepsOrder ? booked.fee : substitutes.fee;
    const { provisional: _, ...rest } = booked;
    const fill: Fill = provisional === undefined ? { ...rest, price, fee } : { ...rest, price, fee, provisional };
    if (isSame(fill, booked)) return;
    if (impossible !== undefined && booked.provisional === undefined) this.#alarmProvisional(fill, impossible, at);
    this.#correct(fill, booked);
    this.#parts.attribution.corrected(fill);
  }

  #correct(counted: Fill, booked: Fill): void {
    const fill = { ...counted, clientOrderId: counted.clientOrderId ?? this.#parts.attribution.orderOfFill(counted) };
    const correction = { fill, before: { price: booked.price, fee: booked.fee }, wasProvisional: booked.provisional !== undefined };
    this.#remember(fill);
    this.#corrections.push(correction);
    this.#parts.accounting.profit.corrected(correction);
  }

  /**
   * Returns the booked fill of the same trade under another id. One action trades with one order once, so the ids of the action and the order decide. If
   * the record of trades names none, or the journal of an earlier version lacks them, one of the two must be impossible and the other not.
   */
  #twinOf(fill: Fill, impossible: Impossible | undefined): Fill | undefined {
    const twins = this.#booked.get(tradeOf(fill)) ?? NONE;
    return twins.find((twin) =>
      isNamed(fill) && isNamed(twin) ? twin.actionId === fill.actionId : (twin.provisional === undefined) === (impossible !== undefined),
    );
  }

  /**
   * True if the fill is too large for what the other fills of its order have left of it. A fill that is larger than its order shows other decimals
   * (`bot/world/market/terms-check.ts`): then neither it nor another one is too large.
   */
  #exceedsOrder(fill: Fill, before: readonly Fill[]): boolean {
    const { attribution, orderOf, hasOtherTerms } = this.#parts;
    const id = attribution.orderOfFill(fill);
    const order = id === undefined ? undefined : orderOf(id);
    if (id === undefined || order === undefined || fill.size > order.size || hasOtherTerms(fill.market)) return false;
    const inRound = before.reduce((sum, other) => (attribution.orderOfFill(other) === id ? sum + other.size : sum), 0);
    const filled = attribution.filledOf(id) + inRound;
    return filled <= order.size && filled + fill.size > order.size;
  }

  #termsOf(fill: Fill): FillTerms | undefined {
    const { markets, attribution, orderOf, prices, account } = this.#parts;
    const market = markets.get(fill.market);
    if (market === undefined) return undefined;
    const id = attribution.orderOfFill(fill);
    const earlier = this.#provisional.get(keyOf(fill));
    const limit = (id === undefined ? undefined : orderOf(id))?.price ?? earlier?.provisional?.limit;
    const taken = id === undefined || fill.role === 'maker' ? [] : attribution.takenLevels(id);
    // Until a process has a price of the market, the substitute of an earlier process is the newest one.
    const substitute = earlier === undefined || earlier.price === earlier.provisional?.price ? undefined : earlier.price;
    const marketPrice = prices.price(fill.market) ?? substitute;
    return { market, limit, taken, marketPrice, account: account(), feeRange: this.#rates.widest };
  }

  #remember(fill: Fill): void {
    const trade = tradeOf(fill);
    const others = (this.#booked.get(trade) ?? NONE).filter((other) => keyOf(other) !== keyOf(fill));
    this.#booked.set(trade, [...others, fill]);
    const changesProvisional = fill.provisional !== undefined || this.#provisional.has(keyOf(fill));
    if (!changesProvisional) return;
    if (fill.provisional === undefined) this.#provisional.delete(keyOf(fill));
    else this.#provisional.set(keyOf(fill), fill);
    this.#provisionalList = [...this.#provisional.values()];
  }

  #notBooked(fill: Fill, why: string, at: Millis): void {
    this.#unbooked.push(fill);
    const market = this.#parts.markets.get(fill.market);
    this.#alarm(
      fill.market,
      `trade ${fill.tradeId} of ${market?.sizeText(fill.size)} at ${market?.priceText(fill.price)} is not booked: ${why}`,
      at,
    );
  }

  #alarmProvisional({ tradeId, market: id, price, fee, provisional }: Fill, impossible: Impossible, at: Millis): void {
    const market = this.#parts.markets.get(id);
    if (market === undefined || provisional === undefined) return;
    const values = [
      ...(impossible.price ? [`a price of ${market.priceText(provisional.price)}; ${market.priceText(price)} counts`] : []),
      ...(impossible.fee ? [`a fee of ${feeText(provisional.fee)}; ${feeText(fee)} counts`] : []),
    ];
    this.#alarm(id, `the exchange reports trade ${tradeId} with ${values.join(', and ')} until it reports a possible one`, at);
  }

  #alarm(market: MarketId, reason: string, at: Millis): void {
    const last = this.#alarmedAt.get(market);
    if (last !== undefined && at < last + ALARM_EVERY) return;
    this.#alarmedAt.set(market, at);
    this.#parts.alarms.raise({ name: 'fill', market, reason });
  }
}

const NONE: readonly Fill[] = [];
const feeText = (fee: Micros | undefined): string => (fee === undefined ? 'nothing' : String(toDecimal(fee)));
const keyOf = ({ tradeId, side, orderId }: Fill): string => `${tradeId}/${side}/${orderId}`;

/** True if the fill names the order and the action that traded. */
const isNamed = ({ orderId, actionId }: Fill): boolean => orderId !== '' && actionId !== NO_ACTION;

/** The values that copies of one trade share, except the id of the action. */
const tradeOf = ({ market, role, side, size, time, orderId }: Fill): string => `${market}/${role}/${side}/${size}/${time}/${orderId}`;

/** Returns the fill with the price and fee that the exchange reported. */
export function asReported({ provisional, ...fill }: Fill): Fill {
  return provisional === undefined ? fill : { ...fill, price: provisional.price, fee: provisional.fee };
}

const isSame = (one: Fill, other: Fill): boolean =>
  one.price === other.price &&
  one.fee === other.fee &&
  one.provisional?.price === other.provisional?.price &&
  one.provisional?.fee === other.provisional?.fee &&
  one.provisional?.limit === other.provisional?.limit;

const NAME = 'fee-range';

type Range = NonNullable<Account['feeRange']>;

/**
 * The lowest and highest fee rate that the exchange has listed since the run began. The run remembers them: after a change of the rates, and after a restart,
 * a trade from before the change still has the fee of its time.
 */
export class FeeRange {
  readonly #memory: RunMemory;
  #newest: Range | undefined;
  #widest: Range | undefined;

  constructor(memory: RunMemory) {
    this.#memory = memory;
  }

  /** As fractions of the notional; undefined if the exchange lists no tiers. */
  get widest(): Range | undefined {
    return this.#widest;
  }

  /** Takes the rates that are listed now. Returns true if the range became wider. */
  listed(range: Range | undefined): boolean {
    if (range === undefined || range === this.#newest) return false;
    this.#newest = range;
    const before = this.#widest ?? (this.#memory.get(NAME) as Range | undefined);
    const lowest = Math.min(range.lowest, before?.lowest ?? range.lowest);
    const highest = Math.max(range.highest, before?.highest ?? range.highest);
    const isWider = this.#widest === undefined || lowest < this.#widest.lowest || highest > this.#widest.highest;
    if (!isWider) return false;
    this.#widest = { lowest, highest };
    this.#memory.set(NAME, JSON.stringify(this.#widest));
    return true;
  }
}
