// Keeps the candles of a strategy's history in the state directory, for the next start of the run.
// One file for each market and length, with lines of start, open, high, low, close and volume (empty if not known), in decimals.
import { MINUTE, type Millis } from '../../../../base/clock.ts';
import { type Candle, resolutionText } from '../../../domain/candle.ts';
import type { Market } from '../../../domain/market.ts';
import type { CandleRequest } from '../../../exchange/port.ts';
import type { CandlesWanted } from '../../../strategy/schedule.ts';
import type { World } from '../../../world/world.ts';
import type { LineFiles } from '../../state/line-files.ts';

type Files = Pick<LineFiles, 'add' | 'read'>;

export const candleFile = ({ symbol }: Market, span: Millis): string =>
  `candles-${symbol.replace(/[^\w.-]/g, '_')}-${resolutionText(span)}.csv`;

/** Reads the requested candles, as far as they were kept, oldest first. */
export function keptCandles(files: Files, { market, span, count, until }: CandleRequest): readonly Candle[] {
  const from = firstOf({ span, count, until });
  return candlesIn(files, market, span).filter(({ start }) => start >= from && start + span <= until);
}

/** All candles of a file, oldest first. Invalid lines, such as a truncated one, are skipped. */
function candlesIn(files: Files, market: Market, span: Millis): readonly Candle[] {
  const found = new Map<Millis, Candle>();
  for (const line of files.read(candleFile(market, span))) {
    const candle = candleIn(line, market);
    if (candle !== undefined && candle.start % span === 0) found.set(candle.start, candle);
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** Returns the start of the oldest requested candle. */
const firstOf = ({ span, count, until }: Omit<CandleRequest, 'market'>): Millis => until - (until % span) - count * span;

/**
 * Returns the part of the request that the kept candles do not answer; undefined if they answer all of it. Returns the whole request if they have a gap.
 */
export function remaining(asked: CandleRequest, kept: readonly Candle[]): CandleRequest | undefined {
  const { span, count } = asked;
  const [first, newest] = [firstOf(asked), kept.at(-1)];
  const hasGap = kept.some(({ start }, index) => start !== first + index * span);
  if (newest === undefined || hasGap) return asked;
  const missing = count - kept.length;
  return missing === 0 ? undefined : { ...asked, count: missing };
}

function candleIn(line: string, market: Market): Candle | undefined {
  const fields = line.trim().split(',');
  if (fields.length !== 6) return undefined;
  const [start, ...prices] = fields.slice(0, 5).map(Number) as [number, number, number, number, number];
  const [open, high, low, close] = prices.map((price) => market.ticksOf(price));
  if (!Number.isSafeInteger(start) || open === undefined || high === undefined || low === undefined || close === undefined)
    return undefined;
  if (low > Math.min(open, close) || high < Math.max(open, close)) return undefined;
  const volume = fields[5] === '' ? undefined : market.lotsOf(Number(fields[5]));
  return { start, open, high, low, close, ...(volume !== undefined && { volume }) };
}

/** Writes each candle of the history once it has finished. */
export class CandleKeeper {
  readonly #files: Files;
  readonly #world: World;
  readonly #spans: readonly Millis[];
  /** The start of the newest written candle, by file. */
  readonly #written = new Map<string, Millis>();

  constructor(files: Files, { world, wanted }: { readonly world: World; readonly wanted: readonly CandlesWanted[] }) {
    this.#files = files;
    this.#world = world;
    this.#spans = [...new Set([...wanted.map(({ span }) => span), MINUTE])];
    for (const market of world.markets.values())
      for (const span of this.#spans) {
        const newest = candlesIn(files, market, span).at(-1);
        if (newest !== undefined) this.#written.set(candleFile(market, span), newest.start);
      }
  }

  /** Writes the candles that have finished since the last call. Must be called after each turn. */
  writeNew(): void {
    for (const market of this.#world.markets.values()) for (const span of this.#spans) this.#write(market, span);
  }

  #write(market: Market, span: Millis): void {
    const series = this.#world.candles.series(market.id, span);
    const newest = series?.newest?.start;
    if (series === undefined || newest === undefined) return;
    const file = candleFile(market, span);
    const last = this.#written.get(file) ?? Number.NEGATIVE_INFINITY;
    if (newest <= last) return;
    this.#written.set(file, newest);
    for (const candle of series.finished) if (candle.start > last) this.#files.add(file, lineOf(candle, market));
  }
}

function lineOf({ start, open, high, low, close, volume }: Candle, market: Market): string {
  const prices = [open, high, low, close].map((price) => market.priceText(price));
  return [start, ...prices, volume === undefined ? '' : market.sizeText(volume)].join(',');
}
