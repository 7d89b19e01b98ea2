// An RxJS scheduler that takes its time from a Clock. All operators in this folder use it.
import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import type { Clock, Millis } from '../clock.ts';

/** A scheduler whose `now` and delays are the clock's. Work without a delay runs right after its caller has returned, never inside it. */
export function schedulerFrom(clock: Clock): SchedulerLike {
  return {
    now: () => clock.now(),
    schedule: <T>(work: Work<T>, delay?: Millis, state?: T) => new ClockAction(clock, work).schedule(state, delay),
  };
}

type Work<T> = (this: SchedulerAction<T>, state?: T) => void;

/** One piece of work. It may schedule itself again, which replaces the run that was due. */
class ClockAction<T> extends Subscription implements SchedulerAction<T> {
  readonly #clock: Clock;
  readonly #work: Work<T>;
  #due: Subscription | undefined;

  constructor(clock: Clock, work: Work<T>) {
    super();
    this.#clock = clock;
    this.#work = work;
  }

  schedule(state?: T, delay: Millis = 0): Subscription {
    if (this.closed) return this;
    this.#due?.unsubscribe();
    const due = new Subscription(this.#clock.at(this.#clock.now() + delay, () => this.#run(due, state)));
    this.#due = due;
    this.add(due);
    return this;
  }

  #run(due: Subscription, state: T | undefined): void {
    due.unsubscribe();
    this.remove(due);
    if (this.#due === due) this.#due = undefined;
    this.#work(state);
    if (this.#due === undefined) this.unsubscribe();
  }
}
