// Checks an account against its own counts: a reply that counts other orders than it lists is wrong, and proves nothing. Replies that do so for long raise
// an alarm.
import { Subject } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { HealthSeen } from '../../../domain/event.ts';
import type { AdapterLog } from '../../port.ts';
import { BETWEEN_ACCOUNTS } from '../start-reads.ts';

/** Replies that contradict themselves for this long raise the alarm `account-counts`. */
const ALARM_AFTER: Millis = 30_000;

/** A number that a reply states about its orders, and the number that follows from those that it lists. */
export interface OwnCount {
  /** What is counted, for messages: `open orders in BTCPERP`. */
  readonly what: string;
  readonly stated: number;
  readonly listed: number;
}

export interface OwnCountsOptions {
  readonly clock: Clock;
  readonly log: AdapterLog;
  /** If the replies of a start contradict themselves in the same way for this long, the exchange is assumed to count in another way than we do. */
  readonly sameForMs?: Millis | undefined;
  /** True if an account with orders has agreed with its counts in an earlier process of this run: the check is then never switched off. */
  readonly hasAgreed?: boolean | undefined;
  /** Called when the first account with orders agrees with its counts. */
  readonly onAgreed?: (() => void) | undefined;
}

export class OwnCounts {
  /** Emits when replies have contradicted themselves for long, and when one agrees again. */
  readonly findings = new Subject<HealthSeen>();
  readonly #options: OwnCountsOptions;
  #isOff = false;
  /** The contradiction of the last reply of the start, and when it was first received. */
  #startContradiction: { readonly text: string; readonly since: Millis } | undefined;

  /** When replies began to contradict themselves, and the last that did. It ends when an account with orders agrees, or 30 s after the last. */
  #runContradiction: { readonly since: Millis; readonly last: Millis; readonly isAlarmed: boolean } | undefined;
  #isReported = false;
  /** True once an account with orders has agreed. */
  #hasAgreed: boolean;

  constructor(options: OwnCountsOptions) {
    this.#options = options;
    this.#hasAgreed = options.hasAgreed === true;
  }

  /** Throws if the reply contradicts itself. */
  require(counts: readonly OwnCount[]): void {
    const text = this.#isOff ? undefined : contradictionIn(counts);
    if (text === undefined) return this.#recordAgreement(counts);
    this.#recordContradiction(text);
    throw new Error(text);
  }

  /**
   * The counts of an account without orders agree in any case, and a run cancels its orders if accounts are wrong for long. So such an account does not end
   * a contradiction, and is only reported as healthy.
   */
  #recordAgreement(counts: readonly OwnCount[]): void {
    if (!this.#isOff && counts.some(({ stated }) => stated > 0)) {
      this.#runContradiction = undefined;
      if (!this.#hasAgreed) this.#options.onAgreed?.();
      this.#hasAgreed = true;
    }
    if (!this.#isReported) return;
    this.#isReported = false;
    this.findings.next({ ...this.#finding, healthy: true, reason: 'the account agrees with its own counts' });
  }

  #recordContradiction(text: string): void {
    const now = this.#options.clock.now();
    const before =
      this.#runContradiction !== undefined && now < this.#runContradiction.last + ALARM_AFTER
        ? this.#runContradiction
        : { since: now, isAlarmed: false };
    const isLong = now >= before.since + ALARM_AFTER;
    this.#runContradiction = { ...before, last: now, isAlarmed: isLong };
    if (this.#isReported || !isLong) return;
    this.#isReported = true;
    const advice = "compare its orders with the exchange's own page, and stop the run if it goes on";
    const reason = `${text}, as in all replies with orders for ${ALARM_AFTER / 1_000} s: nothing is opened until one agrees; ${advice}`;
    this.findings.next({ ...this.#finding, healthy: false, reason, alarm: !before.isAlarmed });
  }

  get #finding(): Pick<HealthSeen, 'kind' | 'at' | 'stream'> {
    return { kind: 'healthSeen', at: this.#options.clock.now(), stream: 'account-counts' };
  }

  /**
   * Checks the reads of a start as `require` does. If they contradict themselves in the same way for long, the check is off from then on, with a warning; but
   * not if accounts of this run have agreed before.
   */
  requireAtStart(counts: readonly OwnCount[]): void {
    const { clock, log, sameForMs = BETWEEN_ACCOUNTS, hasAgreed = false } = this.#options;
    const text = this.#isOff ? undefined : contradictionIn(counts);
    const now = clock.now();
    const before = this.#startContradiction;
    this.#startContradiction = text === undefined ? undefined : { text, since: before?.text === text ? before.since : now };
    if (this.#startContradiction === undefined) return;
    if (hasAgreed) throw new Error(`${text}, and earlier accounts of this run agreed with their counts`);
    if (now < this.#startContradiction.since + sameForMs) throw new Error(text);
    this.#isOff = true;
    log.warn(
      `${text}, in each of several replies: this exchange counts otherwise, so its accounts are not checked against their own counts`,
    );
  }
}

function contradictionIn(counts: readonly OwnCount[]): string | undefined {
  const wrong = counts.filter(({ stated, listed }) => stated !== listed);
  if (wrong.length === 0) return undefined;
  return `the account contradicts itself: it counts ${wrong.map(({ what, stated, listed }) => `${stated} ${what} and lists ${listed}`).join(', ')}`;
}
