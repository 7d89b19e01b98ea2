// The finished one-minute candles of each market's mark price: the exchange's own, or built from the marks that we saw if it gives none.
import type { Millis } from '../../base/clock.ts';
import { CANDLE_SPAN, CANDLES_KEPT, type Candle } from '../../domain/candle.ts';
import type { Event } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import { type Ticks, ticks } from '../../domain/numbers.ts';

interface Minutes {
  /** Oldest first. */
  readonly finished: readonly Candle[];
  /** Built from marks that we saw; not finished. */
  readonly current?: Candle | undefined;
}

const NONE: Minutes = { finished: [] };

export class Candles {
  readonly #minutes = new Map<MarketId, Minutes>();

  /** The finished candles, oldest first, of the newest four hours. A minute without a mark has none. */
  of(market: MarketId): readonly Candle[] {
    return (this.#minutes.get(market) ?? NONE).finished;
  }

  apply(event: Event): void {
    if (event.kind === 'infoSeen') for (const { market, mark } of event.infos) if (mark !== undefined) this.#see(market, mark, event.at);
    if (event.kind === 'candlesSeen') this.#replace(event.market, event.candles);
  }

  /** Takes a mark; marks come in order of time. It finishes the minute before its own. */
  #see(market: MarketId, mark: Ticks, at: Millis): void {
    const { finished, current } = this.#minutes.get(market) ?? NONE;
    const start = at - (at % CANDLE_SPAN);
    if (current?.start === start) {
      if (mark === current.close) return;
      const [high, low] = [ticks(Math.max(current.high, mark)), ticks(Math.min(current.low, mark))];
      this.#minutes.set(market, { finished, current: { ...current, high, low, close: mark } });
      return;
    }
    const isNews = current !== undefined && finished.every((candle) => candle.start !== current.start);
    const next = { start, open: mark, high: mark, low: mark, close: mark };
    this.#minutes.set(market, { finished: isNews ? ordered([...finished, current]) : finished, current: next });
  }

  /** Replaces our candles with the exchange's own. */
  #replace(market: MarketId, candles: readonly Candle[]): void {
    const { finished, current } = this.#minutes.get(market) ?? NONE;
    const starts = new Set(candles.map(({ start }) => start));
    this.#minutes.set(market, { finished: ordered([...finished.filter(({ start }) => !starts.has(start)), ...candles]), current });
  }
}

const ordered = (candles: readonly Candle[]): readonly Candle[] => [...candles].sort((a, b) => a.start - b.start).slice(-CANDLES_KEPT);
