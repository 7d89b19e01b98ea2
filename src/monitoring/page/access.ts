// Who may read the page: one link that is used once, then a cookie that scripts cannot read.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, Millis } from '../../base/clock.ts';

const SECRET_BYTES = 32;
export const LINK_LIFE: Millis = 600_000;
const SESSION_LIFE: Millis = 86_400_000;
/** Number of wrong secrets after which the link is invalid. */
const MOST_WRONG = 5;
const MOST_SESSIONS = 8;

export interface AccessOptions {
  readonly clock: Clock;
  /** Names the cookie: a browser sends a cookie to every port of this machine. */
  readonly port: () => number;
  /** The link that another process of this user has made since; it replaces the present one. Undefined if there is none. */
  readonly newLink?: (() => { readonly hash: Buffer; readonly until: Millis } | undefined) | undefined;
}

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

  /** Makes the link's secret; the one before becomes invalid. */
  newSecret(): string {
    const secret = newToken();
    this.#link = { hash: hashOf(secret), until: this.#options.clock.now() + LINK_LIFE, wrong: 0 };
    return secret;
  }

  /** Returns the `Set-Cookie` of a new session if this is the secret of the link, which becomes invalid; undefined if not. */
  open(secret: string): string | undefined {
    const made = this.#options.newLink?.();
    if (made !== undefined) this.#link = { ...made, wrong: 0 };
    const link = this.#link;
    if (link === undefined || this.#options.clock.now() > link.until) return undefined;
    if (!timingSafeEqual(hashOf(secret), link.hash)) {
      this.#link = link.wrong + 1 < MOST_WRONG ? { ...link, wrong: link.wrong + 1 } : undefined;
      return undefined;
    }
    this.#link = undefined;
    const token = newToken();
    const until = this.#options.clock.now() + SESSION_LIFE;
    this.#sessions = [...this.#sessions, { hash: hashOf(token), until }].slice(-MOST_SESSIONS);
    return `${this.#cookie}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_LIFE / 1_000}`;
  }

  /** True if the `Cookie` header has the token of a session. */
  has(cookies: string | undefined): boolean {
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

export const newToken = (): string => randomBytes(SECRET_BYTES).toString('base64url');
/** Hashes are compared, so that the time does not depend on the length of what was sent. */
export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
