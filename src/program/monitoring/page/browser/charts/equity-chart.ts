// The chart of profit and drawdown.
import { AreaSeries, BaselineSeries, createChart, type IChartApi, type ISeriesApi, type UTCTimestamp } from 'lightweight-charts';
import type { PageState } from '../../contract.ts';
import { chartStyle, colour } from './chart-style.ts';

type Points = PageState['equity'];

export class EquityChart {
  readonly #chart: IChartApi;
  readonly #profit: ISeriesApi<'Baseline'>;
  readonly #drawdown: ISeriesApi<'Area'>;

  constructor(container: HTMLElement) {
    this.#chart = createChart(container, chartStyle(false));
    this.#profit = this.#chart.addSeries(BaselineSeries, { baseValue: { type: 'price', price: 0 }, lineWidth: 2, priceLineVisible: false });
    this.#drawdown = this.#chart.addSeries(AreaSeries, { lineWidth: 1, priceLineVisible: false, lastValueVisible: false }, 1);
    this.#chart.panes()[0]?.setStretchFactor(3);
    this.#chart.panes()[1]?.setStretchFactor(1);
  }

  /** Sets the colours of the style sheet, and the zone of the times. `_theme` is passed so that the caller's effect reads it and runs at each change. */
  style(_theme: string, isUtc: boolean): void {
    const style = chartStyle(isUtc);
    this.#chart.applyOptions({
      ...style,
      layout: { ...style.layout, attributionLogo: false },
      rightPriceScale: { borderColor: colour('edge'), minimumWidth: 70 },
      timeScale: { ...style.timeScale, rightOffset: 0, fixLeftEdge: true, fixRightEdge: true }, // so that the labels at the edges are not cut
    });
    const [up, down] = [colour('up'), colour('down')];
    this.#profit.applyOptions({
      topLineColor: up,
      topFillColor1: `${up}44`,
      topFillColor2: `${up}08`,
      bottomLineColor: down,
      bottomFillColor1: `${down}08`,
      bottomFillColor2: `${down}44`,
    });
    this.#drawdown.applyOptions({ lineColor: down, topColor: `${down}08`, bottomColor: `${down}33` });
  }

  /** Shows the profit, and how far it is below its peak so far. Of several points in one second, the last one is shown. */
  show(points: Points): void {
    let peak = -Infinity;
    const rows = points.map(([at, , pnl]) => {
      const value = Number(pnl);
      peak = Math.max(peak, value);
      return { time: Math.floor(at / 1_000) as UTCTimestamp, value, drawdown: value - peak };
    });
    const unique = rows.filter(({ time }, rank) => time !== rows[rank + 1]?.time);
    this.#profit.setData(unique.map(({ time, value }) => ({ time, value })));
    this.#drawdown.setData(unique.map(({ time, drawdown }) => ({ time, value: drawdown })));
    this.#chart.timeScale().fitContent();
  }

  remove(): void {
    this.#chart.remove();
  }
}
