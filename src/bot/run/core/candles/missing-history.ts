// Reports once a minute which candles of the strategy's history are still missing.
import type { Millis } from '../../../../base/clock.ts';
import { timeText } from '../../../../base/text/duration.ts';
import type { FindingLine } from '../../../accounting/lines.ts';
import { missingText, type WarmUp } from '../../../strategy/schedule.ts';
import type { World } from '../../../world/world.ts';

const EVERY: Millis = 60_000;
/** Time from the first turn to the first line, because the first answers of the exchange may bring all candles. */
const FIRST: Millis = 3_000;
/** Most candles that one line names. */
const MAX_NAMED = 3;

export class MissingHistory {
  readonly #warmUp: WarmUp;
  readonly #world: World;
  #due: Millis | undefined;
  #fault: string | undefined;

  constructor(warmUp: WarmUp, world: World) {
    this.#warmUp = warmUp;
    this.#world = world;
  }

  /** Records why the exchange's candles could not be read. */
  failed(reason: string): void {
    this.#fault = reason;
  }

  /** Returns the line that is due after a turn, if any. */
  line(): FindingLine | undefined {
    const { now, stopping } = this.#world;
    if (this.#warmUp.completeAt !== undefined || stopping !== undefined) return undefined;
    this.#due ??= now + FIRST;
    if (now < this.#due) return undefined;
    this.#due = now + EVERY;
    return { kind: 'finding', at: timeText(now), guard: 'history', verdict: 'hold', reason: this.#reason() };
  }

  #reason(): string {
    const missing = this.#warmUp.missing(this.#world).map(missingText);
    const rest = missing.length > MAX_NAMED ? `, and ${missing.length - MAX_NAMED} more` : '';
    const fault = this.#fault === undefined ? '' : `; the exchange's candles could not be read: ${this.#fault}`;
    const named = missing.slice(0, MAX_NAMED).join(', ');
    return `the strategy waits for its history: ${named}${rest}; candles are collected meanwhile, and nothing is traded${fault}`;
  }
}
