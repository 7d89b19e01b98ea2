// Hourly funding: longs pay shorts while the mark price is above the centre of the scripted price.
import type { Account } from '../accounts.ts';
import { type Listing, notional } from '../market.ts';
import type { MarkHistory } from './mark-history.ts';

export interface FundingRate {
  readonly listing: Listing;
  /** Engine milliseconds. */
  readonly at: number;
  /** A fraction of the notional. */
  readonly rate: number;
  /** Funding paid by a long position of one base unit since the start, in quote. */
  readonly index: number;
}

/** `payment` in millionths of the quote token; positive if the account paid. */
export interface FundingPayment extends FundingRate {
  readonly payment: number;
}

const HOUR_MS = 3_600_000;
const HOURS_OF_HISTORY = 60;
/** Assumed total of all long positions, in base units. */
const OPEN_INTEREST = 25;

export class Funding {
  /** Oldest first. */
  readonly rates: FundingRate[] = [];
  /** Oldest first. */
  readonly payments: FundingPayment[] = [];
  readonly #account: Account;
  readonly #markHistories: readonly MarkHistory[];
  #lastHour: number;

  constructor({ account, markHistories, startedAt }: { account: Account; markHistories: readonly MarkHistory[]; startedAt: number }) {
    this.#account = account;
    this.#markHistories = markHistories;
    this.#lastHour = (Math.floor(startedAt / HOUR_MS) - HOURS_OF_HISTORY) * HOUR_MS;
    while (this.dueAt <= startedAt) this.settleHour();
  }

  /** Time of the next funding, in engine milliseconds. */
  get dueAt(): number {
    return this.#lastHour + HOUR_MS;
  }

  /** Computes the rates of the hour and charges every position. */
  settleHour(): void {
    this.#lastHour = this.dueAt;
    for (const markHistory of this.#markHistories) this.#pay(markHistory);
  }

  #pay(markHistory: MarkHistory): void {
    const { listing } = markHistory;
    const ticks = markHistory.markAt(this.#lastHour / 1_000);
    const price = ticks / 10 ** listing.priceDecimals;
    const rate = Number(((price / listing.around - 1) / 24).toFixed(9));
    const before = this.rates.findLast((earlier) => earlier.listing === listing)?.index ?? 0;
    const paid: FundingRate = { listing, at: this.#lastHour, rate, index: before + rate * price };
    this.rates.push(paid);
    const size = this.#account.sizeIn(listing);
    if (size === 0) return;
    const payment = Math.round(notional(listing, ticks, size) * rate);
    this.#account.balance -= payment;
    this.payments.push({ ...paid, payment });
  }
}

/** Returns the funding paid between all traders, in quote. */
export const collectedFunding = ({ listing, rate }: FundingRate): number => Math.abs(rate) * listing.around * OPEN_INTEREST;
