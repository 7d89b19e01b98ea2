// Finds orders that were never sent, because the process ended before or because sending failed.
import type { OrderLine } from '../../accounting/lines.ts';
import type { Entry } from './entries.ts';

/**
 * Returns a rejection line for each order that was never sent: in a process that recorded actions before sending them, a placed order with neither an
 * answer nor such a record.
 */
export function unsentIn(entries: readonly Entry[]): readonly OrderLine[] {
  const waiting = new Map<string, OrderLine>();
  const unsent: OrderLine[] = [];
  let recordsActions = false;
  const endProcess = (): void => {
    if (recordsActions) unsent.push(...waiting.values());
    waiting.clear();
    recordsActions = false;
  };
  for (const entry of entries) {
    if (entry.kind === 'process') endProcess();
    if (entry.kind === 'order' && entry.status === 'placed') waiting.set(entry.clientOrderId, entry);
    else if (entry.kind === 'order') waiting.delete(entry.clientOrderId);
    if (entry.kind !== 'sent') continue;
    recordsActions = true;
    if (entry.action === 'place' && entry.clientOrderId !== undefined) waiting.delete(entry.clientOrderId);
  }
  endProcess();
  return unsent.map((line) => ({ ...line, status: 'rejected', reason: 'NOT_SENT' }));
}
