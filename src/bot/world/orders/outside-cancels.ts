// Notices that orders of ours leave the book unfilled and without our cancel: another program, a person or the exchange cancels them.
import type { Millis } from '../../../base/clock.ts';
import type { AccountSeen, HealthSeen } from '../../domain/event.ts';
import type { Order } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';

const WITHIN: Millis = 60_000;
/** This many outside cancels within a minute are reported. */
const REPORTED = 3;
/** This many in a row raise an alarm, if each came within a minute of the one before. */
const ALARMING = 10;
/** With less margin than this multiple of the cancel level, or of the maintenance level if there is no cancel level, the exchange may have cancelled them. */
const NEAR = 1.25;

export class OutsideCancels {
  readonly #alarms: Alarms;
  /** Times of the newest outside cancels; at most REPORTED are kept. */
  #ends: readonly Millis[] = [];
  /** Number of outside cancels in a row, each within a minute of the one before. */
  #count = 0;
  #isReported = false;
  /** When an account last showed so little margin that the exchange may have cancelled orders. */
  #shortOfMargin: Millis | undefined;

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  accountSeen({ account: { margins }, at }: AccountSeen): void {
    const { mf, mmf, cmf = mmf, bankruptcy } = margins;
    if (bankruptcy || (cmf > 0 && mf < cmf * NEAR)) this.#shortOfMargin = at;
  }

  /** Called for an order that was proved gone, unfilled, without a cancel of ours. */
  ended({ market }: Order, at: Millis): void {
    this.#count = this.#isQuiet(at) ? 1 : this.#count + 1;
    this.#ends = [...this.#ends.slice(1 - REPORTED), at];
    if (this.#count === ALARMING) this.#alarms.raise({ name: 'outside-cancels', market, reason: this.#reason(at) });
  }

  /** Returns the new health of our orders if it has changed. */
  changed(at: Millis): HealthSeen | undefined {
    if (this.#ends.length === 0) return undefined;
    const isReported = this.#isReported ? !this.#isQuiet(at) : this.#ends.filter((end) => end > at - WITHIN).length >= REPORTED;
    if (isReported === this.#isReported) return undefined;
    this.#isReported = isReported;
    const reason = isReported ? this.#reason(at) : 'no order of ours was cancelled by others for a minute';
    return { kind: 'healthSeen', at, stream: 'orders', healthy: !isReported, reason };
  }

  #isQuiet(at: Millis): boolean {
    return (this.#ends.at(-1) ?? Number.NEGATIVE_INFINITY) <= at - WITHIN;
  }

  #reason(at: Millis): string {
    const what = `${this.#count} orders of ours left the book unfilled and without our cancel`;
    return this.#shortOfMargin !== undefined && this.#shortOfMargin > at - WITHIN
      ? `${what}, while the account was short of margin: the exchange cancels orders then; reduce the position or add funds`
      : `${what}: another program or person cancels our orders on this account (for example a bot with --cancel-foreign); stop it, or give each bot its own account`;
  }
}
