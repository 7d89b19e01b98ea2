// Makes the header of an imported tape from the data and the user's options: its decimals, and whether its market is spot or a perpetual.
import { basename } from 'node:path';
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { MAX_DECIMALS, type MarketKind } from '../../../bot/domain/market.ts';
import { STAMPS_PER_MILLI, type Stamp } from '../../../embedded/rows/rows.ts';
import type { TapeHeader } from '../../../embedded/tape/header.ts';
import type { Survey } from '../checks/survey.ts';
import { kindInName } from '../formats/candles/market-name.ts';
import type { Decimals, SizeUnits } from '../formats/numbers.ts';
import { FORMATS, type ImportFormat } from '../formats/reading.ts';

/** Values that the user sets; otherwise they are inferred or have defaults. */
export interface ImportOverrides extends SizeUnits {
  readonly kind?: MarketKind | undefined;
  readonly priceDecimals?: number | undefined;
  readonly sizeDecimals?: number | undefined;
  /** Margin fractions: 0.05 is 5 %. */
  readonly imf?: number | undefined;
  readonly mmf?: number | undefined;
  readonly cmf?: number | undefined;
  /** Milliseconds between two funding payments. */
  readonly fundingInterval?: Millis | undefined;
}

export interface ImportHeaderOptions {
  readonly from: ImportFormat;
  /** The symbol of the market on the tape. */
  readonly market: string;
  readonly overrides?: ImportOverrides | undefined;
}

/** Margin fractions of the hosted exchange, used by default. */
const DEFAULT_FRACTIONS = { imf: 0.05, cmf: 0.0375, mmf: 0.025 };
const HIGHEST_TICKS = 2 ** 31 - 1;
const HIGHEST_LOTS = 2 ** 52;

/** Returns the header. Throws a `UserError` if a tape cannot hold the market. */
export function headerOf(found: Survey, { from, market, overrides = {} }: ImportHeaderOptions): TapeHeader {
  if (market.trim() === '') throw wrong('--market is empty', 'give the symbol that strategies use for the market');
  if (overrides.contractValue === undefined && isInverse(from, found.symbol)) throw inverseError(found.symbol);
  const { price: priceDecimals, size: sizeDecimals } = decimalsFor(found, overrides);
  const { books, basePrice } = found;
  const fundingIntervalMs = overrides.fundingInterval ?? millisOf(found.fundingInterval ?? FORMATS[from].fundingInterval);
  const spacing = found.pollSpacing ?? found.candles?.length;
  return {
    market: {
      id: 0,
      symbol: market,
      kind: marketKindOf(found, market, overrides.kind).kind,
      baseTokenId: 1,
      quoteTokenId: 0,
      priceDecimals,
      sizeDecimals,
      ...fractionsFor(overrides),
    },
    basePrice: basePrice * (overrides.unit ?? 1),
    source: `${[from, found.symbol].filter(Boolean).join(' ')}${unitsText(overrides)} from ${filesText(found)}`,
    books,
    ...(spacing !== undefined && { pollMs: spacing / STAMPS_PER_MILLI }),
    ...(fundingIntervalMs !== undefined && { fundingIntervalMs }),
  };
}

const millisOf = (span: Stamp | undefined): Millis | undefined => span && Math.round(span / STAMPS_PER_MILLI);

function filesText({ files }: Survey): string {
  const names = files.map(({ input }) => basename(input.file));
  return names.length <= MAX_NAMED ? names.join(', ') : `${names[0]} … ${names.at(-1)} (${names.length} files)`;
}

const MAX_NAMED = 8;

const inverseError = (symbol = ''): UserError =>
  wrong(
    `${symbol} is an inverse contract: its sizes count quote money, and its profit is paid in the base token; a tape holds linear markets only`,
    'give --contract-value, the worth of a contract in quote tokens: the tape is then a linear market of the base token at the same prices',
  );

function unitsText({ unit = 1, contractValue }: SizeUnits): string {
  const parts = [
    ...(unit === 1 ? [] : [`in units of ${unit}`]),
    ...(contractValue === undefined ? [] : [`as if linear, a contract worth ${contractValue}`]),
  ];
  return parts.map((part) => `, ${part},`).join('');
}

/** Returns the decimals of prices and sizes. Throws a `UserError` if a tape cannot hold them. */
function decimalsFor(found: Survey, overrides: ImportOverrides): Decimals {
  const shift = Math.log10(overrides.unit ?? 1);
  if (!Number.isInteger(shift) || shift < 0) throw wrong(`--unit ${overrides.unit} is not a power of ten`, 'give for example 1000');
  const needed = Math.max(0, priceDecimalsIn(found, shift) - shift);
  const price = whole('--price-decimals', overrides.priceDecimals) ?? needed;
  const size =
    whole('--size-decimals', overrides.sizeDecimals) ??
    sizeDecimalsFor(Math.min(usefulSizeDecimals(found), mostSizeDecimals(found)) + shift, price, {
      ...overrides,
      rounds: found.books === 'candles',
    });
  checkPrecision(found, { price, size, needed, shift });
  checkLargest(found, { price, size, needed, shift });
  return { price, size };
}

/** The chosen decimals, the fewest decimals that the prices need, and the power of ten of `--unit`. */
interface ChosenDecimals extends Decimals {
  readonly needed: number;
  readonly shift: number;
}

/** Throws a `UserError` if prices would be rounded to one another, or price and size have too many decimals together. */
function checkPrecision(found: Survey, { price, size, needed, shift }: ChosenDecimals): void {
  const { decimals, books } = found;
  const needs = `the prices have ${decimals.price} decimals and the sizes ${decimals.size}`;
  if (books === 'candles') checkTick(found, price + shift);
  else if (price < needed) {
    throw wrong(
      `--price-decimals ${price}: ${needs}; with fewer, different price levels would become one`,
      `leave it out, or give at least ${needed}`,
    );
  }
  if (price + size <= MAX_DECIMALS) return;
  const hint =
    price > MAX_DECIMALS
      ? `--unit ${10 ** (shift + price - MAX_DECIMALS + 1)} makes it a market in units of that many tokens, with sizes rounded accordingly`
      : `--size-decimals ${MAX_DECIMALS - price} rounds sizes toward zero, to at least one step; --price-decimals may not be below ${needed}`;
  throw wrong(`${needs}; --price-decimals plus --size-decimals may be at most ${MAX_DECIMALS}`, hint);
}

/** Throws a `UserError` if the highest price or the largest volume is too large for a tape. */
function checkLargest({ books, highestPrice, highestSize }: Survey, { price, size, needed, shift }: ChosenDecimals): void {
  if (highestPrice * 10 ** (price + shift) > HIGHEST_TICKS) {
    throw wrong(
      `a price of ${highestPrice} with ${price + shift} decimals is more than ${HIGHEST_TICKS} ticks`,
      price > needed || books === 'candles' ? 'give fewer --price-decimals' : 'prices this high with this many decimals cannot be imported',
    );
  }
  if (books === 'candles' && highestSize * 10 ** (size - shift) > HIGHEST_LOTS)
    throw wrong(
      `a volume of ${highestSize} with ${size} decimals is more than a tape can hold`,
      'correct it, or give fewer --size-decimals',
    );
}

/** If a lot of candles is worth more quote tokens than this, their volumes are assumed to be rounded. */
const EXPENSIVE_LOT = 100;

/**
 * Returns the decimals of the sizes. Volumes of candles are sums, often rounded to whole tokens: with a lot size of one bitcoin most orders would be
 * smaller than a lot. An expensive lot gets enough decimals to be worth about one quote token.
 */
function usefulSizeDecimals({ books, highestPrice, decimals: { size } }: Survey): number {
  if (books !== 'candles' || highestPrice * 10 ** -size <= EXPENSIVE_LOT) return size;
  return Math.round(Math.log10(highestPrice));
}

/** Returns the number of decimals with which the volumes of candles fit a tape. */
const mostSizeDecimals = ({ books, highestSize }: Survey): number =>
  books === 'candles' ? Math.max(0, Math.floor(Math.log10(HIGHEST_LOTS / Math.max(1, highestSize)))) : Number.POSITIVE_INFINITY;

/**
 * Returns the decimals of prices. Floats with more decimals than a market usually has were computed: they get a tick of about a millionth of the price.
 */
function priceDecimalsIn({ decimals: { price }, noisyPrices, lowestPrice }: Survey, shift: number): number {
  if (!noisyPrices || price - shift <= MOST_NOISY_DECIMALS) return price;
  return Math.max(0, DIGITS - 1 - Math.floor(Math.log10(lowestPrice)));
}

/** The most decimals that floats with noise may have, to be those of a market. */
const MOST_NOISY_DECIMALS = 6;
/** Significant digits of the lowest price, if its decimals are not known. */
const DIGITS = 7;

/** Throws a `UserError` if the prices of candles would be rounded to nothing. */
function checkTick({ lowestPrice }: Survey, decimals: number): void {
  if (lowestPrice * 10 ** decimals >= 1) return;
  throw wrong(`--price-decimals ${decimals}: the lowest price is ${lowestPrice}, less than a tick`, 'leave it out, or give more decimals');
}

/**
 * Returns the decimals of sizes on the tape. `needed`: those that the data needs. Sizes in contracts do not show how many are needed: they get as many as the
 * tape allows. With `--unit` and for the volumes of candles, decimals that the tape does not allow are rounded away.
 */
function sizeDecimalsFor(needed: number, price: number, { unit = 1, contractValue, rounds }: SizeUnits & { rounds: boolean }): number {
  const most = Math.max(0, MAX_DECIMALS - price);
  if (contractValue !== undefined) return most;
  return unit === 1 && !rounds ? needed : Math.min(needed, most);
}

function fractionsFor({
  imf = DEFAULT_FRACTIONS.imf,
  cmf = DEFAULT_FRACTIONS.cmf,
  mmf = DEFAULT_FRACTIONS.mmf,
}: ImportOverrides): typeof DEFAULT_FRACTIONS {
  if (0 < mmf && mmf <= cmf && cmf <= imf && imf <= 1) return { imf, cmf, mmf };
  throw wrong(
    `--imf ${imf}, --cmf ${cmf}, --mmf ${mmf}: margin fractions must satisfy 0 < mmf <= cmf <= imf <= 1`,
    'for example 0.05, 0.0375, 0.025',
  );
}

function whole(flag: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return value;
  throw wrong(`${flag} ${value} is not a number of decimals`, 'give a whole number, 0 or more');
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'import', message, hint });

/**
 * Names of inverse contracts by format. Their sizes are in quote money and their profit is paid in the base token; a tape can hold linear markets only. A name
 * from Tardis is `<exchange> <symbol>`.
 */
const NAMES: Readonly<Partial<Record<ImportFormat, readonly RegExp[]>>> = {
  binance: [/USD(_PERP|_\d{6})$/],
  tardis: [
    /^binance-delivery /,
    /^bitmex (?!.*USD[TC])/,
    /^bybit \w*USD([HMUZ]\d\d)?$/,
    /^cryptofacilities (PI|FI)_/i,
    /^deribit (?!.*USD[TC])/,
    /^gate-io-futures \w*_USD$/,
    /^huobi-dm(-swap|-options)? /,
    /^okex-(swap|futures|options) .*-USD-/,
  ],
};

/** True if the exchange's name of a market is that of a known inverse contract. */
export const isInverse = (from: ImportFormat, symbol: string | undefined): boolean =>
  symbol !== undefined && (NAMES[from]?.some((name) => name.test(symbol)) ?? false);

interface KnownKind {
  readonly kind: MarketKind;
  /** How it is known, as text. */
  readonly because: string;
}

/**
 * Returns whether a recorded market is a spot market or a perpetual. What the user says counts first, then the data, then the name of the market, the
 * recording's own name of it and the names of the files. If none of them says it, the market is assumed to be a perpetual. Throws a `UserError` if the user
 * says spot of a market with funding.
 */
export function marketKindOf(found: Survey, market: string, asked: MarketKind | undefined): KnownKind {
  if (asked === 'spot' && found.kind?.kind === 'perp')
    throw new UserError({
      code: 'import',
      message: `--spot: the market is a perpetual: ${found.kind.because}`,
      hint: 'leave --spot out, or give the files of the spot market',
    });
  if (asked !== undefined) return { kind: asked, because: `as --${asked} says` };
  if (found.kind !== undefined) return found.kind;
  const names = [market, found.symbol ?? '', ...found.files.map(({ input }) => basename(input.file))];
  for (const name of names) {
    const kind = kindInName(name);
    if (kind !== undefined) return { kind, because: `inferred from the name ${name}; ${otherOption(kind)}` };
  }
  return { kind: 'perp', because: `assumed, because no name says it; ${otherOption('perp')}` };
}

const otherOption = (kind: MarketKind): string =>
  kind === 'spot' ? '--perp imports it as a perpetual' : '--spot imports it as a spot market';
