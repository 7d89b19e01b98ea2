// The line at the foot of a page that names the library of its charts.

/** Names the library of the charts, as its licence asks. */
export const ChartLibrary = () => (
  <span>
    charts:{' '}
    <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer noopener">
      TradingView Lightweight Charts™
    </a>
  </span>
);
