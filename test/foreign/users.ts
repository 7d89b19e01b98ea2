// Users, the accounts they own, and the sessions that may act for them.
import type { Account } from './accounts.ts';
import { Refused } from './deals.ts';
import type { Settings } from './faults.ts';
import type { Floor } from './floor.ts';
import { toBase58 } from './keys.ts';

export interface User {
  readonly pubkey: string;
  /** In the order in which they were opened: the first is meant where an action names none. */
  readonly accounts: readonly Account[];
}

/** `expiry` in engine seconds. */
export interface Session {
  readonly id: bigint;
  readonly user: User;
  readonly publicKey: Uint8Array;
  readonly expiry: number;
}

/** A user has no more sessions than this; the one that expires first makes room. */
const SESSION_CAP = 8;

export class Users {
  readonly #users = new Map<string, User>();
  readonly #sessions = new Map<bigint, Session>();
  readonly #floor: Floor;
  readonly #settings: Settings;
  readonly #faucet: number;
  readonly #firstAccounts: readonly number[];
  readonly #nextId: () => bigint;

  constructor(given: { floor: Floor; settings: Settings; faucet: number; firstAccounts: readonly number[]; nextId: () => bigint }) {
    this.#floor = given.floor;
    this.#settings = given.settings;
    this.#faucet = given.faucet;
    this.#firstAccounts = given.firstAccounts;
    this.#nextId = given.nextId;
  }

  find(pubkey: string): User | undefined {
    return this.#users.get(pubkey);
  }

  /** Gives a key its accounts, each with the faucet's USDC in it. */
  register(pubkey: string): User {
    const ids = this.#users.size === 0 ? this.#firstAccounts : [Math.max(0, ...this.#floor.accounts.keys()) + 1];
    const user = { pubkey, accounts: ids.map((id) => this.#floor.openAccount({ id, balance: this.#faucet * 1e6 })) };
    this.#users.set(pubkey, user);
    return user;
  }

  /** Opens a session for a user key of 32 bytes; an unknown key becomes a user where the faucet runs, else USER_NOT_FOUND. */
  openSession({
    userPubkey,
    sessionPubkey,
    expiry,
    now,
  }: {
    userPubkey: Uint8Array;
    sessionPubkey: Uint8Array;
    expiry: number;
    now: number;
  }): Session {
    if (expiry <= now) throw new Refused('EXPIRY_TIMESTAMP_IN_PAST');
    const pubkey = toBase58(userPubkey);
    const known = this.find(pubkey);
    if (known === undefined && this.#faucet === 0) throw new Refused('USER_NOT_FOUND');
    const user = known ?? this.register(pubkey);
    const { sessionSeconds } = this.#settings;
    const session = {
      id: this.#nextId(),
      user,
      publicKey: sessionPubkey,
      expiry: sessionSeconds === undefined ? expiry : now + sessionSeconds,
    };
    this.#sessions.set(session.id, session);
    const mine = this.sessionsOf(user, now).sort((a, b) => a.expiry - b.expiry);
    for (const old of mine.slice(0, Math.max(0, mine.length - SESSION_CAP))) this.#sessions.delete(old.id);
    return session;
  }

  /** Throws SESSION_NOT_FOUND for what never was, has expired or was evicted. */
  session(id: bigint, now: number): Session {
    const session = this.#sessions.get(id);
    if (session === undefined || session.expiry <= now) throw new Refused('SESSION_NOT_FOUND');
    return session;
  }

  sessionsOf(user: User, now: number): Session[] {
    return [...this.#sessions.values()].filter((session) => session.user === user && session.expiry > now);
  }

  evictAll(): void {
    this.#sessions.clear();
  }
}
