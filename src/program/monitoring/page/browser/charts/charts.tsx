// The two charts: prices with our orders, fills and entry; profit and drawdown.
import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isUtc, theme } from '../state/settings.ts';
import { books, candles, equity, fills, market, orders, status } from '../state/store.ts';
import { EquityChart } from './equity-chart.ts';
import { type ChartSpan, PriceChart, SPANS } from './price-chart.ts';

const span = signal<ChartSpan>('1s');

export function Charts() {
  return (
    <section class="panel charts">
      <h2>
        price <span class="note">mid of best bid and ask</span>
        <span class="filters">
          {(Object.keys(SPANS) as ChartSpan[]).map((name) => (
            <button key={name} type="button" class={`chip ${span.value === name ? 'on' : ''}`} onClick={() => (span.value = name)}>
              {name}
            </button>
          ))}
        </span>
      </h2>
      <Prices />
      <h2>
        profit <span class="note">and drawdown</span>
      </h2>
      <Equity />
    </section>
  );
}

function Prices() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return undefined;
    const chart = new PriceChart(element.current);
    const ends = [
      effect(() => chart.style(theme.value, isUtc.value)),
      effect(() => chart.begin(candles.value[market.value], { span: span.value, symbol: market.value })),
      effect(() => {
        const book = books.value[market.value];
        if (book !== undefined) chart.book(book);
      }),
      effect(() => chart.fills(fills.value.filter((fill) => fill['market'] === market.value))),
      effect(() => {
        const entry = status.value?.holdings[market.value]?.entry;
        chart.lines(
          orders.value.filter((order) => order.market === market.value),
          entry,
        );
      }),
    ];
    return () => {
      for (const end of ends) end();
      chart.remove();
    };
  }, []);
  return <div class="chart price" ref={element} />;
}

function Equity() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null) return undefined;
    const chart = new EquityChart(element.current);
    const ends = [effect(() => chart.style(theme.value, isUtc.value)), effect(() => chart.show(equity.value))];
    return () => {
      for (const end of ends) end();
      chart.remove();
    };
  }, []);
  return <div class="chart equity" ref={element} />;
}
