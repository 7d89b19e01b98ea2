// Invariant: newer data is never replaced by older data.
import { compareUpdateIds } from '../../../bot/domain/ids.ts';
import type { MakeCheck } from '../environment/scene.ts';

export const orderOfTime: MakeCheck = ({ fail }) => {
  const newest = new Map<string, string>();
  const see = (key: string, updateId: string): void => {
    const before = newest.get(key);
    if (before !== undefined && compareUpdateIds(updateId, before) < 0) fail('V10', `${key} went back from ${before} to ${updateId}`);
    newest.set(key, updateId);
  };
  return {
    turn({ events }, { number }) {
      for (const event of events) {
        if (event.kind === 'accountSeen') see(`${number}/account`, event.account.updateId);
        if (event.kind === 'bookSeen') see(`${number}/book ${event.book.market}`, event.book.updateId);
      }
    },
  };
};
