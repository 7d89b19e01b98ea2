// The open sessions: the key that may act for a user, and its expiry.
import type { SessionId } from '../../../bot/domain/ids.ts';

export interface ServedSession {
  readonly id: SessionId;
  /** Base58 of the user's public key. */
  readonly user: string;
  readonly publicKey: Uint8Array;
  /** Engine seconds; usable before this second, not in it. */
  readonly expiry: number;
}

export interface SessionLimits {
  /** The most sessions per user: a further one replaces the one that expires first. */
  readonly perUser: number;
  /** In seconds; a longer requested life is reduced to it. */
  readonly longestLife: number;
}

/** Ten years: longer than anything runs, and short enough that every expiry can be written as a date. */
export const DEFAULT_LIMITS: SessionLimits = { perUser: 16, longestLife: 10 * 365 * 86_400 };

/** All times in engine seconds. */
export class Sessions {
  readonly #limits: SessionLimits;
  readonly #open = new Map<SessionId, ServedSession>();
  #opened = 0;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
  }

  /** Opens a session; `expiry` must be after `now`. If the user has too many, the one that expires first ends, but never the new one. */
  open({ user, publicKey, expiry, now }: { user: string; publicKey: Uint8Array; expiry: number; now: number }): ServedSession {
    const mine = this.of(user, now);
    if (mine.length >= this.#limits.perUser) {
      const first = mine.reduce((earliest, session) => (session.expiry < earliest.expiry ? session : earliest));
      this.#open.delete(first.id);
    }
    const id = String(++this.#opened); // starts at 1: session 0 means "none" to clients
    const session = { id, user, publicKey, expiry: Math.min(expiry, now + this.#limits.longestLife) };
    this.#open.set(id, session);
    return session;
  }

  find(id: SessionId, now: number): ServedSession | undefined {
    const session = this.#open.get(id);
    return session !== undefined && session.expiry > now ? session : undefined;
  }

  /** Returns the user's open sessions, oldest first. */
  of(user: string, now: number): readonly ServedSession[] {
    this.#prune(now);
    return [...this.#open.values()].filter((session) => session.user === user);
  }

  end(id: SessionId): void {
    this.#open.delete(id);
  }

  /** Ends every session of all users at `expiry` or sooner; 0 ends them all. */
  endBy(expiry: number): void {
    for (const [id, session] of this.#open) this.#open.set(id, { ...session, expiry: Math.min(session.expiry, expiry) });
  }

  /** Gives every session to somebody else, as an exchange does that assigns ids again after a rollback. */
  giveAway(): void {
    for (const [id, session] of this.#open) this.#open.set(id, { ...session, user: 'somebody', publicKey: new Uint8Array(32) });
  }

  #prune(now: number): void {
    for (const session of this.#open.values()) if (session.expiry <= now) this.#open.delete(session.id);
  }
}
