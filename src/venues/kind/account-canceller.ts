// Opens the account of a run from its state directory alone, and reads from its journal which orders may still arrive.
import type { Millis } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { nodeDisk } from '../../base/files/node-disk.ts';
import { httpTransport } from '../../base/transport/http.ts';
import { openJournal } from '../../bot/journal/journal.ts';
import { readJournal } from '../../bot/journal/segment.ts';
import type { Entry } from '../../bot/run/state/entries.ts';
import { hasEnded, ordersIn } from '../../bot/run/state/history.ts';
import type { AccountCanceller, Outstanding } from '../operate/cancel-all.ts';
import type { CancellerOptions, KnownVenues, VenueFacts } from './venue-kind.ts';

const CONNECTIONS = 8;
/** How long an order counts as possibly placed if its record has no `deadAfter`: only older versions wrote such records, for the local process. */
const UNRECORDED_LIFE: Millis = 75_000;

export interface AccountCancellerOptions extends Omit<CancellerOptions, 'transport' | 'hasTraded'> {
  readonly exchange: VenueFacts;
  readonly venues: KnownVenues;
}

/** Returns what cancels the orders of the account; undefined for an account that is simulated in the run's process. Makes no request before its first call. */
export async function openAccountCanceller({
  exchange,
  venues,
  ...options
}: AccountCancellerOptions): Promise<AccountCanceller | undefined> {
  const kind = venues.of(exchange);
  if (kind.canceller === undefined || exchange.url === undefined) return undefined;
  const transport = httpTransport({ origin: exchange.url, connections: CONNECTIONS });
  return kind.canceller(exchange, { ...options, transport, hasTraded: () => hasTraded(nodeDisk(options.directory)) });
}

/** True if the run may have orders, or if the journal cannot be read. */
function hasTraded(disk: Disk): boolean {
  const { entries, damage } = readJournal<Entry>(disk);
  return damage.length > 0 || entries.some(({ kind }) => kind === 'order' || kind === 'sent' || kind === 'fill');
}

/**
 * Returns the outstanding orders in the run's journal, which is read at each call because a live run continues to write it. `damage`: why it cannot
 * be read.
 */
export function outstandingIn(disk: Disk): Outstanding & { readonly damage?: string | undefined } {
  try {
    return outstandingOf(openJournal<Entry>(disk, { checkpoint: (entries) => entries }).earlier);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { deadAfter: undefined, isOurs: () => false, damage: messageOf(error) };
  }
}

/**
 * Finds the orders without a definite answer (`deadAfter`, `signed`) and those that rest (`open`). An order has no definite answer if it was sent and its
 * newest line, if any, neither shows it open nor ends it.
 */
function outstandingOf(entries: readonly Entry[]): Outstanding {
  const { newest, placed } = ordersIn(entries);
  const deadAfter: number[] = [];
  const signed: { at: Millis; life: Millis | undefined }[] = [];
  for (const [id, sent] of placed) {
    const line = newest.get(id);
    if (line !== undefined && (hasEnded(line) || line.status === 'open')) continue;
    const at = Date.parse(sent.at);
    const last = line?.deadAfter ?? sent.deadAfter ?? Math.ceil((at + UNRECORDED_LIFE) / 1_000);
    deadAfter.push(last);
    signed.push({ at, life: sent.heard === undefined ? undefined : (last - sent.heard) * 1_000 });
  }
  const orderIds = new Set([...newest.values()].flatMap(({ orderId }) => orderId ?? []));
  return {
    deadAfter,
    signed,
    open: [...newest.values()].flatMap(({ orderId, clientOrderId, status, market }) =>
      status === 'open' && orderId !== undefined ? [{ orderId, clientOrderId, market }] : [],
    ),
    isOurs: ({ orderId, clientOrderId }) =>
      orderIds.has(orderId) || (clientOrderId !== undefined && (newest.has(clientOrderId) || placed.has(clientOrderId))),
  };
}
