// Users, their accounts and their sessions.
import type { Account } from './accounts.ts';
import type { Settings } from './faults.ts';
import { toBase58 } from './keys.ts';
import type { MatchingEngine } from './matching-engine.ts';
import { Refused } from './trading.ts';

export interface User {
  readonly pubkey: string;
  /** In order of opening. The first is the default for actions without an account id. */
  readonly accounts: readonly Account[];
}

/** `expiry` in engine seconds. */
export interface Session {
  readonly id: bigint;
  readonly user: User;
  readonly publicKey: Uint8Array;
  readonly expiry: number;
}

/** Most sessions per user. A new session replaces the one that expires first. */
const SESSION_CAP = 8;

export class Users {
  readonly #users = new Map<string, User>();
  readonly #sessions = new Map<bigint, Session>();
  readonly #engine: MatchingEngine;
  readonly #settings: Settings;
  readonly #faucet: number;
  readonly #firstAccounts: readonly number[];
  readonly #nextId: () => bigint;

  constructor(given: {
    engine: MatchingEngine;
    settings: Settings;
    faucet: number;
    firstAccounts: readonly number[];
    nextId: () => bigint;
  }) {
    this.#engine = given.engine;
    this.#settings = given.settings;
    this.#faucet = given.faucet;
    this.#firstAccounts = given.firstAccounts;
    this.#nextId = given.nextId;
  }

  find(pubkey: string): User | undefined {
    return this.#users.get(pubkey);
  }

  /** Creates a user with its accounts, each funded with the faucet's USDC. */
  register(pubkey: string): User {
    const ids = this.#users.size === 0 ? this.#firstAccounts : [Math.max(0, ...this.#engine.accounts.keys()) + 1];
    const user = { pubkey, accounts: ids.map((id) => this.#engine.openAccount({ id, balance: this.#faucet * 1e6 })) };
    this.#users.set(pubkey, user);
    return user;
  }

  /** Opens a session for a user key of 32 bytes. Registers an unknown key if the faucet is on; otherwise throws USER_NOT_FOUND. */
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

  /** Returns a session. Throws SESSION_NOT_FOUND if it does not exist, has expired or was evicted. */
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
