// The finished candles of each market, at any length: from the exchange or a tape, else built from marks and trades, minute by minute.
// `candle-series.ts` puts longer candles together from shorter ones.
// A minute without data has no candle; indicators are not updated by it, so their length reaches further back in time.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import type { Candle } from '../../domain/candle.ts';
import type { CandlesSeen, HealthSeen, InfoSeen, TradesSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import { type Lots, lots, type Ticks, ticks } from '../../domain/numbers.ts';
import type { Trade } from '../../domain/order.ts';
import { CandleSeries } from './candle-series.ts';

/** Number of newest candles of each length that a strategy sees by default. */
export const CANDLES_SHOWN = 500;
/** Number of newest candles of each source that are kept: two days of minutes, from which longer ones can be built at any time. */
const SOURCE_KEPT = 2_880;
/** How long to wait, after a minute's end, for its candle from an exchange that has candles; then our own is shown. */
const SOURCE_SILENT: Millis = 120_000;

const NONE: readonly Candle[] = [];
const NO_LENGTHS: readonly Millis[] = [];

export class Candles {
  readonly #markets = new Map<MarketId, MarketCandles>();

  /** The finished candles of a length, oldest first. A minute without data has no candle. The same list until a candle is added. */
  of(market: MarketId, span: Millis = MINUTE): readonly Candle[] {
    return this.#markets.get(market)?.of(span) ?? NONE;
  }

  /** The candles of a length as a growing series; undefined before the market's first data. */
  series(market: MarketId, span: Millis): CandleSeries | undefined {
    return this.#markets.get(market)?.series(span);
  }

  /** The lengths of the candles of a source that is complete; undefined if candles are built from prices, too. */
  completeLengths(market: MarketId): readonly Millis[] | undefined {
    return this.#markets.get(market)?.completeLengths();
  }

  /** Keeps at least this number of candles of a length from now on. */
  keep(market: MarketId, span: Millis, count: number): void {
    this.#of(market).keep(span, count);
  }

  apply(event: InfoSeen | CandlesSeen | TradesSeen | HealthSeen): void {
    if (event.kind === 'infoSeen') {
      for (const { market, mark } of event.infos) if (mark !== undefined) this.#of(market).mark(mark, event.at);
    } else if (event.kind === 'candlesSeen') {
      if (event.hidden !== true) this.#of(event.market).take(event);
    } else if (event.kind === 'tradesSeen') this.#of(event.market).minutes.trades(event.trades, event.at);
    else if (event.stream === 'trades' && event.market !== undefined) this.#of(event.market).minutes.follow(event.healthy, event.at);
  }

  #of(market: MarketId): MarketCandles {
    const existing = this.#markets.get(market);
    if (existing !== undefined) return existing;
    const candles = new MarketCandles();
    this.#markets.set(market, candles);
    return candles;
  }
}

class MarketCandles {
  readonly minutes = new Minutes();
  /** The candles of the exchange or the tape, and the minutes that we built, by length; oldest first. */
  readonly #sources = new Map<Millis, Candle[]>();
  readonly #series = new Map<Millis, CandleSeries>();
  /** Minutes that we built, and for which the exchange may still send its own. */
  #pending: Candle[] = [];
  #exchangeHasCandles = false;
  #complete = false;
  /** The lengths of the sources. */
  #lengths: readonly Millis[] = NO_LENGTHS;

  of(span: Millis): readonly Candle[] {
    return this.series(span).finished;
  }

  series(span: Millis): CandleSeries {
    return this.#series.get(span) ?? this.#begin(span);
  }

  keep(span: Millis, count: number): void {
    this.series(span).keep(count);
  }

  completeLengths(): readonly Millis[] | undefined {
    return this.#complete ? this.#lengths : undefined;
  }

  mark(mark: Parameters<Minutes['mark']>[0], at: Millis): void {
    if (this.#complete) return;
    const finished = this.minutes.mark(mark, at);
    if (finished !== undefined) this.#pending.push(finished);
    if (this.#pending.length > 0) this.#release(this.#exchangeHasCandles ? at - MINUTE - SOURCE_SILENT : at);
  }

  take({ span = MINUTE, candles, complete = false, past = false }: CandlesSeen): void {
    this.#complete ||= complete;
    if (span === MINUTE && candles.length > 0 && !past) this.#exchangeHasCandles = true;
    this.#add(span, span === MINUTE ? this.#withVolumes(candles) : candles);
  }

  /** Adds the pending minutes that started at `before` or earlier. */
  #release(before: Millis): void {
    const due = this.#pending.filter(({ start }) => start <= before);
    if (due.length === 0) return;
    this.#pending = this.#pending.filter(({ start }) => start > before);
    const last = this.#sources.get(MINUTE)?.at(-1)?.start ?? Number.NEGATIVE_INFINITY;
    this.#add(
      MINUTE,
      due.filter(({ start }) => start > last),
    );
  }

  /** Adds the volumes that we counted to the exchange's minutes that have none. */
  #withVolumes(candles: readonly Candle[]): readonly Candle[] {
    if (this.#pending.length === 0) return candles;
    const built = new Map(this.#pending.map((candle) => [candle.start, candle]));
    const newest = candles.at(-1)?.start ?? Number.NEGATIVE_INFINITY;
    this.#pending = this.#pending.filter(({ start }) => start > newest);
    return candles.map((candle) => {
      const volume = candle.volume ?? built.get(candle.start)?.volume;
      return volume === undefined ? candle : { ...candle, volume };
    });
  }

  /** Adds candles to their source. Extends the series if the candles are newer than all others, else rebuilds the series. */
  #add(span: Millis, candles: readonly Candle[]): void {
    const source = this.#sources.get(span) ?? [];
    let isNewer = true;
    if (candles.length > 0)
      for (const list of this.#sources.values()) isNewer &&= (list.at(-1)?.start ?? candles[0]!.start) <= candles[0]!.start;
    for (const candle of candles) {
      isNewer &&= candle.start > (source.at(-1)?.start ?? Number.NEGATIVE_INFINITY);
      source.push(candle);
      if (isNewer) for (const series of this.#series.values()) if (series.span % span === 0) series.add(candle, span);
    }
    const kept = isNewer ? source : inOrder(source);
    if (kept.length > 2 * SOURCE_KEPT) kept.splice(0, kept.length - SOURCE_KEPT);
    this.#sources.set(span, kept);
    if (this.#lengths.length < this.#sources.size) this.#lengths = [...this.#sources.keys()];
    if (!isNewer) for (const series of this.#series.values()) this.#rebuild(series);
  }

  #begin(span: Millis): CandleSeries {
    const series = new CandleSeries(span, CANDLES_SHOWN);
    this.#series.set(span, series);
    this.#rebuild(series);
    return series;
  }

  /** Builds a series from all sources, the longest candles first. */
  #rebuild(series: CandleSeries): void {
    const sources = [...this.#sources].filter(([span, list]) => series.span % span === 0 && list.length > 0).sort(([a], [b]) => b - a);
    series.restart(Math.min(...sources.map(([, [first]]) => first!.start)));
    for (const [span, candles] of sources) for (const candle of candles) series.add(candle, span);
  }
}

/** Sorts by start, and keeps the later one in the list of two candles with the same start. */
function inOrder(candles: readonly Candle[]): Candle[] {
  const byStart = new Map(candles.map((candle) => [candle.start, candle]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

interface Minute {
  readonly start: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
}

/**
 * Builds one-minute candles: prices from the mark price, volume from the trades. A trade counts for the minute in which it was received. A minute's volume is
 * known if the trades were followed during the whole minute.
 */
class Minutes {
  #current: Minute | undefined;
  /** Volumes by the start of the minute: of the current minute, and of earlier ones without a mark. */
  readonly #volumes = new Map<Millis, number>();
  /** Since when trades have been received without a gap. */
  #followed: Millis | undefined;

  /** Takes a mark, in order of time. Returns the candle of the previous minute if the mark starts a new one. */
  mark(mark: Ticks, at: Millis): Candle | undefined {
    const current = this.#current;
    const start = at - (at % MINUTE);
    if (current?.start !== start) {
      this.#current = { start, open: mark, high: mark, low: mark, close: mark };
      return current === undefined ? undefined : { ...current, volume: this.#takeVolume(current.start) };
    }
    if (mark !== current.close)
      this.#current = { ...current, high: ticks(Math.max(current.high, mark)), low: ticks(Math.min(current.low, mark)), close: mark };
    return undefined;
  }

  trades(trades: readonly Trade[], at: Millis): void {
    this.#followed ??= at;
    const start = at - (at % MINUTE);
    let volume = this.#volumes.get(start) ?? 0;
    for (const { size } of trades) volume += size;
    this.#volumes.set(start, volume);
  }

  /** Sets whether trades are received without a gap from now on. */
  follow(healthy: boolean, at: Millis): void {
    this.#followed = healthy ? (this.#followed ?? at) : undefined;
  }

  #takeVolume(start: Millis): Lots | undefined {
    const volume = this.#volumes.get(start) ?? 0;
    for (const minute of this.#volumes.keys()) if (minute <= start) this.#volumes.delete(minute);
    return this.#followed === undefined || this.#followed > start ? undefined : lots(volume);
  }
}
