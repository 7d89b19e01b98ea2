// Decides what follows when the exchange refuses our signatures: whether the session's id is no longer ours, or the key or the schema is wrong.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { SessionId } from '../../../bot/domain/ids.ts';
import { type ErrorMeaning, meaningOf } from '../../../bot/exchange/error-meanings.ts';
import type { Receipt } from '../../wire/codec.ts';

/** After this many refusals in a row, on at least CONNECTIONS connections, they cannot all be answers to other actions. */
const REFUSALS = 3;
const CONNECTIONS = 2;
/** At most one session is requested within this time because signatures are refused. */
const BETWEEN_SESSIONS: Millis = 10 * MINUTE;
/** A request that opened no session is repeated after this time: it may have been lost, or answered with an error. */
const REPEATED_AFTER: Millis = MINUTE;

/** While signatures are refused, one cancel is sent per this time, to find out whether they still are. */
const PROBE_EVERY: Millis = 5_000;

/** Refusals that come after the check of the signature. */
const AFTER_SIGNATURE: ReadonlySet<ErrorMeaning> = new Set(['orderNotFound', 'funds', 'wouldCross', 'noFill']);

/** An action that was signed in a session, and its connection: `SessionRefusals.connection` when it was sent. */
export interface SignedIn {
  readonly id: SessionId;
  readonly connection: number;
}

/** No session may be requested before `notBefore`. */
export class TooManySessions extends Error {
  override readonly name = 'TooManySessions';
  readonly notBefore: Millis;

  constructor(notBefore: Millis) {
    super(`the exchange refuses what is signed in our sessions; another is requested no earlier than ${timeText(notBefore)}`);
    this.notBefore = notBefore;
  }
}

/**
 * `unwanted`: the id belongs to no session of our key, or to somebody else's; another session may help. `hopeless`: a new session did not, so key or
 * schema are wrong. `mended`: signatures are accepted again after that. Refusals of the time are none of this.
 */
export type SessionVerdict = 'unwanted' | 'hopeless' | 'mended' | undefined;

export class SessionRefusals {
  #connection = 0;
  /** The refusals of one session since its last success. */
  #series: { readonly id: SessionId; readonly connections: readonly number[] } | undefined;
  /** True until another session is in use. */
  #isReplacing = false;
  #isHopeless = false;
  /** When a session was requested for this cause; undefined once signatures are accepted again. */
  #requested: Millis | undefined;
  #notBefore: Millis = 0;
  /** When the last cancel was sent although signatures are refused; undefined unless they are. */
  #probedAt: Millis | undefined;

  /** The number of the connection of an action that is sent now. After a refusal the client sends the next one on a new connection. */
  get connection(): number {
    return this.#connection;
  }

  /** True after `hopeless`, until signatures are accepted again. */
  get isHopeless(): boolean {
    return this.#isHopeless;
  }

  /** Returns false if a cancel may be sent. While signatures are refused, it returns false once per PROBE_EVERY, and counts that cancel as the probe. */
  holdsBack(now: Millis): boolean {
    if (this.#probedAt === undefined) return false;
    if (now < this.#probedAt + PROBE_EVERY) return true;
    this.#probedAt = now;
    return false;
  }

  /** Called with each receipt. `SESSION_NOT_FOUND` needs no count: one answer says that the id is unknown. */
  observe({ id, connection }: SignedIn, receipt: Receipt, now: Millis): SessionVerdict {
    const meaning = receipt.kind === 'err' ? meaningOf(receipt.error) : undefined;
    if (receipt.kind === 'err') this.#connection++;
    if (meaning === undefined || AFTER_SIGNATURE.has(meaning)) return this.#succeeded();
    if (meaning !== 'signature') return undefined;
    if (this.#isHopeless || this.#isReplacing) {
      this.#probedAt ??= now;
      return undefined;
    }
    const before = this.#series?.id === id ? this.#series.connections : [];
    const connections = [...before, connection];
    this.#series = { id, connections };
    if (connections.length < REFUSALS || new Set(connections).size < CONNECTIONS) return undefined;
    this.#series = undefined;
    this.#isHopeless = this.#requested !== undefined;
    this.#isReplacing = !this.#isHopeless;
    this.#probedAt = now;
    return this.#isHopeless ? 'hopeless' : 'unwanted';
  }

  /** Called before a session is requested, for any cause. Throws TooManySessions if refused signatures are the cause, and the last one was a short while ago. */
  requesting(now: Millis): void {
    if (!this.#isReplacing) return;
    if (now < this.#notBefore) throw new TooManySessions(this.#notBefore);
    this.#requested = now;
    this.#notBefore = now + REPEATED_AFTER;
  }

  /** Called when another session is in use. */
  replaced(): void {
    if (this.#isReplacing && this.#requested !== undefined) this.#notBefore = this.#requested + BETWEEN_SESSIONS;
    this.#isReplacing = false;
    this.#probedAt = undefined;
  }

  #succeeded(): SessionVerdict {
    const verdict = this.#isHopeless ? 'mended' : undefined;
    this.#series = undefined;
    this.#requested = undefined;
    this.#isHopeless = false;
    this.#probedAt = undefined;
    return verdict;
  }
}
