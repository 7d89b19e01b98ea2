// The money of a run so far, as the world sums it (`bot/world/position/accounting.ts`) and every display shows it.
import { type Micros, micros } from '../numbers.ts';

/** Money is in millionths of the quote token. */
export interface RunTotals {
  /** Realised and unrealised, after fees, with funding, as the loss limits count it. */
  readonly profit: Micros;
  /** The part of it since 00:00 UTC by the exchange's time, or since a person resumed the run after the daily loss stopped it. */
  readonly today: Micros;
  /**
   * The part of closed positions, against their average entry, before fees and without funding. Absent while the average entry is not known: after a
   * restart from a journal of an earlier version, until a mark price comes, which then counts as the entry.
   */
  readonly realised?: Micros | undefined;
  /** Positive if charged. */
  readonly fees: Micros;
  /** Positive if earned. */
  readonly funding: Micros;
  readonly volume: Micros;
  /** Number of trades. */
  readonly fills: number;
  /** Number of fills that count with a substitute for an impossible price or fee. */
  readonly provisional: number;
}

/** The part of the totals that is known to be of one market. */
export type MarketTotals = Pick<RunTotals, 'profit' | 'fees' | 'funding' | 'volume' | 'fills'>;

const NOTHING = micros(0);

/** The totals of a run that has not traded. */
export const NO_TOTALS: RunTotals = {
  profit: NOTHING,
  today: NOTHING,
  realised: NOTHING,
  fees: NOTHING,
  funding: NOTHING,
  volume: NOTHING,
  fills: 0,
  provisional: 0,
};

export const areTotalsEqual = (one: RunTotals, other: RunTotals): boolean =>
  one.profit === other.profit &&
  one.today === other.today &&
  one.realised === other.realised &&
  one.fees === other.fees &&
  one.funding === other.funding &&
  one.volume === other.volume &&
  one.fills === other.fills &&
  one.provisional === other.provisional;
