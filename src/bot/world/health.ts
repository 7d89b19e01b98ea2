// The unhealthy streams with their reasons, the session, and the last clock jump.
import type { Millis } from '../../base/clock.ts';
import type { CancelAnswered, ClockJumped, HealthSeen, OrderOpened, OrderRejected, SessionSeen } from '../domain/event.ts';
import type { Alarms } from './alarms.ts';
import { TimeCheck } from './market/time-check.ts';
import { Refusals } from './refusals.ts';
import type { Revisions } from './revisions.ts';

/** A session that is reported within this time belongs to the start. */
const START: Millis = 60_000;

export class Health {
  readonly #unhealthy = new Map<string, HealthSeen>();
  #list: readonly HealthSeen[] | undefined;
  readonly #revisions: Revisions;
  /** The time of the first event. */
  began: Millis | undefined;
  session: SessionSeen | undefined;
  jumped: ClockJumped | undefined;

  readonly #refusals: Refusals;
  readonly #alarms: Alarms;
  #hasSeenSessions = false;
  #found: HealthSeen[] | undefined;
  readonly timeCheck: TimeCheck;

  constructor(revisions: Revisions, alarms: Alarms) {
    this.#revisions = revisions;
    this.#alarms = alarms;
    this.#refusals = new Refusals(alarms);
    this.timeCheck = new TimeCheck(alarms);
  }

  /** The same list until one changes. */
  unhealthy(): readonly HealthSeen[] {
    this.#list ??= [...this.#unhealthy.values()];
    return this.#list;
  }

  apply(event: HealthSeen | SessionSeen | ClockJumped): void {
    if (event.kind === 'healthSeen') this.#applyHealth(event);
    else if (event.kind === 'sessionSeen') this.session = event;
    else this.jumped = event;
  }

  /** Applies a change of health that the world has found itself. Does nothing if it is undefined. */
  applyOwn(changed: HealthSeen | undefined): void {
    if (changed === undefined) return;
    this.#found = [...(this.#found ?? []), changed];
    this.#applyHealth(changed);
  }

  /** Returns the changes that the world has found itself since the last call; undefined if there are none. */
  takeFound(): readonly HealthSeen[] | undefined {
    const found = this.#found;
    this.#found = undefined;
    return found;
  }

  answered(event: OrderOpened | OrderRejected | CancelAnswered): void {
    this.applyOwn(this.#refusals.answered(event));
  }

  /** Called with the time of each account. */
  timePassed(now: Millis): void {
    this.applyOwn(this.#refusals.passed(now));
  }

  /** Another session that lives at the start is only reported; one that appears later also raises an alarm. */
  #sessionsSeen({ at, healthy, reason }: HealthSeen): void {
    const isLater = this.#hasSeenSessions || at > (this.began ?? at) + START;
    if (isLater && !healthy) this.#alarms.raise({ name: 'session', reason });
    this.#hasSeenSessions = true;
  }

  #applyHealth(event: HealthSeen): void {
    if (event.stream === 'sessions') this.#sessionsSeen(event);
    if (event.stream === 'numbering' && !event.healthy) this.#alarms.raise({ name: 'account-numbers', reason: event.reason });
    if (event.alarm === true) this.#alarms.raise({ name: event.stream, reason: event.reason });
    const key = `${event.stream}/${event.market ?? ''}`;
    this.#list = undefined;
    if (event.healthy) this.#unhealthy.delete(key);
    else this.#unhealthy.set(key, event);
    this.#revisions.markChanged('health');
  }
}
