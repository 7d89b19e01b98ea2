// Parsers of option values: from text on the command line to checked values. Each throws a UserError `option` for a wrong value.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Millis } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { PORT_WORDS, port, type ValueWords } from '../base/files/amount.ts';
import { COMMAND } from '../base/package.ts';
import { isDecimalText, scale } from '../base/text/decimal.ts';
import { durationIn } from '../base/text/duration.ts';
import { suggestion } from '../base/text/phrases.ts';
import type { AccountId } from '../bot/domain/ids.ts';
import { type Micros, micros } from '../bot/domain/numbers.ts';
import { timeZoneOf } from '../research/import/formats/candles/time-zone.ts';
import { CCXT_NAMES, ccxtKindNamed } from '../venues/ccxt/kind.ts';
import { namesModule } from '../venues/kind/modules/load-venue.ts';
import type { Read } from './declared.ts';

/** The longest time that a timer of Node can wait, in hours. */
const LONGEST_HOURS = 24 * 24;
const MAX_FAUCET = 1_000_000_000;
const MAX_SPEED = 1_000;

/** Returns a reader. `parse` returns undefined for a wrong text. The error then says that the text is not `what`, and gives the hint. */
export const reading =
  <T>(what: string, hint: string, parse: (text: string) => T | undefined): Read<T> =>
  (text, option) => {
    const value = parse(text);
    if (value !== undefined) return value;
    throw wrongValue(`${option} "${text}" is not ${what}`, hint);
  };

/** Returns the reader of a value that is also a key of the configuration: `schema` is the shape of that key. */
export const readerOf = <T>(schema: z.core.$ZodType<T>, { what, hint }: ValueWords): Read<T> =>
  reading(what, hint, (text) => z.safeParse(schema, text).data);

/** Returns the text as a whole number; undefined if it is none, or not from `least` to `most`. */
export function wholeNumberIn(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** Reads a length of time, such as `20s`, `5m` or `1.5h`. */
export const durationOf = (text: string, option: string): Millis => {
  const span = durationIn(text, ['s', 'm', 'h']) ?? 0;
  if (span <= 0) throw wrongValue(`${option} "${text}" is not a time`, 'write 20s, 5m or 2h');
  if (span > LONGEST_HOURS * 3_600_000)
    throw wrongValue(`${option} ${text} is longer than ${LONGEST_HOURS}h`, 'write a shorter time, or leave the option out');
  return span;
};

/** Reads a time: `2024-01-31` (its beginning in UTC), or RFC 3339: `2024-01-31T12:00:00Z`. Returns milliseconds since 1970. */
export const momentOf = reading('a time', 'write 2024-01-31 or 2024-01-31T12:00:00Z', (text): Millis | undefined => {
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/i.test(text);
  const moment = isMoment ? Date.parse(text) : Number.NaN;
  return moment > 0 ? moment : undefined;
});

/** Reads the length of a candle: `1m`, `4h`, `1d`. */
export const candleLengthOf = reading('the length of a candle', 'write 1m, 4h or 1d', (text): Millis | undefined => {
  const span = durationIn(text, ['s', 'm', 'h', 'd']) ?? 0;
  return span > 0 ? span : undefined;
});

/** Reads the name of a time zone, and returns it unchanged. */
export const zoneOf = reading('a time zone', 'write UTC, a name as in Europe/Athens, or an offset as in +02:00', (text) =>
  timeZoneOf(text) === undefined ? undefined : text,
);

/** Reads `--volume`: the name of a column, or an amount above 0. */
export function volumeOf(text: string): string {
  if (text.trim() !== '' && !/^0*(\.0*)?$/.test(text)) return text;
  throw wrongValue(`--volume "${text}" is neither a column nor an amount`, 'write the name of a column, or a number above 0');
}

export const portOf = readerOf(port, PORT_WORDS);

export function accountIdOf(text: string): AccountId {
  const id = wholeNumberIn(text, 0, 2 ** 32 - 1);
  if (id !== undefined) return id;
  throw wrongValue(`--account "${text}" is not an account id`, 'account ids are whole numbers; the default is your first account');
}

/** Reads the symbol of a coin. */
export function coinOf(text: string): string {
  if (/^[\w.-]{1,32}$/.test(text) && !isDecimalText(text)) return text;
  throw wrongValue(`"${text}" is not the symbol of a coin`, 'the coin goes before the amount, as in: wallet deposit USDC 12.5');
}

export interface CoinAmount {
  /** The text as typed. */
  readonly text: string;
  /** The same value as a number, exact. */
  readonly size: number;
}

/** Reads an amount of tokens to move: above 0, and exactly representable as a number. */
export function fundsOf(text: string): CoinAmount {
  const size = amountOf(text, 'the amount');
  if (size === 0) throw wrongValue(`the amount ${text} is zero`, 'write how many tokens to move');
  if (String(size) !== withoutIdleZeros(text)) throw wrongValue(`the amount ${text} cannot be sent exactly`, 'write fewer digits');
  return { text, size };
}

/** Returns a decimal without zeros that do not change its value. */
const withoutIdleZeros = (text: string): string => text.replace(/^0+(?=\d)/, '').replace(/\.0+$|(\.\d*[1-9])0+$/, '$1');

/** Reads an amount of quote money of at least 0. */
export function faucetOf(text: string): Micros {
  const amount = amountOf(text, '--faucet');
  if (amount > MAX_FAUCET) throw wrongValue(`--faucet ${text} is too large`, `write at most ${MAX_FAUCET}`);
  return micros(Number(scale(text, 6, 'down')));
}

export function speedOf(text: string): number {
  const speed = amountOf(text, '--speed');
  if (speed === 0 || speed > MAX_SPEED)
    throw wrongValue(`--speed ${text} is out of range`, `write more than 0 and at most ${MAX_SPEED} simulated seconds per second`);
  return speed;
}

/** The largest count or index of an option: numbers of up to six digits. */
export const MAX_COUNT = 999_999;

/** Reads a whole number above 0. */
export const countOf = reading('a whole number above 0', 'write for example 4', (text) => wholeNumberIn(text, 1, MAX_COUNT));

/** Reads the lengths of a training window and of the test window after it: `20d/5d`. */
export const walkOf = reading('a training and a test window', 'write two times, as in 20d/5d or 20m/5m', (text) => {
  const [trainMs = 0, testMs = 0, ...more] = text.split('/').map((part) => durationIn(part.trim()) ?? 0);
  return trainMs > 0 && testMs > 0 && more.length === 0 ? { trainMs, testMs } : undefined;
});

/** Reads the strategy of a run. The option may be repeated only with the same value. */
export const strategyNameOf: Read<string> = (text, option, before) => {
  if (before === undefined || before === text) return text;
  throw wrongValue(`${option} was given twice: "${before}" and "${text}"`, `give one; ${COMMAND} fleet runs several at once`);
};

/** Returns the reader of one of `choices`. */
export const choiceOf =
  <const T extends string>(choices: readonly T[]) =>
  (text: string, option: string): T => {
    const choice = choices.find((known) => known === text);
    if (choice !== undefined) return choice;
    throw wrongValue(`${option} "${text}" is not one of ${choices.join(', ')}`, suggestion(text, choices, 'write one of these'));
  };

/**
 * Returns the reader of an exchange: a name that the program knows, or the path or the installed package of a module. A name of ccxt is accepted only if
 * `names` has CCXT_NAMES.
 */
export const exchangeNameOf =
  (names: readonly string[]) =>
  (text: string, option: string): string => {
    if (ccxtKindNamed(text) === undefined) return namesModule(text) ? text : choiceOf(names)(text, option);
    if (names.includes(CCXT_NAMES)) return text;
    throw wrongValue(
      `${text} has no account, because nothing is traded through ccxt`,
      'leave out --exchange, and name the paper run, or its directory with --state',
    );
  };

/** Reads an amount of quote money above 0. */
export function depositOf(text: string): Micros {
  const amount = amountOf(text, '--deposit');
  if (amount === 0 || amount > MAX_FAUCET)
    throw wrongValue(`--deposit ${text} is out of range`, `write more than 0 and at most ${MAX_FAUCET}`);
  return micros(Number(scale(text, 6, 'down')));
}

/** Reads maker and taker fee in basis points of the notional: `1,4.5` or, with a maker rebate, `-0.5,2`. Returns parts per million. */
export function feesOf(text: string): { readonly makerPpm: number; readonly takerPpm: number } {
  const [, maker, taker] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  if (maker === undefined || taker === undefined)
    throw wrongValue(
      `--fees "${text}" is not a maker fee and a taker fee`,
      'write basis points, as in 1,4.5; only the maker fee may be negative, as in -0.5,2',
    );
  return { makerPpm: ppmOf(maker), takerPpm: ppmOf(taker) };
}

const ppmOf = (points: string): number => Math.round(Number(points) * 100);

export const decimalsOf = reading('a number of decimals', 'write for example 2', (text) => wholeNumberIn(text, 0, 18));

export const aboveZero = (text: string, option: string): number => {
  const amount = amountOf(text, option);
  if (amount === 0) throw wrongValue(`${option} ${text} is not above 0`, 'write a number above 0');
  return amount;
};

export const fractionOf = (text: string, option: string): number => {
  const fraction = amountOf(text, option);
  if (fraction === 0 || fraction > 1) throw wrongValue(`${option} ${text} is not a fraction`, 'write for example 0.05 for 5 %');
  return fraction;
};

/** Reads symbols separated by commas. */
export const symbolsOf = reading('a list of markets', 'write symbols with commas between them, as in BTCUSDC,ETHUSDC', (text) => {
  const symbols = text.split(',').map((symbol) => symbol.trim());
  return symbols.every((symbol) => /^[\w./-]{1,32}$/.test(symbol)) && new Set(symbols).size === symbols.length ? symbols : undefined;
});

export const randomSeed = (): string => randomBytes(4).toString('hex');

export const wrongValue = (message: string, hint: string): UserError => new UserError({ code: 'option', message, hint });

/** Reads a decimal of at least 0. */
function amountOf(text: string, option: string): number {
  if (isDecimalText(text) && !text.startsWith('-')) return Number(text);
  const example = /^\d+,\d+$/.test(text) ? text.replace(',', '.') : '1000';
  throw wrongValue(`${option} "${text}" is not a decimal of at least 0`, `write for example ${example}`);
}
