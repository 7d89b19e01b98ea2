// A small exchange that we pretend not to have written: the hosted API over HTTP, sharing no code with the project.

import type { Order } from './accounts.ts';
import { Actions, type LoggedAction } from './actions.ts';
import type { Trade } from './deals.ts';
import { NO_FAULTS, type Settings, spoiler } from './faults.ts';
import { Floor } from './floor.ts';
import { type Answer, handle, type Request, serve } from './http.ts';
import { BIG_FIRST_ID, Ids } from './ids.ts';
import { LISTINGS, sizeOf } from './market.ts';
import { type Numbering, schemaText } from './numbering.ts';
import { answer, type Exchange } from './routes.ts';
import { Users } from './users.ts';

export interface ForeignOptions {
  /** Field numbers of actions: the interface document's (default) or the live exchange's. */
  readonly numbering?: Numbering;
  /** Whether actions know client_order_id and sender_account_id; default true. */
  readonly extras?: boolean;
  /** Results of orders and cancels come without fields; default false. */
  readonly bareResults?: boolean;
  /** Order, action, trade and session ids above 2^53; default false: they start at 1. */
  readonly bigIds?: boolean;
  /** Of the first user, in order; default one account, 4. */
  readonly accountIds?: readonly number[];
  /** Base58 keys that have their accounts from the start. */
  readonly users?: readonly string[];
  /** USDC in every new account; default 100000; 0 = an unknown key cannot open a session. */
  readonly faucet?: number;
  readonly seed?: string;
  /** Wall clock in milliseconds. */
  readonly now?: () => number;
  readonly port?: number;
  readonly settings?: Partial<Settings>;
}

/** What nobody but the test can see: the truth, up to the present moment. */
export interface GodView {
  readonly actions: readonly LoggedAction[];
  /** Open orders of all accounts, the oldest first. */
  readonly orders: readonly Order[];
  /** The oldest first. */
  readonly trades: readonly Trade[];
  /** How often each method and path was asked for: `GET /info`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Base units, negative when short. */
  position(at: { account: number; market?: number }): number;
}

export interface Control {
  /** Changes how the exchange behaves from now on. */
  set(changes: Partial<Settings>): void;
  /** Every session is gone at once. */
  evictSessions(): void;
  /** The next `count` actions are executed, and their replies lost. */
  loseReplies(count: number): void;
  /** It comes back with its books, and without the bytes that it had seen. For how long it cannot be reached is the line's business. */
  restart(sessions: 'kept' | 'lost'): void;
}

export interface ForeignExchange {
  readonly url: string;
  /** As over HTTP, but at once: undefined where the line goes dead. */
  handle(request: Request): Answer | undefined;
  readonly state: GodView;
  readonly control: Control;
  close(): Promise<void>;
}

export async function startForeignExchange(options: ForeignOptions = {}): Promise<ForeignExchange> {
  const { numbering = 'document', extras = true, bareResults = false, bigIds = false, faucet = 100_000, seed = 'foreign' } = options;
  const now = options.now ?? Date.now;
  const startedAt = now();
  const settings: Settings = { ...NO_FAULTS, ...options.settings };
  const timeAt = (elapsedMs: number): number => startedAt + elapsedMs + settings.timeOffsetSeconds * 1_000;
  const engineMs = (): number => timeAt(now() - startedAt);
  const ids = new Ids(bigIds ? BIG_FIRST_ID : 1n);
  const floor = new Floor({ seed, settings, nextId: ids.next, timeAt });
  const users = new Users({ floor, settings, faucet, firstAccounts: options.accountIds ?? [4], nextId: ids.next });
  for (const pubkey of options.users ?? []) users.register(pubkey);
  const actions = new Actions({ floor, users, settings, ids, engineMs, dialect: { numbering, extras, bareResults } });

  const requests = new Map<string, number>();
  const exchange: Exchange = { floor, users, settings, engineMs };
  const spoil = spoiler(settings);
  const live = <T>(look: () => T): T => {
    floor.advanceTo(now() - startedAt);
    return look();
  };
  const handlers = {
    delayMs: () => (settings.badData.includes('slow') ? settings.slowMs : 0),
    get: (path: string, query: ReadonlyMap<string, string>) => live(() => spoil(path, answer(exchange, path, query))),
    schema: () => schemaText({ numbering, extras }),
    action: (body: Uint8Array) => live(() => actions.execute(body)),
    count: (method: string, path: string) => {
      const request = `${method} ${path.replace(/\?.*/, '')}`;
      requests.set(request, (requests.get(request) ?? 0) + 1);
    },
  };
  const { url, close } = await serve(handlers, options.port);
  const inProcess = (request: Request): Answer | undefined => {
    handlers.count(request.method, request.path);
    return handle(handlers, request);
  };
  return {
    url,
    close,
    handle: inProcess,
    state: godView({ floor, actions, requests, live }),
    control: controlOf(settings, { users, actions }),
  };
}

function godView(given: { floor: Floor; actions: Actions; requests: ReadonlyMap<string, number>; live: <T>(look: () => T) => T }): GodView {
  const { floor, actions, requests, live } = given;
  return {
    actions: actions.log,
    requests,
    get orders() {
      return live(() => [...floor.orders.values()]);
    },
    get trades() {
      return live(() => floor.trades);
    },
    position: ({ account, market = 0 }) =>
      live(() => {
        const listing = LISTINGS[market];
        return listing === undefined ? 0 : sizeOf(listing, floor.accounts.get(account)?.sizeIn(listing) ?? 0);
      }),
  };
}

const controlOf = (settings: Settings, { users, actions }: { users: Users; actions: Actions }): Control => ({
  set: (changes) => void Object.assign(settings, changes),
  evictSessions: () => users.evictAll(),
  loseReplies: (count) => {
    settings.loseReplies = count;
  },
  restart: (sessions) => {
    actions.forgetSeen();
    if (sessions === 'lost') users.evictAll();
  },
});
