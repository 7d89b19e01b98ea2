// Opens tapes, and checks that they can be played together as the markets of one exchange.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { PROGRAM } from '../../base/package.ts';
import { timeText } from '../../base/text/duration.ts';
import { resolutionText } from '../../bot/domain/candle.ts';
import { MAX_DECIMALS, Market } from '../../bot/domain/market.ts';
import type { QueueModel } from '../exchange/recorded/queue.ts';
import { type ListedMarket, type ListedToken, QUOTE, TOKENS } from '../exchange/state/listing.ts';
import { STAMPS_PER_MILLI } from '../rows/rows.ts';
import { joinConsecutive, partsOf } from '../tape/consecutive.ts';
import { openTape, type Tape } from '../tape/reader.ts';

/** Opens tapes, those of one market that follow each other as one. Throws a UserError `tape` if one cannot be read, or they do not fit together. */
export async function openTapes(files: readonly string[]): Promise<readonly Tape[]> {
  const tapes: Tape[] = [];
  try {
    for (const file of files) tapes.push(await openTape(file));
    return await joinConsecutive(tapes);
  } catch (error) {
    for (const tape of tapes) await tape.close();
    throw error;
  }
}

/** Opens tapes as `openTapes` does, for `use`, and closes them afterwards. */
export async function withTapes<T>(files: readonly string[], use: (tapes: readonly Tape[]) => Promise<T>): Promise<T> {
  const tapes = await openTapes(files);
  try {
    return await use(tapes);
  } finally {
    for (const tape of tapes) await tape.close();
  }
}

/** A tape, or a planned one of which only the header is known. */
export type Playable = Pick<Tape, 'header'>;

/**
 * The tapes of each market. If a market has two tapes of candles, the one with the shorter candles is played, and the strategy is called at the end of
 * the longer ones.
 */
export interface MarketTapes<T extends Playable> {
  readonly played: T;
  /** The tape of the longer candles, which the strategy sees; undefined if it sees `played`. */
  readonly longer: T | undefined;
}

/** Returns the tapes of each market, in the order of their first tapes. Throws a UserError `tape` if tapes of one market do not fit together. */
export function tapesOfMarkets<T extends Playable>(tapes: readonly T[]): readonly MarketTapes<T>[] {
  const symbols = new Set(tapes.map(({ header }) => header.market.symbol));
  return [...symbols].map((symbol) => {
    const [first, second, ...more] = tapes.filter(({ header }) => header.market.symbol === symbol);
    if (second === undefined) return { played: first!, longer: undefined };
    const [played, longer] = lengthOf(second) < lengthOf(first!) ? [second, first!] : [first!, second];
    const fits = more.length === 0 && lengthOf(longer) > lengthOf(played) && lengthOf(longer) % lengthOf(played) === 0;
    if (!fits)
      throw unfit(
        `the tapes of ${symbol} are ${[first!, second, ...more].map(kindWords).join(', and ')}`,
        'give tapes of one market that follow each other, or candles of two lengths of which the longer is a multiple of the shorter',
      );
    if (decimalsOf(played) !== decimalsOf(longer))
      throw unfit(`the two tapes of ${symbol} have other decimals`, 'import both with the same --price-decimals and --size-decimals');
    return { played, longer };
  });
}

/** The tape of each market that is played. */
export const playedOf = <T extends Playable>(tapes: readonly T[]): readonly T[] => tapesOfMarkets(tapes).map(({ played }) => played);

/** The length of the candles of a tape; no number if it has none. */
const lengthOf = ({ header: { books, pollMs } }: Playable): Millis => (books === 'candles' && pollMs !== undefined ? pollMs : Number.NaN);
const kindWords = (tape: Playable): string =>
  Number.isNaN(lengthOf(tape)) ? 'order books' : `candles of ${resolutionText(lengthOf(tape))}`;
const decimalsOf = ({ header: { market } }: Playable): string => `${market.priceDecimals}/${market.sizeDecimals}`;

/** Throws a UserError `tape` or `queue` if the tapes cannot be played together, or not with this queue model. */
export function checkTapes(tapes: readonly Playable[], queue: QueueModel): void {
  const played = playedOf(tapes);
  const candles = played.filter(({ header }) => header.books === 'candles');
  if (candles.length > 0 && candles.length < played.length)
    throw unfit(
      `${candles[0]?.header.market.symbol} has candles, and another tape has order books`,
      'play them apart: within a candle its market stands still while the other moves, so a strategy that sees both could earn by that alone',
    );
  for (const { header } of tapes) {
    const { symbol, priceDecimals } = header.market;
    const { orderDecimals } = new Market(header.market);
    if (priceDecimals + orderDecimals > MAX_DECIMALS) {
      const found = `${symbol} has ${priceDecimals} decimals in its prices and ${orderDecimals} in its sizes`;
      throw unfit(`${found}; together at most ${MAX_DECIMALS} are possible`, 'import it with fewer: --price-decimals, --size-decimals');
    }
    if (queue.kind === 'exact' && header.books !== 'orders') {
      const message = `the tape of ${symbol} has no order ids, so queue positions cannot be exact`;
      throw new UserError({ code: 'queue', message, hint: 'use --queue conservative or --queue probabilistic' });
    }
  }
}

export interface Span {
  readonly from: Millis;
  readonly to: Millis;
}

const millisOf = (stamp: number): Millis => Math.ceil(stamp / STAMPS_PER_MILLI);

/** Returns the beginning of the earliest tape. */
export const beginningOf = (tapes: readonly Tape[]): Millis => Math.min(...tapes.map(({ facts }) => millisOf(facts.first)));

/** The end of a tape: of its last row, or of its last candle. */
const endOf = ({ facts, header: { books, pollMs = 0 } }: Tape): Millis => millisOf(facts.last) + (books === 'candles' ? pollMs : 0);

/** A part of the tapes' time. Absent: to where they reach. */
export type TimeWindow = { readonly [Edge in keyof Span]?: Span[Edge] | undefined };

/** Returns the span that all tapes cover, within the window, rounded up to milliseconds. Throws a UserError `tape` if it is empty. */
export function commonSpan(tapes: readonly Tape[], window: TimeWindow = {}): Span {
  const from = Math.max(...tapes.map(({ facts }) => millisOf(facts.first)));
  const to = Math.min(...tapes.map(endOf));
  if (from >= to) {
    const markets = [...new Set(tapes.map(({ header }) => header.market.symbol))].join(' and ');
    const message =
      tapes.length === 1 ? 'the tape is empty' : `the tapes of ${markets} have no time in common, and markets are played together`;
    throw unfit(message, `${PROGRAM} import and ${PROGRAM} record print what a tape holds and its time span`);
  }
  if (window.from !== undefined && window.to !== undefined && window.from >= window.to)
    throw unfit(`--to ${timeText(window.to)} is not after --from ${timeText(window.from)}`, 'swap them, or write a later --to');
  const part = { from: Math.max(from, window.from ?? from), to: Math.min(to, window.to ?? to) };
  if (part.from < part.to) return part;
  const [begins, ends] = [timeText(from), timeText(to)];
  const asked = [
    window.from === undefined ? '' : ` from ${timeText(window.from)}`,
    window.to === undefined ? '' : ` to ${timeText(window.to)}`,
  ];
  throw unfit(
    `${tapes.length === 1 ? 'the tape has' : 'the tapes have'} nothing${asked.join('')}`,
    `choose --from and --to within ${begins} and ${ends}`,
  );
}

/** The files of the tapes that reach into a span, in the order of the tapes. */
export const partsFor = (tapes: readonly Tape[], { from, to }: Span): readonly Tape[] =>
  tapes.flatMap((tape) => {
    const parts = partsOf(tape);
    return parts.filter((part) => parts.length === 1 || (endOf(part) > from && millisOf(part.facts.first) < to));
  });

/** Returns the markets and tokens of the tapes. A tape has no collateral weights, so base tokens count in full. */
export function listingOf(tapes: readonly Playable[]): { markets: readonly ListedMarket[]; tokens: readonly ListedToken[] } {
  const markets = tapes.map(({ header: { market, basePrice } }, id): ListedMarket => {
    return { spec: { ...market, id, baseTokenId: id + 1, quoteTokenId: QUOTE }, basePrice };
  });
  const bases = markets.map(({ spec: { baseTokenId, symbol, sizeDecimals } }): ListedToken => {
    return { tokenId: baseTokenId, symbol, decimals: sizeDecimals, mintAddr: '', weightBps: 10_000 };
  });
  return { markets, tokens: [TOKENS[QUOTE]!, ...bases] };
}

const unfit = (message: string, hint: string): UserError => new UserError({ code: 'tape', message, hint });
