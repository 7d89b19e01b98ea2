// An independent local signing process with the local API over HTTP. It answers as the document says or as the real process does.
import type { Account, Order } from '../accounts.ts';
import { faultInjector, type ServerReply } from '../faults.ts';
import type { Request } from '../http.ts';
import { BIG_FIRST_ID, Ids } from '../ids.ts';
import { type Json, writeJson } from '../json.ts';
import { keyNamed } from '../keys.ts';
import { LISTINGS, sizeOf } from '../market.ts';
import { MatchingEngine } from '../matching-engine.ts';
import { answer as hostedAnswer } from '../routes.ts';
import type { Trade } from '../trading.ts';
import { Users } from '../users.ts';
import { NoReply } from './api-error.ts';
import { AS_REAL, type DifferenceName } from './differences.ts';
import { dispatch } from './dispatch.ts';
import { Funding, type FundingPayment } from './funding.ts';
import { type Outcome, serve } from './http.ts';
import { MarkHistory } from './mark-history.ts';
import { listingNamed } from './market-names.ts';
import { type LoggedCommand, OrderGateway } from './order-gateway.ts';
import type { ProcessState } from './process-state.ts';
import { type ProcessSettings, settingsWith } from './settings.ts';
import { type Transfer, Wallet } from './wallet.ts';

export interface ProcessOptions {
  /** Differences from the document. Those not named are on; AS_DOCUMENTED has all of them off. */
  readonly differences?: Partial<Record<DifferenceName, boolean>>;
  /** USDC in the account at the start; default 100000. */
  readonly funds?: number;
  /** Order ids above 2^53; default false. */
  readonly bigIds?: boolean;
  readonly seed?: string;
  /** Wall clock in milliseconds; also the engine time. */
  readonly now?: () => number;
  readonly port?: number;
  readonly settings?: Partial<ProcessSettings>;
}

/** The process's own record, which only tests can read. Every read first advances the process to the present. */
export interface ObservedProcess {
  readonly commands: readonly LoggedCommand[];
  /** A test may change its balance. */
  readonly account: Account;
  /** Open orders, oldest first. */
  readonly orders: readonly Order[];
  /** Trades of all accounts, oldest first. */
  readonly trades: readonly Trade[];
  /** Oldest first. */
  readonly transfers: readonly Transfer[];
  /** Oldest first. */
  readonly fundingPayments: readonly FundingPayment[];
  /** Number of requests by method and path: `GET /account`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Base units; negative for a short position. The default market is `BTC-PERP`. */
  position(market?: string): number;
}

export interface Control {
  /** Changes how the process behaves from now on. */
  set(changes: Partial<ProcessSettings>): void;
  /** Executes the next `count` write requests and loses their replies. */
  loseReplies(count: number): void;
}

export interface ForeignProcess {
  readonly url: string;
  /** Handles a request without a socket and without delay. */
  handle(request: Request): Outcome;
  /** Returns the answer of the hosted API of the same exchange to a path such as `/account/4`. */
  hosted(path: string): Json;
  readonly state: ObservedProcess;
  readonly control: Control;
  close(): Promise<void>;
}

/** The account id in both APIs. */
export const ACCOUNT_ID = 4;

export async function startForeignProcess(options: ProcessOptions = {}): Promise<ForeignProcess> {
  const settings = settingsWith({ ...AS_REAL, ...options.differences }, options.settings);
  const { state, users, afterAdvancing } = createProcessState(options, settings);
  const requests = new Map<string, number>();
  const injectFaults = faultInjector(settings);
  const handle = (request: Request): Outcome => {
    const methodAndPath = `${request.method} ${request.path.replace(/\?.*/, '')}`;
    requests.set(methodAndPath, (requests.get(methodAndPath) ?? 0) + 1);
    return afterAdvancing(() => outcomeOf(state, request, injectFaults));
  };
  const handler = { handle, delayMs: () => (settings.badData.includes('slow') ? settings.slowMs : 0) };
  const { url, close } = await serve(handler, options.port);
  const hosted = (path: string): Json => {
    const { pathname, searchParams } = new URL(path, 'http://loopback');
    const exchange = { engine: state.engine, users, settings, engineMs: state.now };
    return afterAdvancing(() => hostedAnswer(exchange, pathname, new Map(searchParams)).json);
  };
  return { url, close, handle, hosted, state: observe({ state, requests, afterAdvancing }), control: controlOf(settings) };
}

type AfterAdvancing = <T>(read: () => T) => T;

/** Creates all parts of the process. `afterAdvancing` processes everything that is due, then calls its argument. */
function createProcessState(
  options: ProcessOptions,
  settings: ProcessSettings,
): { state: ProcessState; users: Users; afterAdvancing: AfterAdvancing } {
  const { funds = 100_000, bigIds = false, seed = 'foreign', now = Date.now } = options;
  const startedAt = now();
  const { next: nextId } = new Ids(bigIds ? BIG_FIRST_ID : 1n);
  const engine = new MatchingEngine({ seed, settings, nextId, timeAt: (elapsedMs) => startedAt + elapsedMs });
  const users = new Users({ engine, settings, faucet: funds, firstAccounts: [ACCOUNT_ID], nextId });
  users.register(keyNamed('user').base58);
  const account = engine.accounts.get(ACCOUNT_ID);
  if (account === undefined) throw new Error('the user has no account');
  const markHistories = LISTINGS.map((listing) => new MarkHistory({ listing, seed, startedAt }));
  const gateway = new OrderGateway({ engine, account, settings, nextId, now });
  const wallet = new Wallet({ engine, account, settings, now });
  const funding = new Funding({ account, markHistories, startedAt });
  const afterAdvancing: AfterAdvancing = (read) => {
    const present = now();
    for (let due = Math.min(gateway.dueAt, funding.dueAt); due <= present; due = Math.min(gateway.dueAt, funding.dueAt)) {
      engine.advanceTo(due - startedAt);
      if (funding.dueAt === due) funding.settleHour();
      gateway.applyDueCancels(due);
    }
    engine.advanceTo(present - startedAt);
    return read();
  };
  return { state: { engine, account, settings, gateway, wallet, funding, markHistories, now }, users, afterAdvancing };
}

function outcomeOf(state: ProcessState, request: Request, injectFaults: ReturnType<typeof faultInjector>): Outcome {
  try {
    const { reply, isWrite } = dispatch(state, request);
    const isLost = isWrite && state.settings.loseReplies > 0;
    if (isLost) state.settings.loseReplies--;
    return isLost ? 'cut' : written(isWrite ? reply : withFaults(request, reply, injectFaults));
  } catch (thrown) {
    if (thrown instanceof NoReply) return 'hangs';
    throw thrown;
  }
}

/** Applies the faults of the hosted API: they expect its paths and replies without an envelope. */
function withFaults({ path }: Request, reply: ServerReply, injectFaults: ReturnType<typeof faultInjector>): ServerReply {
  if (!('json' in reply)) return reply;
  const { json } = reply;
  if (reply.status !== 200 || typeof json !== 'object' || json === null || !('result' in json)) return injectFaults(path, reply);
  const bad = injectFaults(hostedPath(path), { status: reply.status, json: json.result });
  return 'json' in bad && bad.status === 200 ? { ...bad, json: { ...json, result: bad.json } } : bad;
}

function hostedPath(path: string): string {
  const [, market] = /^\/markets\/([^/]+)\/orderbook/.exec(path) ?? [];
  if (market !== undefined) return `/market/${listingNamed(market).marketId}/orderbook`;
  const own = ['/account', '/positions', '/orders'].indexOf(path.replace(/\?.*/, ''));
  return own === -1 ? path : `/account/${own}`;
}

const written = (reply: ServerReply): Outcome =>
  'html' in reply
    ? { status: reply.status, contentType: 'text/html; charset=utf-8', body: Buffer.from(reply.html) }
    : { status: reply.status, contentType: 'application/json; charset=utf-8', body: Buffer.from(writeJson(reply.json)) };

function observe({
  state,
  requests,
  afterAdvancing,
}: {
  state: ProcessState;
  requests: ReadonlyMap<string, number>;
  afterAdvancing: AfterAdvancing;
}): ObservedProcess {
  const { engine, account, gateway, wallet, funding } = state;
  return {
    commands: gateway.log,
    account,
    requests,
    transfers: wallet.transfers,
    get orders() {
      return afterAdvancing(() => gateway.orders);
    },
    get trades() {
      return afterAdvancing(() => engine.trades);
    },
    get fundingPayments() {
      return afterAdvancing(() => funding.payments);
    },
    position: (market = 'BTC-PERP') =>
      afterAdvancing(() => {
        const listing = listingNamed(market);
        return sizeOf(listing, account.sizeIn(listing));
      }),
  };
}

const controlOf = (settings: ProcessSettings): Control => ({
  set: (changes) => void Object.assign(settings, changes),
  loseReplies: (count) => {
    settings.loseReplies = count;
  },
});
