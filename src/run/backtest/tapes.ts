// Makes tapes the markets of one exchange, or says why they cannot be.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { PROGRAM } from '../../base/package.ts';
import { STAMPS_PER_MILLI } from '../../domain/rows/rows.ts';
import type { QueueModel } from '../../embedded/recorded/queue.ts';
import { type ListedMarket, QUOTE, TOKENS, type Token } from '../../embedded/state/listing.ts';
import type { Tape } from '../../tape/reader.ts';

/** Price times size is counted in millionths of the quote token. */
const MOST_DECIMALS = 6;

/** A tape, or what will become one. */
export type Playable = Pick<Tape, 'header'>;

/** Throws a UserError `tape` or `queue` if the tapes cannot be played together, or not with this queue model. */
export function checkTapes(tapes: readonly Playable[], queue: QueueModel): void {
  const symbols = tapes.map(({ header }) => header.market.symbol);
  const twice = symbols.find((symbol, index) => symbols.indexOf(symbol) !== index);
  if (twice !== undefined)
    throw unfit(`two tapes are of ${twice}`, `give one tape for each market; parts of one recording are joined by ${PROGRAM} import`);
  for (const { header } of tapes) {
    const { symbol, priceDecimals, sizeDecimals } = header.market;
    if (priceDecimals + sizeDecimals > MOST_DECIMALS) {
      const found = `${symbol} has ${priceDecimals} decimals in its prices and ${sizeDecimals} in its sizes`;
      throw unfit(`${found}; together at most ${MOST_DECIMALS} are possible`, 'import it with fewer: --price-decimals, --size-decimals');
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
export type Window = { readonly [Edge in keyof Span]?: Span[Edge] | undefined };

/** Returns the span that all tapes cover, within the window, rounded up to milliseconds. Throws a UserError `tape` if it is empty. */
export function commonSpan(tapes: readonly Tape[], window: Window = {}): Span {
  const from = Math.max(...tapes.map(({ facts }) => millisOf(facts.first)));
  const to = Math.min(...tapes.map(endOf));
  if (from >= to) {
    const message = tapes.length === 1 ? 'the tape is empty' : 'the tapes do not overlap in time';
    throw unfit(message, `${PROGRAM} import and ${PROGRAM} record print what a tape holds and its time span`);
  }
  const part = { from: Math.max(from, window.from ?? from), to: Math.min(to, window.to ?? to) };
  if (part.from < part.to) return part;
  const [begins, ends] = [isoOf(from), isoOf(to)];
  const asked = [window.from === undefined ? '' : ` from ${isoOf(window.from)}`, window.to === undefined ? '' : ` to ${isoOf(window.to)}`];
  throw unfit(
    `${tapes.length === 1 ? 'the tape has' : 'the tapes have'} nothing${asked.join('')}`,
    `choose --from and --to within ${begins} and ${ends}`,
  );
}

const isoOf = (time: Millis): string => new Date(time).toISOString();

/** Returns the markets and tokens of the tapes. A tape has no collateral weights, so base tokens count in full. */
export function listingOf(tapes: readonly Playable[]): { markets: readonly ListedMarket[]; tokens: readonly Token[] } {
  const markets = tapes.map(({ header: { market, basePrice } }, id): ListedMarket => {
    return { spec: { ...market, id, baseTokenId: id + 1, quoteTokenId: QUOTE }, basePrice };
  });
  const bases = markets.map(({ spec: { baseTokenId, symbol, sizeDecimals } }): Token => {
    return { tokenId: baseTokenId, symbol, decimals: sizeDecimals, mintAddr: '', weightBps: 10_000 };
  });
  return { markets, tokens: [TOKENS[QUOTE]!, ...bases] };
}

const unfit = (message: string, hint: string): UserError => new UserError({ code: 'tape', message, hint });
