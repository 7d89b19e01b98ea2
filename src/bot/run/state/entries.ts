// The entries of a run's journal: event lines, actions before they are sent, and sums of dropped entries.
// The format and checksum of a line: `bot/journal/segment.ts`.
import type { Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { JournalLine } from '../../accounting/lines.ts';
import type { OrderCounts } from '../../accounting/run-counts.ts';
import type { FundingCarry } from '../../domain/accounting/account-funding.ts';
import type { RunFillsCarry } from '../../domain/accounting/run-fills.ts';
import { DEFAULT_ORDER_LIFE } from '../../domain/action.ts';
import type { AccountRef, ClientOrderId } from '../../domain/ids.ts';
import type { MarketSpec } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import type { SealedAction } from '../../exchange/kit/sending/outgoing.ts';
import type { LossCarry } from '../../world/position/losses.ts';
import type { IdSeries } from './client-order-ids.ts';

interface EntryAt {
  /** RFC 3339. */
  readonly at: string;
}

/** Start of a process: the following entries, up to the next one of this kind, belong to it. */
export interface ProcessEntry extends EntryAt {
  readonly kind: 'process';
}

/** An action that is about to be sent. In a process that has such entries, an order without one was never sent. */
export interface Sent extends EntryAt, Omit<SealedAction, 'body'> {
  readonly kind: 'sent';
  /** The bytes, in base64. */
  readonly body?: string | undefined;
  /** Engine time in seconds after which the bytes can no longer execute. */
  readonly deadAfter?: number | undefined;
}

/** The exchange, user and account of the journal. Written before anything is sent, and kept by every checkpoint. */
export interface Identity extends EntryAt {
  readonly kind: 'identity';
  readonly exchange: string;
  /** Scheme, host and port. */
  readonly url?: string | undefined;
  /** The user's public key, in base58; absent if another process signs. */
  readonly user?: string | undefined;
  readonly account: AccountRef;
  /** Series of the run's client order ids. */
  readonly series: IdSeries;
}

/** A market as the exchange listed it when a process began. Written once, and again if the listing has changed. */
export interface MarketListed extends EntryAt {
  readonly kind: 'market';
  readonly spec: MarketSpec;
}

/** The newest trades of the account when the run began: neither they nor earlier ones belong to the run. */
export interface Begin extends EntryAt {
  readonly kind: 'begin';
  /** Exchange time in milliseconds from which trades are read, except these. */
  readonly since: Millis;
  readonly trades: readonly (Pick<Fill, 'tradeId' | 'orderId' | 'time'> & Partial<Pick<Fill, 'role'>>)[];
}

/** The position before the first fill of the run. */
export interface Baseline extends EntryAt {
  readonly kind: 'baseline';
  /** Symbol. */
  readonly market: string;
  /** Decimal text. */
  readonly size: string;
}

/** Funding of the whole run so far. */
export interface FundingSeen extends EntryAt, FundingCarry {
  readonly kind: 'funding';
}

/** Profit and loss so far, including all earlier fills. */
export interface LossesSeen extends EntryAt, LossCarry {
  readonly kind: 'losses';
  /** Millionths of the quote token. */
  readonly cash: number;
  /** The total then, in millionths of the quote token; absent in journals of earlier versions. */
  readonly profit?: number | undefined;
  /** By symbol, decimal text. */
  readonly held: Readonly<Record<string, string>>;
  /** What the positions cost by symbol, in millionths of the quote token; absent in journals of earlier versions. */
  readonly costs?: Readonly<Record<string, number>> | undefined;
  /** `cash` and `profit` by symbol; absent with one market, and in journals of earlier versions. */
  readonly markets?: Readonly<Record<string, { readonly cash: number; readonly profit: number }>> | undefined;
}

/** A value that the run remembers under a name. */
export interface Remembered extends EntryAt {
  readonly kind: 'memory';
  readonly name: string;
  readonly value: unknown;
}

/** What a start does with resting orders in its markets that its journal does not know. */
export type ForeignOrdersPolicy = 'refuse' | 'adopt' | 'cancel' | 'ignore';

/** The takeover of orders from before a start: begun, or over if `foreign` is absent. A restart continues a takeover that is not over. */
export interface TakingOver extends EntryAt {
  readonly kind: 'takeover';
  readonly foreign?: 'adopt' | 'cancel' | undefined;
}

/** Returns the entry that ends the last takeover if it began longer ago than the life of an order: no more orders can appear. Empty otherwise. */
export function endOfTakeover(entries: readonly Entry[], now: Millis): readonly TakingOver[] {
  const last = entries.findLast((entry) => entry.kind === 'takeover');
  const isOver = last?.foreign !== undefined && now - Date.parse(last.at) >= DEFAULT_ORDER_LIFE * 1_000;
  return isOver ? [{ kind: 'takeover', at: timeText(now) }] : [];
}

/** Sums of entries that were dropped. */
export interface Carry extends EntryAt {
  readonly kind: 'carry';
  /** When the first order was placed. */
  readonly firstOrder?: string | undefined;
  readonly lastClientOrderId?: ClientOrderId | undefined;
  readonly ledger: OrderCounts & RunFillsCarry;
}

/** Entries that the run writes while it trades. */
export type NewEntry = JournalLine | Baseline | FundingSeen | LossesSeen | Begin | Identity | Remembered | TakingOver | MarketListed;
export type Entry = NewEntry | ProcessEntry | Sent | Carry;

export function sentEntry({ body, ...sealed }: SealedAction, at: Millis): Sent {
  const { action, timestamp } = sealed;
  return {
    kind: 'sent',
    at: timeText(at),
    ...sealed,
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    ...(action === 'place' && timestamp !== undefined && { deadAfter: timestamp + DEFAULT_ORDER_LIFE }),
  };
}

const KINDS: ReadonlySet<Entry['kind']> = new Set([
  'process',
  'identity',
  'market',
  'begin',
  'sent',
  'baseline',
  'funding',
  'losses',
  'memory',
  'takeover',
  'carry',
]);

/** True for entries that are shown to people and scripts. */
export const isLine = (entry: Entry): entry is JournalLine => !KINDS.has(entry.kind);
