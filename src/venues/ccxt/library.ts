// The part of the library ccxt that is used, and how it is loaded: it is optional, pinned to one version, and never given a key.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { assert, messageOf, UserError } from '../../base/errors.ts';
import { BUILT, packageOf } from '../../base/package.ts';
import { readJson } from '../../base/text/json.ts';
import { suggestion } from '../../base/text/phrases.ts';

/** The version that this program was tested with, as in package.json. */
const VERSION = '4.5.84';
/** In the repository, npm installs a peer dependency as one of development only. */
const INSTALL = `npm install ${BUILT ? '' : '--no-save --save-dev '}ccxt@${VERSION}`;

/** An instance of an exchange. Answers are checked where they are used. */
export interface CcxtExchange {
  readonly id: string;
  readonly has: Readonly<Record<string, unknown>>;
  readonly timeframes?: Readonly<Record<string, unknown>> | undefined;
  readonly features?: unknown;
  /** Its addresses, nested by the parts of its API. Some have `{hostname}` in them. */
  readonly urls: { api: unknown };
  /** 4 if precisions are steps, 2 if they are decimals, 3 if they are significant digits. */
  readonly precisionMode?: unknown;
  /** Milliseconds between two requests of cost 1. */
  readonly rateLimit?: unknown;
  enableRateLimit: boolean;
  /** Waits until a request of this cost may leave. Called before each request if `enableRateLimit` is set. */
  throttle?: ((cost?: number) => Promise<void>) | undefined;
  /** Sends a request; set by the network of this program. */
  fetchImplementation?: FetchImplementation | undefined;
  /** Returns undefined for a text that is not JSON. */
  parseJson?: ((text: string) => unknown) | undefined;
  implodeHostname?(url: string): string;
  /** Without `reload`, a failure of the first call is returned again by all later ones. */
  loadMarkets(reload: true): Promise<unknown>;
  fetchTime(): Promise<unknown>;
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<unknown>;
  fetchFundingRateHistory(symbol: string, since: number, limit: number): Promise<unknown>;
  fetchTrades(symbol: string, since?: number): Promise<unknown>;
  fetchOrderBook?(symbol: string, limit?: number): Promise<unknown>;
  fetchFundingRate?(symbol: string): Promise<unknown>;
  fetchFundingRates?(symbols: readonly string[]): Promise<unknown>;
}

export type FetchImplementation = (url: string, request: FetchRequest) => Promise<FetchResponse>;

export interface FetchRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** As much of an answer as ccxt reads. */
export interface FetchResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  text(): Promise<string>;
}

export interface Ccxt {
  readonly version: string;
  /** Names of the exchanges. */
  readonly exchanges: readonly string[];
  create(name: string): CcxtExchange;
  /** True if the same question may be answered later. */
  isTemporary(error: unknown): boolean;
}

type Module = Readonly<Record<string, unknown>>;
type ErrorClass = abstract new () => Error;

/**
 * Loads ccxt. `name` is a variable, so that the compiler does not need the optional package. Throws a UserError that says what to install if ccxt is missing or
 * of another version.
 */
export async function loadCcxt(name = 'ccxt'): Promise<Ccxt> {
  const loaded = (await packageOf(`ccxt@${VERSION}`, () => import(name), INSTALL)) as Module & { readonly default?: Module };
  const version = installedVersion();
  if (version !== VERSION)
    throw new UserError({
      code: 'option',
      message: `ccxt ${version} is installed; this program was tested with ${VERSION}, and other versions are not used`,
      hint: `type: ${INSTALL}`,
    });
  return ccxtOf(loaded.default ?? loaded, version);
}

/** The version in its package.json. The library's own `version` may be an earlier one. */
function installedVersion(): string {
  try {
    const main = createRequire(import.meta.url).resolve('ccxt');
    const text = readFileSync(main.replace(/^(.*[\\/]ccxt[\\/]).*$/, '$1package.json'), 'utf8');
    return z.object({ version: z.string() }).parse(readJson(text, { maxBytes: 1 << 20, maxDepth: 16 })).version;
  } catch (error) {
    throw new UserError({
      code: 'option',
      message: `the version of ccxt cannot be read: ${messageOf(error)}`,
      hint: `type: ${INSTALL}`,
    });
  }
}

/** `module`: the library. Its error classes say whether an error is temporary. */
export function ccxtOf(module: Module, version: string): Ccxt {
  const temporary = module['OperationFailed'] as ErrorClass;
  return {
    version,
    exchanges: module['exchanges'] as readonly string[],
    create(name) {
      const Exchange = module[name] as new (options: object) => CcxtExchange;
      const exchange = new Exchange({ enableRateLimit: true });
      requireNoKey(exchange);
      return exchange;
    },
    isTemporary: (error) => error instanceof temporary,
  };
}

/** The fields of an instance that could hold a secret, or say whose account is meant. */
const CREDENTIALS = ['apiKey', 'secret', 'uid', 'accountId', 'login', 'password', 'twofa', 'privateKey', 'walletAddress', 'token'] as const;

/** No key is ever given; this fails if the library has found one by itself. */
export function requireNoKey(exchange: object): void {
  const given = CREDENTIALS.filter((name) => Boolean((exchange as Readonly<Record<string, unknown>>)[name]));
  assert(given.length === 0, `ccxt has credentials that nobody gave it: ${given.join(', ')}`);
}

/** Creates an exchange. Throws a UserError with the nearest name if ccxt does not know it. */
export function exchangeNamed(ccxt: Ccxt, name: string): CcxtExchange {
  if (ccxt.exchanges.includes(name)) return ccxt.create(name);
  throw new UserError({
    code: 'option',
    message: `ccxt ${ccxt.version} does not know the exchange "${name}"`,
    hint: suggestion(name, ccxt.exchanges, 'its documentation lists them'),
  });
}

/** Replaces scheme, host and port in all addresses, and switches off the limit of requests, which holds only at the exchange itself. */
export function redirect(exchange: CcxtExchange, url: string): void {
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/^https?:\/\/[^/]+/, url);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)]));
  };
  exchange.urls.api = replaced(exchange.urls.api);
  exchange.enableRateLimit = false;
}
