// Compares the time that the exchange's clock shows with the other times that its answers have: the Date header, and the times of new trades.
import type { Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { FillsSeen, HealthSeen, TimeSeen, TradesSeen } from '../../domain/event.ts';
import type { Alarms } from '../alarms.ts';

/** Seconds by which two times may differ: trades are listed late, and bytes are refused beyond a minute. */
const TOLERANCE = 60;
const REPORTED_AFTER: Millis = 30_000;
const ALARM_AFTER: Millis = 120_000;
/** A trade is compared only this long after it was listed. */
const TRADE_COUNTS_FOR: Millis = 20_000;

interface Difference {
  readonly since: Millis;
  readonly isReported: boolean;
  readonly isAlarmed: boolean;
}

interface OtherTime {
  readonly source: string;
  readonly seconds: number;
}

export class TimeCheck {
  readonly #alarms: Alarms;
  #trade: { readonly time: Millis; readonly at: Millis } | undefined;
  #difference: Difference | undefined;

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  /** Called for new trades, of the market or ours; the newest is last. */
  traded({ at }: TradesSeen | FillsSeen, newest: { readonly time: Millis } | undefined): void {
    if (newest !== undefined) this.#trade = { time: newest.time, at };
  }

  /** Returns the new health of the exchange's clock if it has changed. The clock counts as healthy if there is no other time to compare it with. */
  seen(event: TimeSeen): HealthSeen | undefined {
    if (event.isOwn === true) return undefined;
    const { at, engineSeconds } = event;
    const other = this.#otherTimes(event).find(({ seconds }) => Math.abs(seconds - engineSeconds) > TOLERANCE);
    const before = this.#difference;
    if (other === undefined) {
      this.#difference = undefined;
      if (before?.isReported !== true) return undefined;
      return { kind: 'healthSeen', at, stream: 'clock', healthy: true, reason: "the exchange's clock agrees with its other times" };
    }
    const { since, isReported, isAlarmed } = before ?? { since: at, isReported: false, isAlarmed: false };
    const reason = `the exchange's clock says ${timeText(engineSeconds * 1_000)}, but ${other.source} ${timeText(other.seconds * 1_000)}`;
    const isAlarming = at >= since + ALARM_AFTER;
    if (isAlarming && !isAlarmed)
      this.#alarms.raise({
        name: 'clock',
        reason: `${reason}, for two minutes: actions signed with a wrong time are refused, or live longer than assumed; ask the exchange which is right, and stop the run if it goes on`,
      });
    this.#difference = { since, isReported: at >= since + REPORTED_AFTER, isAlarmed: isAlarming };
    return isReported || !this.#difference.isReported ? undefined : { kind: 'healthSeen', at, stream: 'clock', healthy: false, reason };
  }

  /** The other times at the moment of the request. */
  #otherTimes({ asked, dateSeconds }: TimeSeen): readonly OtherTime[] {
    const others: OtherTime[] = [];
    if (dateSeconds !== undefined) others.push({ source: 'the Date header of its answers', seconds: dateSeconds });
    const trade = this.#trade;
    if (trade !== undefined && asked <= trade.at + TRADE_COUNTS_FOR)
      others.push({ source: 'its newest trades', seconds: (trade.time + asked - trade.at) / 1_000 });
    return others;
  }
}
