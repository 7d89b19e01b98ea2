// Derives funding settlements: when the announced time of the next settlement moves on, the previous one was paid at the last announced rate.
import type { Stamp } from '../../../domain/rows/rows.ts';
import type { FeedMessage } from '../formats/feed-message.ts';

/** Passes all messages on and inserts settlements between them. */
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
