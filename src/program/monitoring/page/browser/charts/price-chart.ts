// The price chart: candles, our fills as triangles, our orders and the entry as lines with their price on the axis.
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { PageBook, PageLine, PageOrder } from '../../contract.ts';
import { facts, type PageCandles } from '../state/store.ts';
import { chartStyle, colour } from './chart-style.ts';

/** Maximum number of order lines, so that they do not hide the price. */
const MAX_LINES = 40;
const MAX_MARKERS = 200;
/** Number of bars shown at first; fewer bars are aligned to the right. */
const SHOWN_BARS = 110;

export class PriceChart {
  readonly #chart: IChartApi;
  readonly #series: ISeriesApi<'Candlestick'>;
  readonly #markers: ISeriesMarkersPluginApi<Time>;
  readonly #lines = new Map<string, IPriceLine>();
  #span: ChartSpan = '1s';
  #last: Bar | undefined;
  /** The time of the first bar, in seconds; 0 if there is none. */
  #first = 0;
  #fills: readonly PageLine[] = [];
  #orders: readonly PageOrder[] = [];
  #entry: string | undefined;

  constructor(container: HTMLElement) {
    this.#chart = createChart(container, chartStyle(false));
    this.#series = this.#chart.addSeries(CandlestickSeries, { borderVisible: false, priceLineStyle: LineStyle.Dotted });
    this.#markers = createSeriesMarkers(this.#series, []);
  }

  /** Sets the colours of the style sheet, and the zone of the times. `_theme` is passed so that the caller's effect reads it and runs at each change. */
  style(_theme: string, isUtc: boolean): void {
    this.#chart.applyOptions(chartStyle(isUtc));
    const [up, down] = [colour('up'), colour('down')];
    this.#series.applyOptions({ upColor: up, wickUpColor: up, downColor: down, wickDownColor: down });
    this.#clearLines();
    this.lines(this.#orders, this.#entry);
    this.#markFills();
  }

  /** Shows the candles of a market from the state, as bars of the chosen length. */
  begin(candles: PageCandles[string] | undefined, { span, symbol }: { span: ChartSpan; symbol: string }): void {
    const decimals = facts.value?.markets.find((market) => market.symbol === symbol)?.priceDecimals ?? 2;
    this.#series.applyOptions({ priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals } });
    this.#span = span;
    const bars = barsOf(candles, span);
    this.#series.setData(bars.map(forChart));
    this.#last = bars.at(-1);
    this.#first = bars[0]?.time ?? 0;
    this.#markFills();
    this.#chart.timeScale().setVisibleLogicalRange({ from: bars.length - SHOWN_BARS, to: bars.length + 4 });
  }

  /** Updates the last bar with the mid price of a book, or begins a new one. */
  book({ asked, bids, asks }: PageBook): void {
    const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
    if (bid === undefined || ask === undefined) return;
    const bar = withPrice(this.#last, { at: asked, price: (Number(bid) + Number(ask)) / 2 }, this.#span);
    this.#last = bar;
    this.#first ||= bar.time;
    this.#series.update(forChart(bar));
  }

  fills(fills: readonly PageLine[]): void {
    this.#fills = fills;
    this.#markFills();
  }

  /** Draws a line for each order and for the entry, and removes those that are gone. */
  lines(orders: readonly PageOrder[], entry: string | undefined): void {
    this.#orders = orders;
    this.#entry = entry;
    const wanted = new Map<string, { price: number; color: string; title: string; dashed: boolean }>();
    for (const { clientOrderId, side, price, remaining, status } of orders.slice(0, MAX_LINES)) {
      const title = `${side === 'bid' ? '▲' : '▼'} ${remaining}`;
      wanted.set(`${clientOrderId} ${price} ${remaining} ${status}`, {
        price: Number(price),
        color: colour(side === 'bid' ? 'up' : 'down'),
        title,
        dashed: true,
      });
    }
    if (entry !== undefined) wanted.set(`entry ${entry}`, { price: Number(entry), color: colour('own'), title: 'entry', dashed: false });
    for (const [key, line] of this.#lines) {
      if (wanted.has(key)) continue;
      this.#series.removePriceLine(line);
      this.#lines.delete(key);
    }
    for (const [key, { price, color, title, dashed }] of wanted) {
      if (this.#lines.has(key)) continue;
      const lineStyle = dashed ? LineStyle.Dashed : LineStyle.Solid;
      this.#lines.set(key, this.#series.createPriceLine({ price, color, title, lineStyle, lineWidth: 1, axisLabelVisible: !dashed }));
    }
  }

  remove(): void {
    this.#chart.remove();
  }

  #clearLines(): void {
    for (const line of this.#lines.values()) this.#series.removePriceLine(line);
    this.#lines.clear();
  }

  /** Draws the fills as triangles. Omits fills from before the first candle, which the chart would move to that candle. */
  #markFills(): void {
    const length = SPANS[this.#span];
    const markers = this.#fills.slice(-MAX_MARKERS).flatMap((fill): SeriesMarker<Time> | [] => {
      const seconds = Math.floor(Date.parse(fill.at) / 1_000);
      if (this.#first === 0 || seconds < this.#first) return [];
      const isBuy = fill['side'] === 'bid';
      return {
        time: (seconds - (seconds % length)) as UTCTimestamp,
        position: isBuy ? 'belowBar' : 'aboveBar',
        shape: isBuy ? 'arrowUp' : 'arrowDown',
        color: colour(isBuy ? 'up' : 'down'),
        size: 0.8,
      };
    });
    this.#markers.setMarkers(markers.sort((a, b) => Number(a.time) - Number(b.time)));
  }
}

const forChart = (bar: Bar) => ({ ...bar, time: bar.time as UTCTimestamp });

/** A candle of the chosen length. */
interface Bar {
  /** Seconds since the Unix epoch. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export const SPANS = { '1s': 1, '5s': 5, '15s': 15, '1m': 60, '5m': 300, '1h': 3_600 } as const;
export type ChartSpan = keyof typeof SPANS;
const MINUTE = 60;

/** Merges the candles of the state into bars of the chosen length. */
function barsOf(candles: PageCandles[string] | undefined, span: ChartSpan): readonly Bar[] {
  const length = SPANS[span];
  const rows = (length < MINUTE ? candles?.seconds : candles?.minutes) ?? [];
  const bars: Bar[] = [];
  for (const [start, open, high, low, close] of rows) {
    const bar = { time: Math.floor(start / 1_000), open: Number(open), high: Number(high), low: Number(low), close: Number(close) };
    const joined = joinedTo(bars.at(-1), bar, length);
    if (joined.time === bars.at(-1)?.time) bars.pop();
    bars.push(joined);
  }
  return bars;
}

/** Returns the last bar updated with a price, or a new bar if the price is later. */
const withPrice = (last: Bar | undefined, { at, price }: { at: number; price: number }, span: ChartSpan): Bar =>
  joinedTo(last, { time: Math.floor(at / 1_000), open: price, high: price, low: price, close: price }, SPANS[span]);

/** Returns `last` extended by a bar of the same interval of `length` seconds, or the bar as the first of a later interval. */
function joinedTo(last: Bar | undefined, bar: Bar, length: number): Bar {
  const time = bar.time - (bar.time % length);
  if (last === undefined || last.time < time) return { ...bar, time };
  return { ...last, high: Math.max(last.high, bar.high), low: Math.min(last.low, bar.low), close: bar.close };
}
