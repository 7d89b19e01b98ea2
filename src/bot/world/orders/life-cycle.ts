// The life cycle of an order: which status follows from which evidence. All changes of status in this folder are looked up in this table.
// The answer to a cancel is not among the evidence: it changes no status, because only a later account proves the order gone (`proof.ts`).
import type { OrderStatus } from '../../domain/order.ts';

/**
 * `closing`: gone from the book, but not known yet whether filled or cancelled. `closed`: filled, cancelled or rejected; it is remembered for a
 * while. The other four are live: the order is, or may be, at the exchange.
 */
export type LifeStatus = OrderStatus | 'closing' | 'closed';

/** The kinds of evidence about an order. The named files decide what counts as each kind. */
export const EVIDENCE = [
  /** Its receipt reports that it rests, or does not report it, and gives an id that was not known (orders.ts). */
  'accepted',
  /** Its receipt reports that nothing of it rests (orders.ts). */
  'ended',
  /** Its receipt rejects it, and no account has listed it by our id (orders.ts). */
  'rejected',
  /** The exchange has said that it was never admitted and never can be (orders.ts). */
  'neverAdmitted',
  /** No definite answer came, and its id at the exchange is not known (orders.ts). */
  'unanswered',
  /** A cancel of it was sent. */
  'cancelSent',
  /** Its cancel was refused or got no answer, and no account came for a while (cancels.ts). */
  'cancelFailed',
  /** An account lists it; of a `cancelling` order, one that is late enough to show the result of the cancel (cancels.ts). */
  'listed',
  /** One account lacks it although it could have listed it (proof.ts). */
  'lacked',
  /** It is proved absent (proof.ts). */
  'proved',
  /** Its fills add up to its size (attribution.ts). */
  'filled',
  /** A round of our trades that was requested after it left the book shows how it ended (closing-orders.ts). */
  'tradesRead',
  /** A receipt or a fill names it although we had reported it as never placed, or cancelled (closed-orders.ts). */
  'turnedUp',
] as const;
export type OrderEvidence = (typeof EVIDENCE)[number];

type Row = Readonly<Partial<Record<OrderEvidence, LifeStatus>>>;

/**
 * The next status by status and evidence. Evidence that is absent from a row changes nothing. A closed order that turns up becomes `unknown` at once.
 */
export const LIFE_CYCLE = {
  pending: { accepted: 'open', ended: 'closing', rejected: 'closed', unanswered: 'unknown', listed: 'open', filled: 'closing' },
  open: {
    ended: 'closing',
    rejected: 'closed',
    unanswered: 'unknown',
    cancelSent: 'cancelling',
    proved: 'closing',
    filled: 'closing',
  },
  cancelling: {
    accepted: 'open',
    ended: 'closing',
    rejected: 'closed',
    cancelFailed: 'open',
    listed: 'open',
    proved: 'closing',
    filled: 'closing',
  },
  unknown: {
    accepted: 'open',
    ended: 'closing',
    rejected: 'closed',
    neverAdmitted: 'closed',
    listed: 'open',
    proved: 'closing',
    filled: 'closing',
  },
  closing: { listed: 'open', tradesRead: 'closed' },
  closed: { accepted: 'open', ended: 'closing', listed: 'open', filled: 'closing', turnedUp: 'unknown' },
} as const satisfies Readonly<Record<LifeStatus, Row>>;

const rows: Readonly<Record<LifeStatus, Row>> = LIFE_CYCLE;

/** Returns the next status. */
export const statusAfter = (status: LifeStatus, evidence: OrderEvidence): LifeStatus => rows[status][evidence] ?? status;
