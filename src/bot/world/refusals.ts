// Notices that the exchange refuses one action after another with the same error: waiting does not end that, a person has to.
import type { Millis } from '../../base/clock.ts';
import type { CancelAnswered, HealthSeen, OrderOpened, OrderRejected } from '../domain/event.ts';
import { isNotSent } from '../domain/order.ts';
import type { Alarms } from './alarms.ts';

/** Number of equal refusals in a row that are reported, and that raise an alarm if they took at least `ALARM_AFTER`. */
const REPORTED = 5;
const ALARMING = 20;
const ALARM_AFTER: Millis = 10_000;

/** Refusals are no longer reported when this time has gone without another action: what holds now is not known. */
const FORGOTTEN_AFTER: Millis = 60_000;

interface Series {
  readonly error: string;
  readonly since: Millis;
  readonly newest: Millis;
  readonly count: number;
  readonly isAlarmed: boolean;
}

export class Refusals {
  readonly #alarms: Alarms;
  #series: Series | undefined;
  /** True while the actions count as unhealthy, also if another error has followed since. */
  #isReported = false;

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  /** Returns the new health of our actions if the answer changes it. Actions that were not sent, or got no definite answer, count as nothing. */
  answered(event: OrderOpened | OrderRejected | CancelAnswered): HealthSeen | undefined {
    if (event.kind === 'orderRejected') return this.#refused(event.error, event.at);
    if (event.kind === 'orderOpened' || event.outcome === 'cancelled' || event.outcome === 'queued') return this.#accepted(event.at);
    return event.outcome === 'refused' ? this.#refused(event.reason ?? 'an unnamed error', event.at) : undefined;
  }

  /** Returns the new health of our actions if they were refused long ago, and nothing was sent since. */
  passed(now: Millis): HealthSeen | undefined {
    if (!this.#isReported || this.#series === undefined || now < this.#series.newest + FORGOTTEN_AFTER) return undefined;
    [this.#series, this.#isReported] = [undefined, false];
    return { kind: 'healthSeen', at: now, stream: 'actions', healthy: true, reason: 'no action was refused for a minute' };
  }

  #accepted(at: Millis): HealthSeen | undefined {
    const wasReported = this.#isReported;
    [this.#series, this.#isReported] = [undefined, false];
    return wasReported ? { kind: 'healthSeen', at, stream: 'actions', healthy: true, reason: 'the exchange accepts actions' } : undefined;
  }

  #refused(error: string, at: Millis): HealthSeen | undefined {
    if (isNotSent(error) || error === 'NEVER_ADMITTED') return undefined;
    const before = this.#series?.error === error ? this.#series : { error, since: at, newest: at, count: 0, isAlarmed: false };
    const count = before.count + 1;
    const isAlarming = !before.isAlarmed && count >= ALARMING && at >= before.since + ALARM_AFTER;
    this.#series = { ...before, newest: at, count, isAlarmed: before.isAlarmed || isAlarming };
    const reason = `the exchange has refused ${count} actions in a row with ${error}, and accepted none in between`;
    if (isAlarming)
      this.#alarms.raise({
        name: 'refusals',
        reason: `${reason}: look up this error, check key, schema and funds, and stop the run if it goes on`,
      });
    if (count < REPORTED) return undefined;
    this.#isReported = true;
    return { kind: 'healthSeen', at, stream: 'actions', healthy: false, reason };
  }
}
