// How the simulated exchange recognises bytes that it has received before. The seed decides what counts as the same, and for how long.
import { type ActionFilter, WINDOW_SECONDS } from '../../../../embedded/server/hosted/window.ts';
import type { ExchangeRules } from '../../plan/options.ts';

type Message = Parameters<ActionFilter['isFirst']>[0];
type Rules = Pick<ExchangeRules, 'duplicatesBy' | 'duplicatesAgedBy'>;

export class Duplicates implements ActionFilter {
  readonly #rules: Rules;
  readonly #since = new Map<string, number>();
  #last: string | undefined;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  admits(timestamp: number, now: number): boolean {
    return Math.abs(now - timestamp) <= WINDOW_SECONDS;
  }

  isFirst(message: Message): boolean {
    const key = this.#keyOf(message);
    this.#prune(message.now);
    if (this.#since.has(key)) return false;
    this.#since.set(key, this.#rules.duplicatesAgedBy === 'arrival' ? message.now : message.timestamp);
    this.#last = key;
    return true;
  }

  has(message: Message): boolean {
    this.#prune(message.now);
    return this.#since.has(this.#keyOf(message));
  }

  /** Called before each action: `forgetLast` must not forget an earlier one. */
  begin(): void {
    this.#last = undefined;
  }

  /** Called when the action that `isFirst` just stored has failed and may be tried again. */
  forgetLast(): void {
    if (this.#last !== undefined) this.#since.delete(this.#last);
  }

  forgetAll(): void {
    this.#since.clear();
  }

  #keyOf({ signed, timestamp, nonce }: Omit<Message, 'now'>): string {
    return this.#rules.duplicatesBy === 'stamp' ? `${timestamp}/${nonce}` : Buffer.from(signed).toString('latin1');
  }

  #prune(now: number): void {
    for (const [key, since] of this.#since) if (now - since > WINDOW_SECONDS) this.#since.delete(key);
  }
}
