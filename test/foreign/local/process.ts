// A local process that we pretend not to have written: the local API over HTTP, as the real one answers or as the document has it.
import type { Account, Order } from '../accounts.ts';
import type { Trade } from '../deals.ts';
import { type Sent, spoiler } from '../faults.ts';
import { Floor } from '../floor.ts';
import type { Request } from '../http.ts';
import { BIG_FIRST_ID, Ids } from '../ids.ts';
import { type Json, writeJson } from '../json.ts';
import { keyNamed } from '../keys.ts';
import { LISTINGS, sizeOf } from '../market.ts';
import { answer as hostedAnswer } from '../routes.ts';
import { Users } from '../users.ts';
import { Chart } from './candles.ts';
import { Desk, type LoggedCommand } from './desk.ts';
import { Funding, type FundingPayment } from './funding.ts';
import type { House } from './house.ts';
import { type Outcome, serve } from './http.ts';
import { listingNamed } from './names.ts';
import { Silence } from './problem.ts';
import { answered } from './reception.ts';
import { AS_THE_REAL_ONE, type RowName } from './rows.ts';
import { type ProcessSettings, settingsWith } from './settings.ts';
import { type Transfer, Wallet } from './wallet.ts';

export interface ProcessOptions {
  /** Differences from the document; those that are not named are on: AS_DOCUMENTED has them all off. */
  readonly rows?: Partial<Record<RowName, boolean>>;
  /** USDC in the account at the start; default 100000. */
  readonly funds?: number;
  /** Order ids above 2^53; default false. */
  readonly bigIds?: boolean;
  readonly seed?: string;
  /** Wall clock in milliseconds; engine time is the same. */
  readonly now?: () => number;
  readonly port?: number;
  readonly settings?: Partial<ProcessSettings>;
}

/** What nobody but the test can see: the truth, up to the present moment. */
export interface GodView {
  readonly commands: readonly LoggedCommand[];
  /** A test may write its balance. */
  readonly account: Account;
  /** Open ones, the oldest first. */
  readonly orders: readonly Order[];
  /** Of everybody, the oldest first. */
  readonly trades: readonly Trade[];
  /** The oldest first. */
  readonly transfers: readonly Transfer[];
  /** The oldest first. */
  readonly fundingPayments: readonly FundingPayment[];
  /** How often each method and path was asked for: `GET /account`. */
  readonly requests: ReadonlyMap<string, number>;
  /** Base units, negative when short; of `BTC-PERP` by default. */
  position(market?: string): number;
}

export interface Control {
  /** Changes how the process behaves from now on. */
  set(changes: Partial<ProcessSettings>): void;
  /** The next `count` requests that change something are executed, and their replies lost. */
  loseReplies(count: number): void;
}

export interface ForeignProcess {
  readonly url: string;
  /** As over HTTP, but at once. */
  handle(request: Request): Outcome;
  /** What the hosted API says of the same exchange, by a path of its own: `/account/4`. */
  hosted(path: string): Json;
  readonly state: GodView;
  readonly control: Control;
  close(): Promise<void>;
}

/** The account's number on both surfaces. */
export const ACCOUNT_ID = 4;

export async function startForeignProcess(options: ProcessOptions = {}): Promise<ForeignProcess> {
  const settings = settingsWith({ ...AS_THE_REAL_ONE, ...options.rows }, options.settings);
  const { house, users, live } = foundHouse(options, settings);
  const requests = new Map<string, number>();
  const spoil = spoiler(settings);
  const handle = (request: Request): Outcome => {
    const asked = `${request.method} ${request.path.replace(/\?.*/, '')}`;
    requests.set(asked, (requests.get(asked) ?? 0) + 1);
    return live(() => outcomeOf(house, request, spoil));
  };
  const door = { handle, delayMs: () => (settings.badData.includes('slow') ? settings.slowMs : 0) };
  const { url, close } = await serve(door, options.port);
  const hosted = (path: string): Json => {
    const { pathname, searchParams } = new URL(path, 'http://loopback');
    const exchange = { floor: house.floor, users, settings, engineMs: house.now };
    return live(() => hostedAnswer(exchange, pathname, new Map(searchParams)).json);
  };
  return { url, close, handle, hosted, state: godView({ house, requests, live }), control: controlOf(settings) };
}

type Live = <T>(look: () => T) => T;

/** The floor with everything that stands on it; `live` lets all that is due by now happen first. */
function foundHouse(options: ProcessOptions, settings: ProcessSettings): { house: House; users: Users; live: Live } {
  const { funds = 100_000, bigIds = false, seed = 'foreign', now = Date.now } = options;
  const startedAt = now();
  const { next: nextId } = new Ids(bigIds ? BIG_FIRST_ID : 1n);
  const floor = new Floor({ seed, settings, nextId, timeAt: (elapsedMs) => startedAt + elapsedMs });
  const users = new Users({ floor, settings, faucet: funds, firstAccounts: [ACCOUNT_ID], nextId });
  users.register(keyNamed('user').base58);
  const account = floor.accounts.get(ACCOUNT_ID);
  if (account === undefined) throw new Error('the user has no account');
  const charts = LISTINGS.map((listing) => new Chart({ listing, seed, startedAt }));
  const desk = new Desk({ floor, account, settings, nextId, now });
  const wallet = new Wallet({ floor, account, settings, now });
  const funding = new Funding({ account, charts, startedAt });
  const live: Live = (look) => {
    const present = now();
    for (let due = Math.min(desk.dueAt, funding.dueAt); due <= present; due = Math.min(desk.dueAt, funding.dueAt)) {
      floor.advanceTo(due - startedAt);
      if (funding.dueAt === due) funding.keep();
      desk.keep(due);
    }
    floor.advanceTo(present - startedAt);
    return look();
  };
  return { house: { floor, account, settings, desk, wallet, funding, charts, now }, users, live };
}

function outcomeOf(house: House, request: Request, spoil: ReturnType<typeof spoiler>): Outcome {
  try {
    const { sent, deed } = answered(house, request);
    const isLost = deed && house.settings.loseReplies > 0;
    if (isLost) house.settings.loseReplies--;
    return isLost ? 'cut' : written(deed ? sent : spoilt(request, sent, spoil));
  } catch (thrown) {
    if (thrown instanceof Silence) return 'hangs';
    throw thrown;
  }
}

/** The hosted API's faults go by its paths and know no envelope. */
function spoilt({ path }: Request, sent: Sent, spoil: ReturnType<typeof spoiler>): Sent {
  if (!('json' in sent)) return sent;
  const { json } = sent;
  if (typeof json !== 'object' || json === null || !('result' in json)) return spoil(path, sent);
  const bad = spoil(hostedPath(path), { status: sent.status, json: json.result });
  return 'json' in bad && bad.status === 200 ? { ...bad, json: { ...json, result: bad.json } } : bad;
}

function hostedPath(path: string): string {
  const [, market] = /^\/markets\/([^/]+)\/orderbook/.exec(path) ?? [];
  if (market !== undefined) return `/market/${listingNamed(market).marketId}/orderbook`;
  const own = ['/account', '/positions', '/orders'].indexOf(path.replace(/\?.*/, ''));
  return own === -1 ? path : `/account/${own}`;
}

const written = (sent: Sent): Outcome =>
  'html' in sent
    ? { status: sent.status, contentType: 'text/html; charset=utf-8', body: Buffer.from(sent.html) }
    : { status: sent.status, contentType: 'application/json; charset=utf-8', body: Buffer.from(writeJson(sent.json)) };

function godView({ house, requests, live }: { house: House; requests: ReadonlyMap<string, number>; live: Live }): GodView {
  const { floor, account, desk, wallet, funding } = house;
  return {
    commands: desk.log,
    account,
    requests,
    transfers: wallet.transfers,
    get orders() {
      return live(() => desk.orders);
    },
    get trades() {
      return live(() => floor.trades);
    },
    get fundingPayments() {
      return live(() => funding.payments);
    },
    position: (market = 'BTC-PERP') =>
      live(() => {
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
