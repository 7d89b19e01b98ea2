// What the exchange is set to do badly, and how a reply looks after it.
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

/** All may be changed while the exchange runs. */
export interface Settings {
  /** Several at once are allowed. */
  badData: readonly BadData[];
  /** Engine time less wall clock. */
  timeOffsetSeconds: number;
  /** Every session lives this long, whatever expiry it asked for. */
  sessionSeconds: number | undefined;
  echoClientOrderId: boolean;
  /** Order, action, trade and client order ids as JSON strings. */
  idsAsStrings: boolean;
  /** Accounts show an omf that equals their imf, and may open nothing. */
  squeezed: boolean;
  /** How many of the next replies to actions get lost after the action was executed. */
  loseReplies: number;
  /** How long a GET takes with `slow`. */
  slowMs: number;
}

export const NO_FAULTS: Settings = {
  badData: [],
  timeOffsetSeconds: 0,
  sessionSeconds: undefined,
  echoClientOrderId: true,
  idsAsStrings: false,
  squeezed: false,
  loseReplies: 0,
  slowMs: 8_000,
};

export interface Reply {
  readonly status: number;
  readonly json: Json;
}

/** What leaves the server: a JSON reply, or text that is no JSON. */
export type Sent = Reply | { readonly status: number; readonly html: string };

const BOOK = /^\/market\/\d+\/orderbook$/;
const STATS = /^\/market\/\d+\/stats$/;
const ACCOUNT = /^\/account\/\d+$/;
const LIVE = /^\/markets\/live$/;

/** Spoils the answers to GET requests as the settings say; remembers the last honest answers for the stale ones. */
export function spoiler(settings: Settings): (path: string, reply: Reply) => Sent {
  const remembered = new Map<string, Reply>();
  return (path, reply) => {
    const bad = (kind: BadData): boolean => settings.badData.includes(kind);
    if (bad('html')) return { status: 200, html: '<html><body>one moment, please</body></html>' };
    if (bad('failingAccount') && ACCOUNT.test(path)) return { status: 500, json: { message: 'out of order' } };
    const isStale = (bad('staleBook') && BOOK.test(path)) || (bad('staleAccount') && ACCOUNT.test(path));
    const honest = isStale ? (remembered.get(path) ?? reply) : reply;
    remembered.set(path, honest);
    return settings.badData.reduce((spoilt, kind) => spoil(kind, path, spoilt), honest);
  };
}

function spoil(kind: BadData, path: string, reply: Reply): Reply {
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
