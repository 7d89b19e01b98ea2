// What the journal of a run holds: its lines, what left for the exchange, and what has to be known when older entries are dropped.
import type { Millis } from '../../base/clock.ts';
import { LIFE_OF_BYTES } from '../../domain/action.ts';
import type { FundingCarry } from '../../domain/funding.ts';
import type { AccountId, ClientOrderId } from '../../domain/ids.ts';
import type { Fill } from '../../domain/order.ts';
import type { SealedAction } from '../../exchange/kit/outgoing.ts';
import type { LedgerCarry } from '../../report/accounting/ledger.ts';
import { type Line, timeText } from '../../report/accounting/lines.ts';
import type { LossCarry } from '../../world/position/losses.ts';
import type { Series } from '../core/series.ts';

interface EntryAt {
  /** RFC 3339. */
  readonly at: string;
}

/** A process has begun: what follows, up to the next of these, is of it. */
export interface Process extends EntryAt {
  readonly kind: 'process';
}

/** An action is about to leave. Where a process has these, an order of it that has none never left. */
export interface Sent extends EntryAt, Omit<SealedAction, 'body'> {
  readonly kind: 'sent';
  /** The bytes, in base64. */
  readonly body?: string | undefined;
  /** Engine time in seconds after which they can never execute. */
  readonly deadAfter?: number | undefined;
}

/** Whose journal this is. Written before anything is sent, and kept by every checkpoint. */
export interface Identity extends EntryAt {
  readonly kind: 'identity';
  readonly exchange: 'embedded' | 'hosted' | 'local';
  /** Scheme, host and port. */
  readonly url?: string | undefined;
  /** The user's public key, in base58; absent where another process signs. */
  readonly user?: string | undefined;
  readonly account: AccountId;
  /** Of the run's client order ids. */
  readonly series: Series;
}

/** The newest of our trades when the run began: none of them, and none before, is its own. */
export interface Begin extends EntryAt {
  readonly kind: 'begin';
  /** Exchange time in milliseconds from which on trades are told, but for these. */
  readonly since: Millis;
  readonly trades: readonly (Pick<Fill, 'tradeId' | 'orderId' | 'time'> & Partial<Pick<Fill, 'role'>>)[];
}

/** What was held before the first fill of the run. */
export interface Baseline extends EntryAt {
  readonly kind: 'baseline';
  /** The symbol. */
  readonly market: string;
  /** Decimal text. */
  readonly size: string;
}

/** Of the whole run so far. */
export interface FundingSeen extends EntryAt, FundingCarry {
  readonly kind: 'funding';
}

/** What was earned and lost so far, the fills before it included. */
export interface LossesSeen extends EntryAt, LossCarry {
  readonly kind: 'losses';
  /** Millionths of the quote token. */
  readonly cash: number;
  /** By symbol, decimal text. */
  readonly held: Readonly<Record<string, string>>;
}

/** What entries come to that are kept no more. */
export interface Carry extends EntryAt {
  readonly kind: 'carry';
  /** When the first order was placed. */
  readonly firstOrder?: string | undefined;
  readonly lastClientOrderId?: ClientOrderId | undefined;
  readonly ledger: LedgerCarry;
}

/** What the run tells while it goes on. */
export type Told = Line | Baseline | FundingSeen | LossesSeen | Begin | Identity;
export type Entry = Told | Process | Sent | Carry;

export function sentEntry({ body, ...sealed }: SealedAction, at: Millis): Sent {
  const { action, timestamp } = sealed;
  return {
    kind: 'sent',
    at: timeText(at),
    ...sealed,
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    ...(action === 'place' && timestamp !== undefined && { deadAfter: timestamp + LIFE_OF_BYTES }),
  };
}

const KINDS: ReadonlySet<Entry['kind']> = new Set(['process', 'identity', 'begin', 'sent', 'baseline', 'funding', 'losses', 'carry']);

/** What people and scripts are shown. */
export const isLine = (entry: Entry): entry is Line => !KINDS.has(entry.kind);
