// Remembers the trades that a list has contained. A later list without them is older, or is the answer to another request.
import type { Millis } from '../../../../base/clock.ts';
import { counted } from '../../../../base/text/phrases.ts';
import { ClientError } from '../../../../base/transport/client-error.ts';
import { type KeyedTrade, keyOf } from './trade-tail.ts';

/** A list that merely lags has the trade again much sooner than this. After this time the exchange counts as rolled back, and the trade as lost. */
const ROLLED_BACK: Millis = 10_000;

export class ShownTrades {
  readonly #what: string;
  readonly #shown = new Map<string, KeyedTrade>();
  #lackingSince: Millis | undefined;

  /** `what` names the request for messages: `GET /trades`. */
  constructor(what: string) {
    this.#what = what;
  }

  /**
   * Takes a list of all trades from `since` on, in exchange time. Throws a ClientError if the list lacks a trade of an earlier list, until that has
   * lasted for ROLLED_BACK.
   */
  take(list: readonly KeyedTrade[], { since, now }: { readonly since: Millis; readonly now: Millis }): void {
    for (const [key, { time }] of this.#shown) if (time < since) this.#shown.delete(key);
    const keys = new Set(list.map(keyOf));
    const lacking = [...this.#shown].flatMap(([key, trade]) => (keys.has(key) ? [] : [trade]));
    if (lacking.length > 0 && !hasReusedId(list, lacking)) {
      this.#lackingSince ??= now;
      if (now < this.#lackingSince + ROLLED_BACK) throw this.#lacksShown(lacking.length);
    }
    this.#lackingSince = undefined;
    for (const trade of lacking) this.#shown.delete(keyOf(trade));
    for (const trade of list) if (trade.time >= since) this.#shown.set(keyOf(trade), trade);
  }

  #lacksShown(count: number): ClientError {
    return new ClientError({ kind: 'shape', message: `${this.#what} lacks ${counted(count, 'trade')} listed before`, status: 200 });
  }
}

/** True if the list has the id of a lacking trade with another order: the exchange was rolled back, and has used the id again. */
function hasReusedId(list: readonly KeyedTrade[], lacking: readonly KeyedTrade[]): boolean {
  const ids = new Set(list.map(({ tradeId }) => tradeId));
  return lacking.some(({ tradeId }) => ids.has(tradeId));
}
