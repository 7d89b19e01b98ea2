// The losses that stops act by: since midnight, from the highest profit, and in each of the last hours, by the exchange's time in UTC.

/** One reading, both figures in millionths of the quote token. */
export interface Reading {
  /** Profit since the run began. */
  readonly profit: number;
  /** The value of the account. */
  readonly equity: number;
}

/** The state that a later process continues from. Profits are as in `Reading`; absent ones count from the next reading. */
export interface LossCarry {
  /** UTC days and hours since 1970. */
  readonly day: number;
  readonly hour: number;
  /** The profit at the start of the day, at the start of the hour, at its peak, and at the last reading. */
  readonly dayOpening?: number | undefined;
  readonly hourOpening?: number | undefined;
  readonly peak?: number | undefined;
  readonly last?: number | undefined;
  /** The change in each finished hour, as a fraction of the account's value, newest last. */
  readonly hours: readonly number[];
  /** The stops that have acted since the run was last resumed by a person. */
  readonly stopped: readonly string[];
  /** True if a person has resumed the run after a stop and it is not known yet which stops are reset. */
  readonly resumed?: true | undefined;
}

/** `amount` in millionths of the quote token; `share` as a fraction of the account's value before the loss. Both are 0 if nothing was lost. */
export interface Loss {
  readonly amount: number;
  readonly share: number;
}

export const DAILY_LOSS = 'daily-loss';
export const DRAWDOWN = 'drawdown';
export const LOSING_HOURS = 'losing-hours';
/** The names of the stops that act by a loss. */
export const STOPS_BY_LOSS: ReadonlySet<string> = new Set([DAILY_LOSS, DRAWDOWN, LOSING_HOURS]);

const HOUR = 3_600;
const DAY = 24 * HOUR;
const HOURS_KEPT = 7 * 24;
/** The state before the first reading. Every day and hour is later. */
export const NO_LOSSES: LossCarry = { day: -1, hour: -1, hours: [], stopped: [] };

export class Losses {
  /** The last two readings. The median of three is used, so that a single wrong price is neither a loss nor a peak. */
  #beforeLast: Reading | undefined;
  #last: Reading | undefined;
  #state = NO_LOSSES;
  #steady: Reading | undefined;

  /** Must be called before any reading. */
  resume(carry: LossCarry): void {
    this.#state = carry;
  }

  /** Returns what a restart needs to continue the counts; undefined before the first three readings of a run. */
  carry(): LossCarry | undefined {
    return this.#state.last === undefined ? undefined : this.#state;
  }

  /** Records that a stop has acted, by its name. Its count is reset when a person resumes. */
  stopped(name: string): void {
    const { stopped } = this.#state;
    if (STOPS_BY_LOSS.has(name) && !stopped.includes(name)) this.#state = { ...this.#state, stopped: [...stopped, name] };
  }

  /** True after the command `resume` until `countAnew`. No stop acts meanwhile. */
  get isResumed(): boolean {
    return this.#state.resumed === true;
  }

  /** True once three readings have been taken, so that losses are known. */
  get isSteady(): boolean {
    return this.#steady !== undefined;
  }

  /** Resets these stops: they count from the newest reading on. All others continue. */
  countAnew(stops: readonly string[]): void {
    const { profit } = this.#steady ?? {};
    this.#state = { ...begunAnew(this.#state, stops, profit), resumed: undefined };
  }

  /**
   * Takes a reading. `now` is the exchange's time in seconds. If that time goes back, no day or hour starts twice. `opening`: the profit at the start of
   * the run if it is known for certain; otherwise the first day and hour count from the first readings.
   */
  see(reading: Reading, now: number, opening?: number): void {
    const first = this.#beforeLast;
    const second = this.#last;
    this.#beforeLast = second;
    this.#last = reading;
    if (first === undefined || second === undefined) return;
    this.#steady = {
      profit: medianOf(first.profit, second.profit, reading.profit),
      equity: medianOf(first.equity, second.equity, reading.equity),
    };
    this.#state = stateAfter(this.#state, this.#steady, { now, opening });
  }

  /** The profit at the start of the day, or when the daily loss was reset; undefined before the first readings. */
  get dayOpening(): number | undefined {
    return this.#state.dayOpening;
  }

  get today(): Loss | undefined {
    return this.#lossSince(this.#state.dayOpening);
  }

  get fromPeak(): Loss | undefined {
    return this.#lossSince(this.#state.peak);
  }

  /** Returns how many of the newest finished hours in a row each lost more than this fraction of the account. */
  hoursLost(minShare: number): number {
    const { hours } = this.#state;
    const lastOther = hours.findLastIndex((change) => change >= -minShare); // -1 if every hour lost more
    return hours.length - 1 - lastOther;
  }

  #lossSince(opening: number | undefined): Loss | undefined {
    if (this.#steady === undefined || opening === undefined) return undefined;
    const amount = Math.max(0, opening - this.#steady.profit);
    return { amount, share: shareOf(amount, this.#steady.equity) };
  }
}

/** Returns the state for the next process after a person has resumed the run: each stop that had acted is reset. */
export function resumedByPerson(carry: LossCarry): LossCarry {
  const { stopped } = carry;
  return stopped.length === 0 ? carry : { ...begunAnew(carry, stopped, undefined), stopped: [], resumed: true };
}

/** Resets the counts of these stops. Without a profit, they count from the first reading. */
const begunAnew = (carry: LossCarry, stops: readonly string[], profit: number | undefined): LossCarry => ({
  ...carry,
  ...(stops.includes(DAILY_LOSS) && { dayOpening: profit }),
  ...(stops.includes(DRAWDOWN) && { peak: profit }),
  ...(stops.includes(LOSING_HOURS) && { hours: [] }),
});

interface ReadAt {
  readonly now: number;
  readonly opening: number | undefined;
}

/**
 * Returns the state after a reading. A new day or hour opens at the profit of the previous reading. Example: a profit of 5 at 23:59 and of 3 at 00:00: the new
 * day opens at 5, and has lost 2.
 */
function stateAfter(state: LossCarry, { profit, equity }: Reading, { now, opening = profit }: ReadAt): LossCarry {
  const day = Math.floor(now / DAY);
  const hour = Math.floor(now / HOUR);
  const { last = opening } = state;
  const isNewDay = day > state.day;
  const hourly = hour <= state.hour && state.hourOpening !== undefined ? state : hourAfter(state, { hour, last, equity });
  return {
    // Field by field, because this runs at every poll of live info and a spread costs two microseconds on Node 20.
    day: isNewDay ? day : state.day,
    hour: hourly.hour,
    hours: hourly.hours,
    stopped: state.stopped,
    resumed: state.resumed,
    dayOpening: isNewDay ? last : (state.dayOpening ?? profit),
    hourOpening: hourly.hourOpening,
    peak: Math.max(state.peak ?? profit, profit),
    last: profit,
  };
}

function hourAfter(
  { hour: before, hourOpening, hours }: LossCarry,
  { hour, last, equity }: { hour: number; last: number; equity: number },
): Pick<LossCarry, 'hour' | 'hourOpening' | 'hours'> {
  if (hour <= before) return { hour: before, hourOpening: hourOpening ?? last, hours };
  if (hourOpening === undefined) return { hour, hourOpening: last, hours };
  const change = last - hourOpening;
  const share = change < 0 ? -shareOf(-change, equity) : shareOf(change, equity);
  return { hour, hourOpening: last, hours: [...hours, share].slice(-HOURS_KEPT) };
}

/** Returns the loss as a fraction of the account's value before the loss; 1 if nothing is left. */
function shareOf(amount: number, equity: number): number {
  if (amount === 0) return 0;
  return equity <= 0 ? 1 : amount / (equity + amount);
}

const medianOf = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
