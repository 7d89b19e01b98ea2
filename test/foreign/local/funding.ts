// Funding on the hour: longs pay shorts while the mark price stands above what the script swings around.
import type { Account } from '../accounts.ts';
import { type Listing, notional } from '../market.ts';
import type { Chart } from './candles.ts';

export interface FundingRate {
  readonly listing: Listing;
  /** Engine milliseconds. */
  readonly at: number;
  /** A fraction of the notional. */
  readonly rate: number;
  /** What a long of one base unit has paid since the beginning, in quote. */
  readonly index: number;
}

/** `payment` in millionths of the quote token: what the account paid, negative where it was paid. */
export interface FundingPayment extends FundingRate {
  readonly payment: number;
}

const HOUR_MS = 3_600_000;
const HOURS_OF_HISTORY = 60;
/** Base units that all longs together are taken to hold. */
const OPEN_INTEREST = 25;

export class Funding {
  /** The oldest first. */
  readonly rates: FundingRate[] = [];
  /** The oldest first. */
  readonly payments: FundingPayment[] = [];
  readonly #account: Account;
  readonly #charts: readonly Chart[];
  #lastHour: number;

  constructor({ account, charts, startedAt }: { account: Account; charts: readonly Chart[]; startedAt: number }) {
    this.#account = account;
    this.#charts = charts;
    this.#lastHour = (Math.floor(startedAt / HOUR_MS) - HOURS_OF_HISTORY) * HOUR_MS;
    while (this.dueAt <= startedAt) this.keep();
  }

  /** The next hour, in engine milliseconds. */
  get dueAt(): number {
    return this.#lastHour + HOUR_MS;
  }

  /** Ends the hour: every position pays or is paid. */
  keep(): void {
    this.#lastHour = this.dueAt;
    for (const chart of this.#charts) this.#pay(chart);
  }

  #pay(chart: Chart): void {
    const { listing } = chart;
    const ticks = chart.markAt(this.#lastHour / 1_000);
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

/** Quote that changed hands. */
export const collectedBy = ({ listing, rate }: FundingRate): number => Math.abs(rate) * listing.around * OPEN_INTEREST;
