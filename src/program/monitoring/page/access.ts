// Access to the page: a one-time link, exchanged for a session cookie that scripts cannot read.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, Millis } from '../../../base/clock.ts';

const SECRET_BYTES = 32;
/** How long a link can be used. */
export const LINK_LIFE: Millis = 600_000;
const SESSION_LIFE: Millis = 86_400_000;
/** The link becomes invalid after this many wrong secrets. */
const MAX_WRONG = 5;
const MAX_SESSIONS = 8;

export interface AccessOptions {
  readonly clock: Clock;
  /** Part of the cookie's name, because a browser sends cookies to every port of this machine. */
  readonly port: () => number;
  /** Returns a link that another process of this user has made, which replaces the current one; undefined if there is none. */
  readonly newLink?: (() => { readonly hash: Buffer; readonly until: Millis } | undefined) | undefined;
}

/** A secret by its hash, and the time until which it can be used. */
interface Session {
  readonly hash: Buffer;
  readonly until: Millis;
}

export class Access {
  readonly #options: AccessOptions;
  #link: (Session & { readonly wrong: number }) | undefined;
  #sessions: readonly Session[] = [];

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Makes a new secret for the link; the previous one becomes invalid. */
  newSecret(): string {
    const secret = newToken();
    this.#link = { hash: hashOf(secret), until: this.#options.clock.now() + LINK_LIFE, wrong: 0 };
    return secret;
  }

  /** If this is the link's secret, makes the link invalid and returns the `Set-Cookie` header of a new session; otherwise returns undefined. */
  login(secret: string): string | undefined {
    const newLink = this.#options.newLink?.();
    if (newLink !== undefined) this.#link = { ...newLink, wrong: 0 };
    const link = this.#link;
    if (link === undefined || this.#options.clock.now() > link.until) return undefined;
    if (!timingSafeEqual(hashOf(secret), link.hash)) {
      this.#link = link.wrong + 1 < MAX_WRONG ? { ...link, wrong: link.wrong + 1 } : undefined;
      return undefined;
    }
    this.#link = undefined;
    const token = newToken();
    const until = this.#options.clock.now() + SESSION_LIFE;
    this.#sessions = [...this.#sessions, { hash: hashOf(token), until }].slice(-MAX_SESSIONS);
    return `${this.#cookie}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_LIFE / 1_000}`;
  }

  /** True if the `Cookie` header has the token of a session that has not expired. */
  hasSession(cookies: string | undefined): boolean {
    const name = `${this.#cookie}=`;
    const tokens = (cookies ?? '').split(/; */).flatMap((cookie) => (cookie.startsWith(name) ? [cookie.slice(name.length)] : []));
    const now = this.#options.clock.now();
    return tokens.some((token) => {
      const hash = hashOf(token);
      return this.#sessions.some((session) => now <= session.until && timingSafeEqual(hash, session.hash));
    });
  }

  get #cookie(): string {
    return `tickwright-${this.#options.port()}`;
  }
}

/** Returns a new random secret, as text for URLs and cookies. */
export const newToken = (): string => randomBytes(SECRET_BYTES).toString('base64url');
/** Returns the hash by which secrets are compared, so that the comparison takes the same time for every input. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
