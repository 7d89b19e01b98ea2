// Draws the charts of a report in the browser, from the data in the page. All charts share one cursor and zoom; times are UTC.
/* global uPlot -- the library precedes this text in the same script, which is a module, so declarations here are not global */
const HEIGHTS = { tall: 340, middle: 190, low: 130 };
const { from, charts } = JSON.parse(document.getElementById('data').textContent);
const frames = [...document.querySelectorAll('[data-chart]')].map((place) => ({ place, chart: charts[Number(place.dataset.chart)] }));

const DAY_MS = 86_400_000;
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact' });
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const huesOfSides = () => ({ bid: colour('blue'), ask: colour('orange') });
const written = (format, value, unit) => `${format.format(value).replace('-', '−')}${unit && ` ${unit}`}`;
const places = (decimals) => new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
const utc = (at) => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

/** Adds a null at the start of the run, so that all charts begin at the same time. */
const dataOf = ({ times, lines }) => [[from, ...times], ...lines.map(({ values }) => [null, ...values])];

function seriesOf({ label, hue, look }, { decimals, unit }) {
  const format = places(decimals);
  return {
    label,
    stroke: colour(hue),
    width: look === 'area' ? 1 : 1.5,
    fill: look === 'area' ? `${colour(hue)}33` : undefined,
    fillTo: look === 'area' ? 0 : undefined,
    dash: look === 'dashes' ? [6, 4] : undefined,
    paths: uPlot.paths.stepped({ align: 1 }),
    points: { show: false },
    value: (_, value) => (value === null || value === undefined ? '' : written(format, value, unit)),
  };
}

/** Adds a margin above and below; the range of an area chart includes zero. */
function rangeOf({ scale, lines }) {
  if (scale === 'logarithmic') return (_, low, high) => uPlot.rangeLog(low ?? 1, high ?? 10, 10, true);
  const zero = lines.some(({ look }) => look === 'area') ? [0] : [];
  return (_, low, high) => {
    const [least, most] = [Math.min(low ?? 0, ...zero), Math.max(high ?? 1, ...zero)];
    const room = (most - least) * 0.06 || Math.abs(most) * 0.001 || 1;
    return [least === 0 ? 0 : least - room, most === 0 ? 0 : most + room];
  };
}

const isPowerOfTen = (value) => Number.isInteger(Math.round(Math.log10(value) * 1e9) / 1e9);
const powersOfTen = (_, splits) => splits.map((value) => (isPowerOfTen(value) ? value : null));

const decimalsOf = (step) => [0, 1, 2, 3, 4, 5, 6, 7].find((decimals) => Number.isInteger(Number((step * 10 ** decimals).toFixed(6)))) ?? 8;

function axesOf({ unit, scale }) {
  const isLog = scale === 'logarithmic';
  const grid = { stroke: colour('grid'), width: 1 };
  const common = { stroke: colour('muted'), font: '11px system-ui, sans-serif', ticks: { show: false } };
  const labels = (_, splits, __, ___, step) => {
    const format = isLog ? COMPACT : places(decimalsOf(step));
    return splits.map((value) => (value === null ? '' : written(format, value, unit)));
  };
  return [
    { ...common, grid, values: timeLabels, space: 84, size: 24, gap: 4 }, // wider than a date
    {
      ...common,
      grid: isLog ? { ...grid, filter: powersOfTen } : grid,
      filter: isLog ? powersOfTen : undefined,
      values: labels,
      size: 70,
      gap: 4,
      space: 18,
    },
  ];
}

/** Returns the index at which the text of a time ends: after minutes, seconds or milliseconds. */
function timeEnd(step) {
  if (step >= 60_000) return 16;
  return step >= 1_000 ? 19 : 23;
}

/** Returns the date at midnight, else the time. */
function timeLabels(_, splits, __, ___, step) {
  const end = timeEnd(step);
  return splits.map((at) => (at % DAY_MS === 0 ? utc(at).slice(0, 10) : utc(at).slice(11, end)));
}

function drawResting(plot, { resting }) {
  const { ctx } = plot;
  const hues = huesOfSides();
  clipped(plot, () => {
    ctx.lineWidth = devicePixelRatio;
    ctx.globalAlpha = 0.4;
    for (const span of resting) {
      const y = Math.round(plot.valToPos(span.price, 'y', true));
      ctx.strokeStyle = hues[span.side];
      ctx.beginPath();
      ctx.moveTo(plot.valToPos(span.from, 'x', true), y);
      ctx.lineTo(plot.valToPos(span.to, 'x', true), y);
      ctx.stroke();
    }
  });
}

/** Returns half the width of a fill's triangle in CSS pixels: smaller if there are many fills. */
function markSize(count) {
  if (count > 800) return 2;
  return count > 200 ? 3 : 4.5;
}

/** Draws fills as triangles: up for a buy, down for a sell, hollow for a taker. */
function drawFills(plot, { fills }) {
  const { ctx } = plot;
  const hues = huesOfSides();
  const hollow = colour('page');
  const { min, max } = plot.scales.x;
  const visible = fills.filter(({ at }) => at >= min && at <= max);
  const size = markSize(visible.length) * devicePixelRatio;
  clipped(plot, () => {
    ctx.lineWidth = 1.25 * devicePixelRatio;
    for (const fill of visible) {
      const [x, y] = [plot.valToPos(fill.at, 'x', true), plot.valToPos(fill.price, 'y', true)];
      const down = fill.side === 'bid' ? 1 : -1;
      ctx.beginPath();
      ctx.moveTo(x, y - size * down);
      ctx.lineTo(x - size, y + size * down);
      ctx.lineTo(x + size, y + size * down);
      ctx.closePath();
      ctx.fillStyle = fill.role === 'maker' ? hues[fill.side] : hollow;
      ctx.strokeStyle = hues[fill.side];
      ctx.fill();
      ctx.stroke();
    }
  });
}

function clipped(plot, draw) {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  draw();
  plot.ctx.restore();
}

const plotOf = ({ place, chart }) =>
  new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHTS[chart.height],
      ms: 1,
      padding: [8, 32, 0, 0], // half a date fits to the right of the last tick
      tzDate: (at) => uPlot.tzDate(new Date(at), 'Etc/UTC'),
      cursor: { sync: { key: 'run' }, drag: { x: true, y: false }, points: { size: 6 } },
      scales: { y: { distr: chart.scale === 'logarithmic' ? 3 : 1, range: rangeOf(chart) } },
      axes: axesOf(chart),
      series: [{ label: 'UTC', value: (_, at) => (at === null ? '' : utc(at)) }, ...chart.lines.map((line) => seriesOf(line, chart))],
      legend: { mount: (_, legend) => place.previousElementSibling.append(legend) },
      hooks: { drawAxes: [(plot) => drawResting(plot, chart), (plot) => drawFills(plot, chart)] }, // under the lines
    },
    dataOf(chart),
    place,
  );

let plots = frames.map(plotOf);
addEventListener('resize', () => {
  for (const [i, { place, chart }] of frames.entries()) plots[i].setSize({ width: place.clientWidth, height: HEIGHTS[chart.height] });
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const plot of plots) plot.destroy();
  plots = frames.map(plotOf);
});
