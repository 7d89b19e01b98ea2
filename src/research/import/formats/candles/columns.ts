// Recognises the columns of a candle file by their names, in the spellings of common programs and exchanges.
import { docsFile } from '../../../../base/package.ts';
import { Malformed, shortened } from '../fields.ts';
import { baseOf } from './market-name.ts';

/** The role of a column. `date` is a day, for a `time` column with a time of day; `rate` is a funding rate. */
export type ColumnRole = 'time' | 'date' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'rate' | 'symbol';

/** The names of time columns. A column without a name is the index of a table. */
const TIME_NAMES = `opentime opentimems candleopentime timeperiodstart starttime timestamp timestampms timestampus timestampns
datetime datetimeutc dateutc timeutc timems timeus timens times time ts t start startat unix unixtime
unixtimestamp unixms epoch calctime fundingtime date day index indexlevel`;

/** Names in lower case, letters alone, the preferred ones first. */
const NAMES: Readonly<Record<ColumnRole, readonly string[]>> = {
  time: [...TIME_NAMES.split(/\s/), ''],
  date: ['date'],
  open: ['open', 'openprice', 'priceopen', 'o'],
  high: ['high', 'highprice', 'pricehigh', 'h'],
  low: ['low', 'lowprice', 'pricelow', 'l'],
  close: ['close', 'closeprice', 'priceclose', 'last', 'c'],
  volume: ['volume', 'vol', 'v', 'basevolume', 'volumetraded', 'volumebase', 'tickvolume', 'tickvol'],
  rate: ['fundingrate', 'lastfundingrate'],
  symbol: ['symbol', 'ticker', 'pair', 'instrument', 'instid', 'market', 'tic'],
};

const CANDLE: readonly ColumnRole[] = ['time', 'open', 'high', 'low', 'close', 'volume'];
const RATE: readonly ColumnRole[] = ['time', 'rate'];

/** How many columns the known files without a header have: ccxt 6, Bybit and Kraken 7, OKX 9, Binance 12. */
const UNNAMED_COUNTS: readonly number[] = [6, 7, 9, 12];

export interface Columns {
  readonly names: readonly string[];
  /** The index of the column of each role. */
  readonly indices: Readonly<Partial<Record<ColumnRole, number>>>;
  readonly holds: 'candles' | 'funding';
}

const HOLDS = `a time, open, high, low, close and volume, or a time and funding_rate; ${docsFile('backtests.md')} lists the names`;

/** Selects between columns. */
export interface WantedColumns {
  /** Of several columns the one of this market; a column `Volume BTC` is the volume if the market is of BTC. */
  readonly market?: string | undefined;
  /** The name of the column of volumes; or a number, if the volumes are not those of a column. */
  readonly volume?: string | undefined;
}

export const isAmount = (volume: string | undefined): boolean => volume !== undefined && /^\d+(\.\d+)?$/.test(volume);

/** Returns the index of the column that the user named for the volumes. Throws `Malformed` if there is none of the name. */
function namedVolume(names: readonly string[], volume: string): number {
  const exact = names.findIndex((name) => name.toLowerCase() === volume.toLowerCase());
  const found = exact >= 0 ? exact : names.findIndex((name) => keyOf(name) !== '' && keyOf(name) === keyOf(volume));
  if (found >= 0) return found;
  throw new Malformed(
    `has no column "${volume}" for the volume: ${shortened(names.join(','))}`,
    'give --volume the name of a column, or an amount',
  );
}

/**
 * Returns the roles of the columns. `usable` selects the columns that may be used; default: all. Throws `Malformed` if some roles are missing.
 */
export function columnsOf(
  names: readonly string[],
  { market = '', volume }: WantedColumns,
  usable: (index: number) => boolean = () => true,
): Columns {
  const keys = names.map((name, index) => (usable(index) ? keyOf(name) : undefined));
  const volumes = [...NAMES.volume, `volume${baseOf(market).toLowerCase()}`];
  const indices: Partial<Record<ColumnRole, number>> = {};
  for (const role of Object.keys(NAMES) as ColumnRole[]) {
    const wanted = role === 'volume' ? volumes : NAMES[role];
    const index = wanted.map((name) => keys.indexOf(name)).find((found) => found >= 0);
    if (index !== undefined) indices[role] = index;
  }
  if (isAmount(volume)) delete indices.volume;
  else if (volume !== undefined) indices.volume = namedVolume(names, volume);
  const missing = (roles: readonly ColumnRole[]): readonly ColumnRole[] =>
    roles.filter((role) => indices[role] === undefined && !(role === 'volume' && isAmount(volume)));
  if (missing(CANDLE).length === 0) return { names, indices, holds: 'candles' };
  if (missing(RATE).length === 0) return { names, indices, holds: 'funding' };
  throw missingColumns(names, missing(CANDLE));
}

function missingColumns(names: readonly string[], missing: readonly ColumnRole[]): Malformed {
  const shown = shortened(names.join(','));
  if (missing.length === CANDLE.length) return new Malformed(`has the columns ${shown}; expected ${HOLDS}`);
  const hint =
    missing.includes('time') && names.some((name) => keyOf(name) === 'closetime')
      ? 'a candle is imported by the time of its opening: add a column open_time'
      : `expected ${HOLDS}`;
  return new Malformed(`has no column for ${missing.map((role) => `the ${role}`).join(', ')}: ${shown}`, hint);
}

/** Returns the columns of a file without a header. Throws `Malformed` if their number is not one of a known program. */
export function unnamedColumns(count: number, { volume }: WantedColumns): Columns {
  if (!UNNAMED_COUNTS.includes(count))
    throw new Malformed(
      `has ${count} values and no header; candles without a header have ${UNNAMED_COUNTS.join(', ')} values: time, open, high, low, close, volume, …`,
      'add a first line with the names of the columns',
    );
  const names = Array.from({ length: count }, (_, index) => `column ${index + 1}`);
  const indices: Partial<Record<ColumnRole, number>> = Object.fromEntries(CANDLE.map((role, index) => [role, index]));
  if (isAmount(volume)) delete indices.volume;
  else if (volume !== undefined) indices.volume = namedVolume(names, volume);
  return { names, indices, holds: 'candles' };
}

/** True if some of the names are those of candles or funding rates. */
export const hasColumnNames = (names: readonly string[]): boolean => {
  const keys = names.map(keyOf);
  const has = (role: ColumnRole): boolean => NAMES[role].some((name) => keys.includes(name));
  return has('rate') || (has('open') && has('close'));
};

/** `Open time`, `open_time`, `<OPEN>`, `1. open` → letters in lower case. */
export const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
