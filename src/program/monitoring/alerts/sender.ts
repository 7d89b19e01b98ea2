// Sends the alerts of a run to one target: in order, in groups, with a limit of messages an hour. A message that fails is sent again after a growing
// pause; one that the target refuses (403, 404) only a few times.
import { type Cancel, type Clock, HOUR, type Millis, sleep } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Transport } from '../../../base/transport/transport.ts';
import type { AdapterLog } from '../../../bot/exchange/port.ts';
import type { Alert, Message } from './alert.ts';
import type { AlertTarget } from './targets.ts';

/** Maximum number of alerts kept while the target does not answer. Then the oldest that is not an alarm is dropped. */
const MAX_WAITING = 200;
/** Maximum number of alerts in one message. */
const MAX_GROUP = 20;
const FIRST_PAUSE: Millis = 1_000;
/** Maximum pause between two attempts, so that a message arrives within 10 s after the target is available again. */
const MAX_PAUSE: Millis = 8_000;
/** Number of times that a target may refuse a message, before it is dropped: with the pauses about four minutes. */
const MAX_REFUSALS = 10;
/** Maximum pause after a refusal. */
const MAX_REFUSED_PAUSE: Millis = 60_000;
/** Maximum of the pause that a target requests by Retry-After. */
const MAX_RETRY_AFTER: Millis = 60_000;
const TIMEOUT: Millis = 10_000;
const MAX_REPLY_BYTES = 64 * 1024;
/** Minimum time between two log lines about failures. */
const LOG_AGAIN: Millis = 600_000;

export interface TargetSenderOptions {
  readonly target: AlertTarget;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly run: string;
  /** Called for each message. Returns the identity of the run, and the address of its page. */
  readonly about?: (() => Pick<Message, 'identity' | 'page'>) | undefined;
  readonly log: Pick<AdapterLog, 'warn'>;
  /** How long warnings and infos wait, to be sent together with later ones. An alarm is sent at once, together with all that wait. */
  readonly groupMs: Millis;
  readonly mostAnHour: number;
}

/** Why a message was not delivered. */
interface Failure {
  readonly why: string;
  /** The pause that the target requested; 0 if none. */
  readonly requestedPause: Millis;
  /** True if the target answered that it does not take the message, so that it may never take it. */
  readonly isRefusal: boolean;
}

export class TargetSender {
  readonly #options: TargetSenderOptions;
  #waiting: Alert[] = [];
  /** Number of dropped alerts that no message has mentioned yet. */
  #left = 0;
  /** Number of messages. */
  #count = 0;
  /** Times of the messages of the last hour. */
  #sentAt: Millis[] = [];
  #timer: Cancel | undefined;
  #sending: Promise<void> | undefined;
  #closing = false;
  #closed = false;
  #loggedAt = -Infinity;

  constructor(options: TargetSenderOptions) {
    this.#options = options;
  }

  /** Returns at once and never throws. */
  add(alert: Alert): void {
    const { clock, groupMs } = this.#options;
    this.#waiting.push(alert);
    if (this.#waiting.length > MAX_WAITING) this.#dropOne();
    if (alert.severity === 'alarm') this.#begin();
    else this.#timer ??= clock.at(clock.now() + groupMs, () => this.#begin());
  }

  /** Sends the waiting alerts, ignoring the hourly limit. Resolves when they are sent, or after the time. */
  async close(withinMs: Millis): Promise<void> {
    const { clock } = this.#options;
    this.#closing = true;
    this.#begin();
    await Promise.race([this.#sending, sleep(clock, withinMs)]);
    this.#closed = true;
    this.#timer?.();
    await this.#options.transport.close();
  }

  #dropOne(): void {
    const leastImportant = this.#waiting.findIndex(({ severity }) => severity !== 'alarm');
    this.#waiting.splice(Math.max(0, leastImportant), 1);
    this.#left += 1;
  }

  /** Starts sending the waiting alerts, at once or when the hourly limit allows it. */
  #begin(): void {
    this.#timer?.();
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#waiting.length === 0 || this.#closed) return;
    const pause = this.#closing ? 0 : this.#pauseOfHour();
    if (pause > 0) {
      const { clock } = this.#options;
      this.#timer = clock.at(clock.now() + pause, () => this.#begin());
      return;
    }
    this.#sending = this.#send().finally(() => {
      this.#sending = undefined;
      this.#begin();
    });
  }

  /** Returns how long to wait until the hourly limit allows the next message. */
  #pauseOfHour(): Millis {
    const { clock, mostAnHour } = this.#options;
    const now = clock.now();
    this.#sentAt = this.#sentAt.filter((at) => at > now - HOUR);
    const [oldest] = this.#sentAt.slice(-mostAnHour);
    return this.#sentAt.length < mostAnHour || oldest === undefined ? 0 : oldest + HOUR - now;
  }

  /** Sends one message, again and again until the target accepts it or has refused it too often. */
  async #send(): Promise<void> {
    const { clock, run, about } = this.#options;
    const alerts = this.#waiting.splice(0, MAX_GROUP);
    const message: Message = { run, ...about?.(), alerts, left: this.#left, id: `${run}-${alerts[0]?.at ?? 0}-${++this.#count}` };
    this.#left = 0;
    let pause = FIRST_PAUSE;
    for (let refusals = 0; ; ) {
      const failure = await this.#attempt(message);
      if (failure === undefined || this.#closed) break;
      if (failure.isRefusal) refusals += 1;
      if (refusals === MAX_REFUSALS) {
        this.#giveUp(message, failure.why);
        break;
      }
      this.#report(failure.why);
      await sleep(clock, failure.requestedPause || pause);
      pause = Math.min(2 * pause, failure.isRefusal ? MAX_REFUSED_PAUSE : MAX_PAUSE);
    }
    this.#sentAt.push(clock.now());
  }

  /** Returns undefined if the message was delivered. */
  async #attempt(message: Message): Promise<Failure | undefined> {
    const { target, transport } = this.#options;
    try {
      const limits = { timeoutMs: TIMEOUT, maxBytes: MAX_REPLY_BYTES };
      const { status, retryAfter = 0 } = await transport.request(target.request(message), limits);
      if (status >= 200 && status < 300) return undefined;
      const requestedPause = Math.min(retryAfter * 1_000, MAX_RETRY_AFTER);
      return { why: `it answered ${status}`, requestedPause, isRefusal: !isTemporary(status) };
    } catch (error) {
      return { why: messageOf(error), requestedPause: 0, isRefusal: false };
    }
  }

  /** Drops a message. The next one says how many alerts it had. */
  #giveUp({ alerts, left }: Message, why: string): void {
    const { log, target } = this.#options;
    this.#left += alerts.length + left;
    const what = alerts.length === 1 ? 'an alert' : `${alerts.length} alerts`;
    log.warn(`${what} to ${target.name} dropped after ${MAX_REFUSALS} attempts: ${why}`);
  }

  #report(why: string): void {
    const { clock, log, target } = this.#options;
    if (clock.now() < this.#loggedAt + LOG_AGAIN) return;
    this.#loggedAt = clock.now();
    log.warn(`alerts to ${target.name} do not arrive: ${why}`);
  }
}

/** True if a message may be accepted later. */
const isTemporary = (status: number): boolean => status === 429 || status === 408 || status >= 500;
