// A small independent exchange with the hosted API over HTTP. It shares no code with src/.

import type { Order } from './accounts.ts';
import { Actions, type LoggedAction } from './actions.ts';
import { faultInjector, NO_FAULTS, type Settings } from './faults.ts';
import { type Answer, handle, type Request, serve } from './http.ts';
import { BIG_FIRST_ID, Ids } from './ids.ts';
import { LISTINGS, sizeOf } from './market.ts';
import { MatchingEngine } from './matching-engine.ts';
import { type Numbering, schemaText } from './numbering.ts';
import { answer, type Exchange } from './routes.ts';
import type { Trade } from './trading.ts';
import { Users } from './users.ts';

export interface ForeignOptions {
  /** Field numbers of actions: those of the interface document (default) or of the live exchange. */
  readonly numbering?: Numbering;
  /** Actions have client_order_id and sender_account_id; default true. */
  readonly extras?: boolean;
  /** Results of orders and cancels have no fields; default false. */
  readonly bareResults?: boolean;
  /** Order, action, trade and session ids start above 2^53; default false: they start at 1. */
  readonly bigIds?: boolean;
  /** Account ids of the first user, in order; default [4]. */
  readonly accountIds?: readonly number[];
  /** Base58 keys of users that exist from the start. */
  readonly users?: readonly string[];
  /** USDC in every new account; default 100000. With 0 an unknown key cannot open a session. */
  readonly faucet?: number;
  readonly seed?: string;
  /** Wall clock in milliseconds. */
  readonly now?: () => number;
  readonly port?: number;
  readonly settings?: Partial<Settings>;
}

/** The exchange's own record, which only tests can read. Every read first advances the exchange to the present. */
export interface ObservedExchange {
  readonly actions: readonly LoggedAction[];
  /** Open orders of all accounts, oldest first. */
  readonly orders: readonly Order[];
  /** Oldest first. */
  readonly trades: readonly Trade[];
  /** Number of requests by method and path: `GET /info`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Base units; negative for a short position. */
  position(at: { account: number; market?: number }): number;
}

export interface Control {
  /** Changes how the exchange behaves from now on. */
  set(changes: Partial<Settings>): void;
  /** Removes every session. */
  evictSessions(): void;
  /** Executes the next `count` actions and loses their replies. */
  loseReplies(count: number): void;
  /** Restarts the exchange: it keeps its books and forgets the messages it has seen. The transport decides how long it is unreachable. */
  restart(sessions: 'kept' | 'lost'): void;
}

export interface ForeignExchange {
  readonly url: string;
  /** Handles a request without a socket and without delay; undefined if the reply is lost. */
  handle(request: Request): Answer | undefined;
  readonly state: ObservedExchange;
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
  const engine = new MatchingEngine({ seed, settings, nextId: ids.next, timeAt });
  const users = new Users({ engine, settings, faucet, firstAccounts: options.accountIds ?? [4], nextId: ids.next });
  for (const pubkey of options.users ?? []) users.register(pubkey);
  const actions = new Actions({ engine, users, settings, ids, engineMs, dialect: { numbering, extras, bareResults } });

  const requests = new Map<string, number>();
  const exchange: Exchange = { engine, users, settings, engineMs };
  const injectFaults = faultInjector(settings);
  const afterAdvancing = <T>(read: () => T): T => {
    engine.advanceTo(now() - startedAt);
    return read();
  };
  const handlers = {
    delayMs: () => (settings.badData.includes('slow') ? settings.slowMs : 0),
    get: (path: string, query: ReadonlyMap<string, string>) => afterAdvancing(() => injectFaults(path, answer(exchange, path, query))),
    schema: () => schemaText({ numbering, extras }),
    action: (body: Uint8Array) => afterAdvancing(() => actions.execute(body)),
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
    state: observe({ engine, actions, requests, afterAdvancing }),
    control: controlOf(settings, { users, actions }),
  };
}

function observe(given: {
  engine: MatchingEngine;
  actions: Actions;
  requests: ReadonlyMap<string, number>;
  afterAdvancing: <T>(read: () => T) => T;
}): ObservedExchange {
  const { engine, actions, requests, afterAdvancing } = given;
  return {
    actions: actions.log,
    requests,
    get orders() {
      return afterAdvancing(() => [...engine.orders.values()]);
    },
    get trades() {
      return afterAdvancing(() => engine.trades);
    },
    position: ({ account, market = 0 }) =>
      afterAdvancing(() => {
        const listing = LISTINGS[market];
        return listing === undefined ? 0 : sizeOf(listing, engine.accounts.get(account)?.sizeIn(listing) ?? 0);
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
    actions.forgetSeenMessages();
    if (sessions === 'lost') users.evictAll();
  },
});
