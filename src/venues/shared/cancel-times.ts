// The times to sign with while an exchange refuses the time that its own clock shows: other times are tried in turn, with one cancel at a time.
// For exchanges that refuse an action by its signed time. No order is placed with these times, and they prove nothing: a late cancel does no harm.
import { type Clock, type Millis, sleep } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import type { HealthSeen } from '../../bot/domain/event.ts';

/** The guesses: up to 15 minutes before and after a known time. Signed times are accepted within a minute of the true one. */
const STEP = 60;
const GUESSES = Array.from({ length: 15 }, (_, n) => [STEP * (n + 1), -STEP * (n + 1)]).flat();
/** The pause before each guess. */
const BETWEEN_GUESSES: Millis = 250;
/** After this long without an answer, another action may try the times. */
const PATIENCE: Millis = 3_000;
/** When all times were refused, they are tried again after this time. */
const AGAIN_AFTER: Millis = 30_000;
/** Times this close, in seconds, count as one. */
const SAME = 5;
/** A clock agrees with an accepted time that differs by no more than this, in seconds. */
const AGREES = 60;
const BETWEEN_ALARMS: Millis = 600_000;

/** What an answer says about the time that was signed. `unclear`: nothing. */
export type TimeVerdict = 'accepted' | 'refused' | 'unclear';

export interface CancelTimesOptions {
  readonly clock: Clock;
  /** The seconds to sign with by the exchange's own clock. */
  readonly heard: (now: Millis) => number;
  /** Other known times in seconds, such as those of Date headers and trades. Our own clock need not be among them. */
  readonly others: (now: Millis) => readonly (number | undefined)[];
  /** Reads what `others` returns, before other times are tried. Never rejects. */
  readonly readOthers?: (() => Promise<void>) | undefined;
  /** Called when the exchange refuses the time of its own clock, and when it accepts that again. */
  readonly report?: ((health: Pick<HealthSeen, 'healthy' | 'reason' | 'alarm'>) => void) | undefined;
}

/** Signs an action for a time, sends it, and reads the answer. */
export interface TimedAction<T> {
  readonly send: (seconds: number) => Promise<T>;
  readonly verdictOf: (answer: T) => TimeVerdict;
}

/** A time to try. */
interface Candidate {
  readonly seconds: number;
  readonly isGuess: boolean;
}

/** An accepted time that the exchange's clock did not show, and what that showed then: both as seconds ahead of our clock. */
interface Accepted {
  readonly ahead: number;
  readonly heardAhead: number;
  readonly since: Millis;
}

export class CancelTimes {
  readonly #options: CancelTimesOptions;
  /** Undefined while the time of the exchange's clock is accepted. */
  #accepted: Accepted | undefined;
  /** The refused times, as seconds ahead of our clock, and when they count no longer. */
  #refused: number[] = [];
  #refusedUntil: Millis = 0;
  /** The action with which other times are being tried now. */
  #triedWith: object | undefined;
  #isReported = false;
  /** For one time that was refused, and for all. */
  readonly #nextAlarm = { one: 0, all: 0 };

  constructor(options: CancelTimesOptions) {
    this.#options = options;
  }

  /** Returns the seconds to sign a cancel with. */
  at(now: Millis): number {
    return this.acceptedAt(now) ?? this.#options.heard(now);
  }

  /** Returns the accepted time in seconds, else undefined. If the exchange's clock agrees, it is used again once it has moved, or after a while. */
  acceptedAt(now: Millis): number | undefined {
    if (this.#accepted === undefined) return undefined;
    const { ahead, heardAhead, since } = this.#accepted;
    const heardNow = this.#options.heard(now) - now / 1_000;
    const mayBeRight = Math.abs(heardNow - heardAhead) > SAME || now >= since + AGAIN_AFTER;
    return mayBeRight && Math.abs(heardNow - ahead) <= AGREES ? undefined : Math.floor(now / 1_000 + ahead);
  }

  /** Returns to the exchange's clock if that has moved to the accepted time. */
  settle(now: Millis): void {
    if (this.#accepted === undefined || this.acceptedAt(now) !== undefined) return;
    this.#accepted = undefined;
    this.#reportAgreement();
  }

  /**
   * Sends an action that is signed for `seconds`. While its time is refused, sends it again with the next candidate. Rejects with a ClientError `notSent`
   * while times are being tried with another action, and when every candidate was refused a short while ago.
   */
  async send<T>(seconds: number, action: TimedAction<T>): Promise<T> {
    const { clock } = this.#options;
    const now = clock.now();
    if (this.#triedWith !== undefined) throw notSent('its time is refused, and other times are being tried with another action');
    if (now >= this.#refusedUntil) this.#refused = [];
    if (this.#isRefused(seconds, now)) {
      const next = this.#nextCandidate();
      if (next === undefined)
        throw notSent(`the exchange refuses every time; tried again in ${Math.ceil((this.#refusedUntil - now) / 1_000)} s`);
      return this.#tryCandidates(action, { first: next });
    }
    const answer = await action.send(seconds);
    const verdict = this.#judge(seconds, now, action.verdictOf(answer));
    return verdict === 'refused' && this.#triedWith === undefined ? this.#tryCandidates(action, { answer }) : answer;
  }

  /** Tries one time after the other, until one is not refused. Returns the last answer. */
  async #tryCandidates<T>(action: TimedAction<T>, start: { readonly first: Candidate } | { readonly answer: T }): Promise<T> {
    const { clock, readOthers } = this.#options;
    this.#triedWith = action;
    try {
      await readOthers?.();
      let answer = 'answer' in start ? start.answer : await this.#try(action, start.first);
      while (action.verdictOf(answer) === 'refused' && this.#triedWith === action) {
        const candidate = this.#nextCandidate();
        if (candidate === undefined) {
          this.#reportRefusal('all', 'and every other that was tried: cancel the orders on its own page');
          break;
        }
        if (candidate.isGuess) await sleep(clock, BETWEEN_GUESSES);
        answer = await this.#try(action, candidate);
      }
      return answer;
    } finally {
      this.#stopTrying(action);
    }
  }

  /** Lets the times be tried with another action. */
  #stopTrying(action: object): void {
    if (this.#triedWith === action) this.#triedWith = undefined;
  }

  async #try<T>(action: TimedAction<T>, { seconds }: Candidate): Promise<T> {
    const { clock } = this.#options;
    const now = clock.now();
    const stopWaiting = clock.at(now + PATIENCE, () => this.#stopTrying(action));
    try {
      const answer = await action.send(seconds);
      this.#judge(seconds, now, action.verdictOf(answer));
      return answer;
    } finally {
      stopWaiting();
    }
  }

  /** Remembers what is known of a time. */
  #judge(seconds: number, sent: Millis, verdict: TimeVerdict): TimeVerdict {
    if (verdict === 'refused') this.#refuse(seconds - sent / 1_000);
    if (verdict === 'accepted') this.#accept(seconds, sent);
    return verdict;
  }

  #refuse(ahead: number): void {
    const now = this.#options.clock.now();
    this.#refused.push(ahead);
    this.#refusedUntil = now + AGAIN_AFTER;
    if (this.#accepted === undefined) return;
    const isSame = Math.abs(this.#accepted.ahead - ahead) <= SAME;
    this.#accepted = isSame ? undefined : { ...this.#accepted, heardAhead: ahead, since: now };
  }

  #accept(seconds: number, sent: Millis): void {
    this.#refused = [];
    if (this.#accepted !== undefined) return this.settle(sent);
    const heard = this.#options.heard(sent);
    if (Math.abs(seconds - heard) <= SAME) return this.#reportAgreement();
    this.#accepted = { ahead: seconds - sent / 1_000, heardAhead: heard - sent / 1_000, since: sent };
    this.#reportRefusal(
      'one',
      `and accepts ${timeText(seconds * 1_000)}, with which cancels are signed now; orders are not placed with it`,
    );
  }

  /** Returns the first time that was not refused: an accepted one, the exchange's clock, ours, other known times, and the guesses around both clocks. */
  #nextCandidate(): Candidate | undefined {
    const { clock, heard, others } = this.#options;
    const now = clock.now();
    const clocks = [heard(now), Math.floor(now / 1_000)];
    const accepted = this.#accepted && now / 1_000 + this.#accepted.ahead;
    const known = [accepted, ...clocks, ...others(now)].filter((seconds) => seconds !== undefined).map(Math.floor);
    const isNew = (seconds: number): boolean => !this.#isRefused(seconds, now);
    const found = known.find(isNew);
    const seconds = found ?? GUESSES.flatMap((by) => clocks.map((clock) => clock + by)).find(isNew);
    return seconds === undefined ? undefined : { seconds, isGuess: found === undefined };
  }

  #isRefused(seconds: number, now: Millis): boolean {
    const ahead = seconds - now / 1_000;
    return this.#refused.some((refused) => Math.abs(refused - ahead) <= SAME);
  }

  #reportRefusal(refused: 'one' | 'all', what: string): void {
    const { clock, heard, report } = this.#options;
    const now = clock.now();
    const reason = `the exchange refuses what is signed with the time of its own clock (${timeText(heard(now) * 1_000)}), ${what}`;
    const alarm = now >= this.#nextAlarm[refused];
    if (alarm) this.#nextAlarm[refused] = now + BETWEEN_ALARMS;
    report?.({ healthy: false, reason, ...(alarm && { alarm }) });
    this.#isReported = true;
  }

  #reportAgreement(): void {
    if (this.#isReported) this.#options.report?.({ healthy: true, reason: 'the exchange accepts the time that its clock shows' });
    this.#isReported = false;
  }
}

const notSent = (message: string): ClientError => new ClientError({ kind: 'notSent', message });
