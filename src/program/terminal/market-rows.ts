// One market on the terminal screen: prices, our position, the order book as a ladder with our orders, and the list of our orders.
import type { Millis } from '../../base/clock.ts';
import { minutesText } from '../../base/text/duration.ts';
import { SIDES, type Side } from '../../bot/domain/book.ts';
import type { PageOrder } from '../monitoring/page/contract.ts';
import { secondsText } from '../output/words.ts';
import { firstFitting, joinColumns, piece, type StyledRow, signTone, sparkline, type Tone } from './styled-rows.ts';
import type { MarketViewModel, ViewModel } from './view-model.ts';

/** Minimum width to show the ladder and our orders side by side. */
const WIDE = 79;
/** Columns of the ladder without its depth bars. */
const LADDER = 40;
/** The widest depth bar. */
const WIDEST_BAR = 24;
/** Width of the label of the sparkline. */
const PRICE_LABEL = 12;

export interface Area {
  readonly width: number;
  /** Rows of this market. */
  readonly height: number;
}

/** Returns at most `height` rows. */
export function marketRows(market: MarketViewModel, model: ViewModel, { width, height }: Area): StyledRow[] {
  const head = [title(market, model), prices(market, model, width), trend(market, width)];
  const left = height - head.length - 2; // minus the heading of the ladder and a blank row
  const isWide = width >= WIDE;
  const depth = Math.max(1, Math.floor(isWide ? left / 2 : (left - 1) / 3));
  const barWidth = isWide ? Math.min(WIDEST_BAR, Math.floor((width - WIDE) / 4)) : 0;
  const ladder = ladderRows(market, { depth, barWidth });
  const body = isWide
    ? joinColumns(ladder, orderRows(market, { max: depth, now: model.now }), { width, leftWidth: LADDER + barWidth })
    : [...ladder, ...orderRows(market, { max: Math.ceil(depth / 2), now: model.now })];
  return [...head, ...body, []];
}

/** One row: the symbol, the mid price and our position. */
function title({ symbol, top }: MarketViewModel, { status }: ViewModel): StyledRow {
  const [size, held] = [status.positions[symbol], status.holdings[symbol]];
  const mid: StyledRow = top === undefined ? [] : [piece(`  ${top.mid}`, 'bold')];
  if (size === undefined) return [piece(symbol, 'bold'), ...mid, piece('  flat', 'dim')];
  const entry = held?.entry === undefined ? '' : ` from ${held.entry}`;
  const pnl: StyledRow = held === undefined ? [] : [piece(', unrealised '), piece(Number(held.pnl).toFixed(2), signTone(held.pnl))];
  const end = isFar(held?.liquidation, status.markets[symbol]?.mark) ? '' : `, liquidation at ${held?.liquidation}`;
  return [piece(symbol, 'bold'), ...mid, piece(`  position ${size}${entry}`), ...pnl, piece(end)];
}

/** True if there is no price of liquidation, or the mark would have to double to reach it, so that the number is not worth showing. */
const isFar = (liquidation: string | undefined, mark: string | undefined): boolean =>
  liquidation === undefined || (mark !== undefined && Number(liquidation) > 2 * Number(mark));

/** One row: spread, mark price, funding rate with the time until it is paid, traded volume, index price. The last ones are left out if they do not fit. */
function prices({ symbol, top, traded }: MarketViewModel, { status }: ViewModel, width: number): StyledRow {
  const { mark, index, funding, nextFunding, frozen } = status.markets[symbol] ?? { frozen: false };
  const engineNow = status.session?.now;
  const inTime =
    nextFunding === undefined || engineNow === undefined ? '' : ` in ${minutesText(Math.max(0, nextFunding - engineNow * 1_000))}`;
  const parts: readonly (readonly [string, string] | undefined)[] = [
    top && ['spread', `${top.spread} (${top.bps.toFixed(2)} bp)`],
    mark === undefined ? undefined : ['mark', mark],
    funding === undefined ? undefined : ['funding', `${(funding * 100).toFixed(4)} %/h${inTime}`],
    ['traded', `${traded}/min`],
    index === undefined ? undefined : ['index', index],
  ];
  const pieces = parts.flatMap((part): StyledRow[] => (part === undefined ? [] : [[piece(`${part[0]} `, 'dim'), piece(`${part[1]}  `)]]));
  const rows = pieces.map(
    (_, left): StyledRow => [...(frozen ? [piece('frozen   ', 'bad')] : []), ...pieces.slice(0, pieces.length - left).flat()],
  );
  return firstFitting(rows, width);
}

/** One row: a sparkline of the mid price of the last minutes. Empty with fewer than two prices. */
function trend({ prices: mids }: MarketViewModel, width: number): StyledRow {
  if (mids.length < 2) return [];
  const room = Math.max(1, Math.min(mids.length, width - PRICE_LABEL - 12));
  return [piece('price'.padEnd(PRICE_LABEL), 'dim'), piece(sparkline(mids, room)), piece(` ${minutesText(mids.length * 1_000)}`, 'dim')];
}

interface LadderRow {
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly own: string;
  /** True for our order beyond the levels shown. */
  readonly isFar: boolean;
}

/** Returns the asks from the farthest to the best, then the bids from the best to the farthest. */
function ladderRows(market: MarketViewModel, { depth, barWidth }: { readonly depth: number; readonly barWidth: number }): StyledRow[] {
  const [asks, bids] = [ladderSide(market, 'ask', depth), ladderSide(market, 'bid', depth)];
  const largest = Math.max(0, ...[...asks, ...bids].map(({ size }) => Number(size)));
  const rowOf = ({ side, price, size, own, isFar }: LadderRow): StyledRow => {
    const filled = largest === 0 ? 0 : Math.round((Number(size) / largest) * barWidth);
    return [
      piece(`${price.padStart(12)}${size.padStart(11)} `, isFar ? 'dim' : sideTone(side)),
      piece('▇'.repeat(filled).padEnd(barWidth), 'dim'),
      piece(own.padStart(12), 'bold'),
      piece(own === '' ? '' : isFar ? ' ┄' : ' ◂', 'bold'),
    ];
  };
  const head: StyledRow = [piece(`${'price'.padStart(12)}${'size'.padStart(11)} ${' '.repeat(barWidth)}${'ours'.padStart(12)}`, 'dim')];
  return [head, ...asks.toReversed().map(rowOf), ...bids.map(rowOf)];
}

/** Returns the levels of one side, best first. If we have no order at these, the last row shows the nearest one beyond them. */
function ladderSide({ book, orders }: MarketViewModel, side: Side, depth: number): LadderRow[] {
  const levels = (side === 'bid' ? book?.bids : book?.asks) ?? [];
  const rows = levels.slice(0, depth).map(([price, size, own = '']): LadderRow => ({ side, price, size, own, isFar: false }));
  const ours = orders.filter((order) => order.side === side && order.status !== 'pending');
  const far = ours.find(({ price }) => !rows.some((row) => row.price === price));
  if (far === undefined || rows.some(({ own }) => own !== '')) return rows;
  return [...rows.slice(0, Math.max(1, depth - 1)), { side, price: far.price, size: '', own: far.remaining, isFar: true }].slice(0, depth);
}

/** Returns the `max` nearest orders of each side, from the highest price to the lowest. The number is the end of the client order id, which `why` accepts. */
function orderRows({ orders }: MarketViewModel, { max, now }: { readonly max: number; readonly now: Millis }): StyledRow[] {
  const [bids, asks] = SIDES.map((side) => orders.filter((order) => order.side === side));
  const shown = [...(asks ?? []).slice(0, max).reverse(), ...(bids ?? []).slice(0, max)];
  return [[piece(`own orders: ${orders.length}`, 'dim')], ...shown.map((order) => orderRow(order, now))];
}

function orderRow({ clientOrderId, side, price, remaining, status, sentAt, ahead }: PageOrder, now: Millis): StyledRow {
  return [
    piece(side.padEnd(4), sideTone(side)),
    piece(`${price.padStart(11)}${remaining.padStart(9)} `),
    piece(`${clientOrderId.slice(-5)} `, 'dim'),
    ...(status === 'open' ? [] : [piece(`${status} `, 'warn')]),
    piece(secondsText(Math.max(0, now - sentAt)), 'dim'),
    piece(ahead === undefined || Number(ahead) === 0 ? '' : `, ${ahead} ahead`, 'dim'),
  ];
}

const sideTone = (side: Side): Tone => (side === 'bid' ? 'good' : 'bad');
