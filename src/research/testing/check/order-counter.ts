// Counts the actions of a run over time to detect order storms: more actions than the market's changes justify.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { Run } from '../../../bot/run/core/run.ts';
import { CALM_SECONDS } from './tapes/scenarios.ts';

/** Time after the start of a script at which a market that has stopped moving no longer justifies any order. */
const STILL_AFTER: Millis = (CALM_SECONDS + 5) * 1_000;
/** Maximum number of orders per second placed or cancelled without a fill while the market does not move. */
const MAX_IDLE = 1;
/** Maximum number of actions a minute for each desired order: five replacements a second. */
const MAX_ACTIONS_PER_ORDER = 600;

export class OrderCounter {
  readonly #times: Millis[] = [];
  readonly #stillFrom: Millis;
  #idle = 0;
  #mostWanted = 1;
  #until: Millis;
  placed = 0;

  /** `start`: the beginning of the market. */
  constructor(start: Millis) {
    this.#stillFrom = start + STILL_AFTER;
    this.#until = start;
  }

  see(turn: Turn, { world }: Run): void {
    if (world.stopping !== undefined) return;
    this.#until = turn.at;
    if (turn.at >= this.#stillFrom) this.#idle += turn.actions.length - turn.fills.length;
    for (const { kind } of turn.actions) {
      this.#times.push(turn.at);
      if (kind === 'place') this.placed++;
    }
    const wanted = turn.intents.reduce((sum, intent) => sum + (intent.kind === 'quote' ? intent.bids.length + intent.asks.length : 1), 0);
    this.#mostWanted = Math.max(this.#mostWanted, wanted);
  }

  /** Describes an order storm; undefined if there is none. `marketIsStill`: the market does not move after its calm beginning. */
  orderStorm({ marketIsStill }: { readonly marketIsStill: boolean }): string | undefined {
    const seconds = (this.#until - this.#stillFrom) / 1_000;
    if (marketIsStill && this.#idle > MAX_IDLE * seconds)
      return `an order storm: ${this.#idle} orders were placed or cancelled without a fill in ${seconds} s in which nothing moved`;
    const [most, limit] = [this.mostInAMinute, MAX_ACTIONS_PER_ORDER * this.#mostWanted];
    return most > limit
      ? `an order storm: ${most} actions in a minute for at most ${this.#mostWanted} orders; give the quote some slackBps`
      : undefined;
  }

  /** The largest number of actions within a minute. */
  get mostInAMinute(): number {
    let [most, first] = [0, 0];
    this.#times.forEach((at, index) => {
      while (this.#times[first]! <= at - MINUTE) first++;
      most = Math.max(most, index - first + 1);
    });
    return most;
  }
}
