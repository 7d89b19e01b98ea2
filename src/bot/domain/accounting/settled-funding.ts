// The funding that fills have settled between two accounts. Funding is paid on the size at the time of the payment, so it depends on the fills before it.
import { HOUR, type Millis, SECOND } from '../../../base/clock.ts';
import type { Position } from '../account.ts';
import { signOf } from '../book.ts';
import { type ActionId, compareIds } from '../ids.ts';
import type { Market } from '../market.ts';
import { type Lots, MICROS_PER_UNIT } from '../numbers.ts';
import type { Fill } from '../order.ts';

/** A position with the funding that it is owed, or owes, since the last settlement. Compared with a later one, it shows what was settled between them. */
export interface Owing extends Pick<Position, 'market' | 'size' | 'entry' | 'fundingPaymentPnl' | 'fundingIndex'> {
  /** Absent if it is not known. */
  readonly actionId?: ActionId | undefined;
  /** When its account was requested; absent if it is not known. */
  readonly asked?: Millis | undefined;
  /** When the first account with this funding index was requested. Absent if that account owed funding already, or if it is not known. */
  readonly indexedFrom?: Millis | undefined;
}

/** The part of a fill that decides the size at a payment. */
export type SizeChange = Pick<Fill, 'tradeId' | 'orderId' | 'market' | 'side' | 'size' | 'time'> & {
  readonly actionId?: ActionId | undefined;
};

/** The times of a market's payments: each full hour, until the market announces others. */
export class PaymentTimes {
  #known: Millis = 0;
  #every: Millis = HOUR;

  /** Takes the time of the next payment. Returns true if it shows that payments are at other times than was known until now. */
  announced(next: Millis): boolean {
    const [every, first] = [this.#every, this.#known % this.#every];
    const later = next - this.#known;
    if (this.#known > 0 && later >= SECOND) this.#every = Math.min(this.#every, later);
    this.#known = next;
    return this.#every !== every || next % every !== first;
  }

  /** Returns the number of payments after `from`, until `to` at the latest. */
  count(from: Millis, to: Millis): number {
    return Math.max(0, this.#until(to) - this.#until(from));
  }

  /** Returns the time of the first payment after `from`. */
  after(from: Millis): Millis {
    return this.#known + (this.#until(from) + 1) * this.#every;
  }

  #until(time: Millis): number {
    return Math.floor((time - this.#known) / this.#every);
  }
}

/** True if the fill is in the later position and not in the earlier one. False if an id is not known. */
export function isBetween({ actionId }: SizeChange, before: Owing, after: Owing): boolean {
  if (actionId === undefined || before.actionId === undefined || after.actionId === undefined) return false;
  return compareIds(actionId, before.actionId) > 0 && compareIds(actionId, after.actionId) <= 0;
}

/** Returns the newest fill that the position includes; undefined if none is known. `fills`: in their order at the exchange. */
export const newestFillIn = ({ market, actionId: newest }: Owing, fills: readonly SizeChange[]): SizeChange | undefined =>
  newest === undefined
    ? undefined
    : fills.findLast((fill) => fill.market === market && fill.actionId !== undefined && compareIds(fill.actionId, newest) <= 0);

/** The positions of two accounts. */
export interface Between {
  readonly before: Owing;
  readonly after: Owing;
  /** True if accounts between them show the market flat. */
  readonly isReopened: boolean;
}

export interface SettlementParts {
  /** Undefined for a market that the run does not trade. */
  readonly market: Market | undefined;
  /** In their order at the exchange. */
  readonly fills: readonly SizeChange[];
  readonly payments: PaymentTimes | undefined;
}

/**
 * Returns the funding that was settled between two positions, in millionths of the quote token; positive if earned. Each fill settles what is owed on
 * the size until then, rounded down.
 * - If all fills between the two are known, each payment counts on the size at its time. The payments share the move of the index equally, because the
 *   index shows only their sum.
 * - If a fill is not read yet, the whole move counts on the earlier size.
 * - If no payment came after the earlier account, what it owed is what was settled.
 *
 * Example: a short of 2 units, a payment, 1 unit bought, another payment, 1 unit bought. If the index has moved by 0.02, each payment was 0.01 a unit:
 * 2 × 0.01 + 1 × 0.01 = 0.03 was settled.
 */
export function settledBetween({ before, after, isReopened }: Between, { market, fills, payments }: SettlementParts): number {
  const owed = before.fundingPaymentPnl;
  if (before.fundingIndex === undefined) return 0;
  const moved = (after.fundingIndex ?? before.fundingIndex) - before.fundingIndex; // a flat position may show none
  if (moved === 0) return before.size === after.size && before.entry === after.entry ? 0 : owed;
  if (market === undefined || payments === undefined) return owed;
  const onFirstSize = earned(market, before.size, moved);
  const between = fills.filter((fill) => isBetween(fill, before, after));
  const counts = paymentsBefore(between, {
    from: unpaidFrom(before, { after, fills: between, payments, settled: newestFillIn(before, fills) }),
    payments,
  });
  const paid = counts.reduce((sum, count) => sum + count, 0);
  const areKnown = before.size + sizeOf(between) === after.size;
  const isOwedOnly = Math.abs(onFirstSize - owed) < 2; // the move is what was owed already, within the exchange's rounding
  if (paid === 0 || !areKnown) return isOwedOnly || isReopened ? owed : onFirstSize;
  if (owed !== 0 && isOwedOnly) return owed; // the payment is older than the earlier account
  const owedMove = owed === 0 ? 0 : -owed / MICROS_PER_UNIT / market.size(before.size);
  const perPayment = (moved - owedMove) / paid;
  let [size, settled] = [before.size as number, 0];
  for (const [index, fill] of between.entries()) {
    const count = counts[index] ?? 0;
    const isOwed = index === 0 && owed !== 0;
    if (count > 0) settled += earned(market, size as Lots, perPayment * count + (isOwed ? owedMove : 0));
    else if (isOwed) settled += owed;
    size += signOf(fill.side) * fill.size;
  }
  return settled;
}

interface UnpaidParts {
  readonly after: Owing;
  readonly fills: readonly SizeChange[];
  readonly payments: PaymentTimes;
  /** The newest fill in the earlier position, if it is known: it settled what was owed, and the account was read after it. */
  readonly settled: SizeChange | undefined;
}

/**
 * Returns the exchange time after which payments are not part of what the earlier position owed; undefined if it is not known. What it owed includes
 * one payment, the first after its funding index and its newest fill.
 */
function unpaidFrom(before: Owing, { after, fills, payments, settled }: UnpaidParts): Millis | undefined {
  const readAt = latest(readTimeOf(before.asked, { after, fills }), settled?.time);
  const indexedAt = before.fundingPaymentPnl === 0 ? undefined : (settled?.time ?? readTimeOf(before.indexedFrom, { after, fills }));
  return readAt === undefined || indexedAt === undefined ? readAt : Math.max(readAt, payments.after(indexedAt));
}

const latest = (one: Millis | undefined, other: Millis | undefined): Millis | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);

/**
 * Returns the earliest exchange time at which the account requested at `asked` can have been read: the later account was read after the last fill, and
 * the two requests are as far apart by the exchange's clock as by ours. Undefined if it is not known.
 */
function readTimeOf(asked: Millis | undefined, { after, fills }: Pick<UnpaidParts, 'after' | 'fills'>): Millis | undefined {
  const last = fills.at(-1);
  if (asked === undefined || after.asked === undefined || last === undefined) return undefined;
  return last.time - Math.max(0, after.asked - asked);
}

/** Returns for each fill the number of payments since the fill before it; for the first fill, since `from`. */
function paymentsBefore(
  fills: readonly SizeChange[],
  { from, payments }: { readonly from: Millis | undefined; readonly payments: PaymentTimes },
): readonly number[] {
  let last = from;
  return fills.map(({ time }) => {
    const count = last === undefined ? 0 : payments.count(last, time - 1);
    last = time - 1;
    return count;
  });
}

const sizeOf = (fills: readonly SizeChange[]): number => fills.reduce((sum, { side, size }) => sum + signOf(side) * size, 0);

/** Parts of a millionth in which the index of an exchange counts. */
const PARTS = 1e6;

/** Returns what a size earns if the index moves, rounded down. */
function earned(market: Market, size: Lots, moved: number): number {
  return Math.floor(Math.round(-market.size(size) * moved * MICROS_PER_UNIT * PARTS) / PARTS);
}
