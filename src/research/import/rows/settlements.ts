// Derives funding settlements: if a later time is announced for the next one, the previous one was settled at the last rate announced for it.
import type { Stamp } from '../../../bot/domain/rows/rows.ts';
import type { FeedMessage } from '../formats/feed-message.ts';

/** Returns a function that passes messages to `out` and inserts the settlements. */
export function withSettlements(out: (message: FeedMessage) => void): (message: FeedMessage) => void {
  let announced: { readonly due: Stamp; readonly rate: string } | undefined;
  return (message) => {
    if (message.kind === 'marks' && message.due !== undefined && message.rate !== undefined) {
      const { due, rate, time, received } = message;
      if (announced !== undefined && due > announced.due && announced.due <= time) {
        out({ kind: 'settlement', time: announced.due, received, rate: announced.rate });
      }
      announced = { due, rate };
    }
    out(message);
  };
}
