// Finds the markets to trade by the names of the process or of the hosted API, and derives the decimals and margins that it does not report.
import { Decimal } from 'decimal.js';
import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/phrases.ts';
import { orElse } from '../../base/transport/client-error.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import { Market, type MarketSpec } from '../../bot/domain/market.ts';
import type { AdapterLog } from '../../bot/exchange/port.ts';
import { type LocalClient } from '../client/local/client.ts';
import { firstPage } from '../shared/cursor-pages.ts';
import type { LocalAccount, LocalMarket, LocalOrder, LocalPosition } from '../wire/json/local.ts';
import { fractionsOf } from './margins.ts';
import { QUOTES, Tokens, underlyingOf } from './tokens.ts';

export interface MarketDecimals {
  readonly price: number;
  readonly size: number;
}

export interface LocalListedMarket {
  /** The name at the process: `BTC-PERP`. */
  readonly name: string;
  readonly market: Market;
}

/** What the process showed when its markets were listed. */
export interface LocalListing {
  /** The markets to trade, in the requested order. */
  readonly listed: readonly LocalListedMarket[];
  readonly tokens: Tokens;
  readonly account: LocalAccount;
}

export interface LocalListingOptions {
  /** The process's own names, or the names of the hosted API: `BTCUSDC` is `BTC-PERP`. A market keeps the name by which it was requested. */
  readonly symbols: readonly string[];
  /** By symbol; used instead of decimals derived from observed values. */
  readonly decimals: Readonly<Record<string, MarketDecimals>>;
  readonly log: AdapterLog;
}

/** Levels of the book that are read; more levels give more reliable decimals. */
export const DEPTH = 100;

/** Throws a UserError `market` for a symbol that fits no market or several, and for a market without values to derive its decimals from. */
export async function listingOf(client: LocalClient, { log, ...options }: LocalListingOptions): Promise<LocalListing> {
  const [rows, coins, account, positions, orders] = await Promise.all([
    client.markets(),
    client.coins(),
    client.account(),
    client.positions(),
    client.openOrders(),
  ]);
  const wanted = options.symbols.map((symbol) => ({ symbol, row: rowFor(symbol, rows) }));
  for (const [index, { symbol, row }] of wanted.entries()) {
    const twin = wanted.slice(0, index).find((other) => other.row === row);
    if (twin !== undefined) throw marketError(`"${twin.symbol}" and "${symbol}" are the same market, ${row.name}`, 'name it once');
  }
  const tokens = new Tokens(coins);
  const listed = await Promise.all(
    wanted.map(async ({ symbol, row }): Promise<LocalListedMarket> => {
      const { price, size } = options.decimals[symbol] ?? (await observedDecimals(row.name, { client, positions, orders, log }));
      const id: MarketId = rows.indexOf(row);
      const terms = { ...tokens.of(row), ...fractionsOf(row.name, { account, positions }) };
      const kind = kindOf(row);
      return { name: row.name, market: new Market({ id, symbol, kind, priceDecimals: price, sizeDecimals: size, ...terms }) };
    }),
  );
  return { listed, tokens, account };
}

/**
 * Returns the kind that the process reports, if the name agrees: `BTC-PERP` is a future, `SOL/USDC` is spot. Throws a UserError `market` if they
 * contradict each other.
 */
function kindOf({ name, type }: LocalMarket): MarketSpec['kind'] {
  if ((type === 'spot') === name.includes('/')) return type === 'spot' ? 'spot' : 'perp';
  throw marketError(`the process lists ${name} as a ${type} market, but the name belongs to another kind`, 'leave this market out');
}

function rowFor(symbol: string, rows: readonly LocalMarket[]): LocalMarket {
  const named = rows.filter(({ name }) => name === symbol);
  const fitting = named.length > 0 ? named : rows.filter((row) => hostedSpellings(row).includes(symbol));
  const futures = fitting.filter(({ type }) => type === 'future');
  const [row, ...more] = futures.length > 0 ? futures : fitting;
  const names = rows.map(({ name }) => name);
  if (row === undefined) throw marketError(`the process has no market "${symbol}"`, suggestion(symbol, names));
  if (more.length > 0) throw marketError(`"${symbol}" could be ${fitting.map(({ name }) => name).join(' or ')}`, 'name one of them');
  return row;
}

/** Returns the possible names of the market on the hosted API; a name without a suffix is the future's. */
function hostedSpellings(row: LocalMarket): readonly string[] {
  if (row.type === 'future') return QUOTES.map((quote) => `${underlyingOf(row)}${quote}`);
  const plain = row.name.replace('/', '');
  return [plain, `${plain}-SPOT`];
}

interface Observed {
  readonly client: LocalClient;
  readonly positions: readonly LocalPosition[];
  readonly orders: readonly LocalOrder[];
  readonly log: AdapterLog;
}

/** Derives the decimals from all sizes and from all prices that must be on the tick, which excludes the current price. */
async function observedDecimals(name: string, { client, positions, orders, log }: Observed): Promise<MarketDecimals> {
  const { bids, asks } = await client.orderbook({ market: name, depth: DEPTH });
  const trades = (await orElse(firstPage(client.trades({ market: name })), undefined)) ?? []; // they only confirm the decimals of the book
  const ours = orders.filter((order) => order.market === name);
  const held = positions.filter(({ future, size }) => future === name && size !== 0).map(({ size }) => size);
  const prices = [...[...bids, ...asks].map(([price]) => price), ...[...trades, ...ours].flatMap(({ price }) => price ?? [])];
  const sizes = [...[...bids, ...asks].map(([, size]) => size), ...[...trades, ...ours].map(({ size }) => size), ...held];
  const decimalsIn = (what: string, values: readonly number[]): number => {
    const decimals = mostDecimals(values);
    if (decimals === undefined) {
      throw marketError(
        `the decimals of ${name} cannot be derived: its book is empty and nothing was traded`,
        'try again when there are orders or trades',
      );
    }
    if (!isStable(values)) {
      log.warn(
        `${name}: its ${what} seem to have ${decimals} decimals, derived from few values; a value with more decimals stops trading in this market`,
      );
    }
    return decimals;
  };
  return { price: decimalsIn('prices', prices), size: decimalsIn('sizes', sizes) };
}

/** Digits that are significant: a server that adds floats writes 0.30000000000000004 for 0.3. */
const SIGNIFICANT_DIGITS = 12;

/** Returns the maximum number of decimals of the values; undefined if there are no values. */
function mostDecimals(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values.map(decimalsOf));
}

/** True if both halves of the values have the same number of decimals: then it is unlikely that a decimal is missing. */
function isStable(values: readonly number[]): boolean {
  const half = Math.floor(values.length / 2);
  return half > 0 && mostDecimals(values.slice(0, half)) === mostDecimals(values.slice(half));
}

/** Returns the decimals of a double as written, without its rounding noise: 2 for 0.25, 7 for 1e-7. */
const decimalsOf = (value: number): number => new Decimal(value.toPrecision(SIGNIFICANT_DIGITS)).decimalPlaces();

const marketError = (message: string, hint: string): UserError => new UserError({ code: 'market', message, hint });
