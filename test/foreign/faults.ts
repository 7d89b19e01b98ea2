// Faults that the exchange can be set to show, and their effect on replies.
import type { Json } from './json.ts';

export const BAD_DATA = [
  'nullPrices',
  'crossedBook',
  'emptyBook',
  'absurdBook',
  'frozen',
  'staleBook',
  'staleAccount',
  'failingAccount',
  'html',
  'slow',
] as const;
export type BadData = (typeof BAD_DATA)[number];

/** Every setting can change while the exchange runs. */
export interface Settings {
  /** Several kinds may be active at once. */
  badData: readonly BadData[];
  /** Engine time minus wall clock. */
  timeOffsetSeconds: number;
  /** Life of every session in seconds; overrides the requested expiry. */
  sessionSeconds: number | undefined;
  echoClientOrderId: boolean;
  /** Order, action, trade and client order ids as JSON strings. */
  idsAsStrings: boolean;
  /** Accounts show omf = imf and cannot increase their exposure. */
  noFreeMargin: boolean;
  /** Number of the next actions that are executed but whose replies are lost. */
  loseReplies: number;
  /** Delay of a GET while `slow` is active. */
  slowMs: number;
}

export const NO_FAULTS: Settings = {
  badData: [],
  timeOffsetSeconds: 0,
  sessionSeconds: undefined,
  echoClientOrderId: true,
  idsAsStrings: false,
  noFreeMargin: false,
  loseReplies: 0,
  slowMs: 8_000,
};

export interface Reply {
  readonly status: number;
  readonly json: Json;
}

/** A JSON reply, or an HTML page instead of JSON. */
export type ServerReply = Reply | { readonly status: number; readonly html: string };

const BOOK = /^\/market\/\d+\/orderbook$/;
const STATS = /^\/market\/\d+\/stats$/;
const ACCOUNT = /^\/account\/\d+$/;
const LIVE = /^\/markets\/live$/;

/** Returns a function that applies the active faults to replies to GET requests. It keeps the last correct replies for the stale faults. */
export function faultInjector(settings: Settings): (path: string, reply: Reply) => ServerReply {
  const remembered = new Map<string, Reply>();
  return (path, reply) => {
    const bad = (kind: BadData): boolean => settings.badData.includes(kind);
    if (bad('html')) return { status: 200, html: '<html><body>one moment, please</body></html>' };
    if (bad('failingAccount') && ACCOUNT.test(path)) return { status: 500, json: { message: 'out of order' } };
    const isStale = (bad('staleBook') && BOOK.test(path)) || (bad('staleAccount') && ACCOUNT.test(path));
    const correct = isStale ? (remembered.get(path) ?? reply) : reply;
    remembered.set(path, correct);
    return settings.badData.reduce((withFaults, kind) => withFault(kind, path, withFaults), correct);
  };
}

function withFault(kind: BadData, path: string, reply: Reply): Reply {
  const { json } = reply;
  if (reply.status !== 200 || !isObject(json)) return reply;
  if (BOOK.test(path) && isOneOf(kind, BOOK_FAULTS)) return { ...reply, json: { ...json, ...BOOK_FAULTS[kind](json) } };
  if (kind !== 'nullPrices' && kind !== 'frozen') return reply;
  const changes =
    kind === 'frozen' ? { frozen: true } : { indexPrice: null, indexPriceConf: null, markPrice: null, projectedFundingRate: null };
  if (LIVE.test(path))
    return { ...reply, json: { markets: listOf(json['markets']).map((row) => ({ ...(isObject(row) ? row : {}), ...changes })) } };
  if (STATS.test(path))
    return { ...reply, json: { ...json, ...(kind === 'frozen' ? changes : { indexPrice: null, indexPriceConf: null, perpStats: null }) } };
  return reply;
}

type JsonObject = { readonly [key: string]: Json };

const NOTHING = { sum: 0, count: 0 };

const BOOK_FAULTS: Record<'crossedBook' | 'emptyBook' | 'absurdBook', (book: JsonObject) => JsonObject> = {
  crossedBook: (book) => ({ bids: priced(book['bids'], 1.01) }),
  emptyBook: () => ({ bids: [], asks: [], bidsSummary: NOTHING, asksSummary: NOTHING }),
  absurdBook: (book) => ({ bids: priced(book['bids'], 1_000), asks: priced(book['asks'], 1_000) }),
};

const priced = (levels: Json | undefined, factor: number): Json =>
  listOf(levels).map((level) => {
    const [price, size] = listOf(level);
    return [Math.round(Number(price) * factor), size ?? null];
  });

const listOf = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? json : []);
const isObject = (json: Json): json is JsonObject => typeof json === 'object' && json !== null && !Array.isArray(json);
const isOneOf = <K extends string>(key: string, table: Record<K, unknown>): key is K => Object.hasOwn(table, key);
