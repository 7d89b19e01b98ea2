// One market on the terminal screen: prices, our position, the order book as a ladder with our orders, and the list of our orders.
import type { Millis } from '../../base/clock.ts';
import { minutesText } from '../../base/text/duration.ts';
import { counted } from '../../base/text/phrases.ts';
import { SIDES, type Side } from '../../bot/domain/book.ts';
import type { PageOrder } from '../monitoring/page/contract.ts';
import { secondsText } from '../output/words.ts';
import { WIDE } from './run-rows.ts';
import { firstFitting, fittingParts, joinColumns, piece, type StyledRow, signTone, sparkline, type Tone } from './styled-rows.ts';
import type { MarketViewModel, ViewModel } from './view-model.ts';

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

/** Rows of the order book and our orders below which neither is shown. */
const FEWEST_ROWS = 4;

/** Returns at most `height` rows; without the room for an order book, two to four. */
export function marketRows(market: MarketViewModel, model: ViewModel, { width, height }: Area): StyledRow[] {
  const isWide = width >= WIDE;
  const title = isWide ? [fullTitle(market, model, width)] : narrowTitle(market, model, width);
  const head = [...title, prices(market, model, width), trend(market, width)];
  const left = height - head.length - 2; // minus the heading of the ladder and a blank row
  if (left < FEWEST_ROWS) return [...title, ...(isWide ? [prices(market, model, width)] : []), ownOrders(market, width)];
  const depth = Math.floor(isWide ? left / 2 : (left - 1) / 3);
  const barWidth = isWide ? Math.min(WIDEST_BAR, Math.floor((width - WIDE) / 4)) : 0;
  const ladder = ladderRows(market, { depth, barWidth });
  const leftWidth = LADDER + barWidth;
  const ours = { now: model.now, width: isWide ? width - leftWidth : width, max: isWide ? depth : Math.ceil(depth / 2) };
  const orders = orderRows(market, ours);
  const body = isWide ? joinColumns(ladder, orders, { width, leftWidth }) : [...ladder, ...orders];
  return [...head, ...body, []];
}

/** One row: the symbol, the mid price and our position; without its entry or its liquidation if they do not fit. */
function fullTitle({ symbol, top }: MarketViewModel, { status }: ViewModel, width: number): StyledRow {
  const [size, held] = [status.positions[symbol], status.holdings[symbol]];
  const name: StyledRow = [piece(symbol, 'bold'), ...(top === undefined ? [] : [piece(`  ${top.mid}`, 'bold')])];
  if (size === undefined) return [...name, piece('  flat', 'dim')];
  const entry = held?.entry === undefined ? '' : ` from ${held.entry}`;
  const gain: StyledRow = held === undefined ? [] : [piece(', '), ...unrealised(held)];
  const end = isFar(held?.liquidation, status.markets[symbol]?.mark) ? '' : `, liquidation at ${held?.liquidation}`;
  const parts = [
    [entry, end],
    ['', end],
    [entry, ''],
  ] as const;
  return firstFitting(
    parts.map(([from, to]) => [...name, piece(`  position ${size}${from}`), ...gain, piece(to)]),
    width,
  );
}

/** The same for a narrow terminal; with a position in two rows. */
function narrowTitle({ symbol, top }: MarketViewModel, { status }: ViewModel, width: number): StyledRow[] {
  const [size, held] = [status.positions[symbol], status.holdings[symbol]];
  const mid: StyledRow[] = top === undefined ? [] : [[piece(top.mid, 'bold')]];
  if (size === undefined) return [fittingParts([[piece(symbol, 'bold')], [piece('flat', 'dim')], ...mid], width)];
  const [entry, end] = [held?.entry, held?.liquidation];
  const title = fittingParts([[piece(symbol, 'bold')], [piece(size)], ...mid], width);
  const rest = [
    ...(held === undefined ? [] : [unrealised(held)]),
    ...(isFar(end, status.markets[symbol]?.mark) ? [] : [[piece(`liquidation ${end}`)]]),
    ...(entry === undefined ? [] : [[piece(`from ${entry}`)]]),
  ];
  return rest.length === 0 ? [title] : [title, fittingParts(rest, width)];
}

const unrealised = ({ pnl }: { readonly pnl: string }): StyledRow => [piece('unrealised '), piece(Number(pnl).toFixed(2), signTone(pnl))];

/** One row instead of the order book: how many orders we have on each side, and the nearest of each. */
function ownOrders({ orders }: MarketViewModel, width: number): StyledRow {
  const sides = SIDES.flatMap((side) => {
    const [nearest, ...more] = orders.filter((order) => order.side === side);
    return nearest === undefined ? [] : [[piece(counted(more.length + 1, side), sideTone(side)), piece(` ${nearest.price}`)]];
  });
  return sides.length === 0 ? [piece('no orders', 'dim')] : fittingParts([[piece('own', 'dim')], ...sides], width);
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
  const pieces = parts.flatMap((part) => (part === undefined ? [] : [[piece(`${part[0]} `, 'dim'), piece(part[1])]]));
  return fittingParts([...(frozen ? [[piece('frozen', 'bad')]] : []), ...pieces], width);
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
function orderRows(
  { orders }: MarketViewModel,
  { max, now, width }: { readonly max: number; readonly now: Millis; readonly width: number },
): StyledRow[] {
  const [bids, asks] = SIDES.map((side) => orders.filter((order) => order.side === side));
  const shown = [...(asks ?? []).slice(0, max).reverse(), ...(bids ?? []).slice(0, max)];
  return [[piece(`own orders: ${orders.length}`, 'dim')], ...shown.map((order) => orderRow(order, now, width))];
}

/** One row; without the size ahead, the age and the id, in this order, if they do not fit. */
function orderRow({ clientOrderId, side, price, remaining, status, sentAt, ahead }: PageOrder, now: Millis, width: number): StyledRow {
  const order: StyledRow = [piece(side.padEnd(4), sideTone(side)), piece(`${price.padStart(11)}${remaining.padStart(9)}`)];
  const state: StyledRow = status === 'open' ? [] : [piece(` ${status}`, 'warn')];
  const withId: StyledRow = [...order, piece(` ${clientOrderId.slice(-5)}`, 'dim'), ...state];
  const withAge: StyledRow = [...withId, piece(` ${secondsText(Math.max(0, now - sentAt))}`, 'dim')];
  const queue = ahead === undefined || Number(ahead) === 0 ? '' : `, ${ahead} ahead`;
  return firstFitting([[...withAge, piece(queue, 'dim')], withAge, withId, [...order, ...state]], width);
}

const sideTone = (side: Side): Tone => (side === 'bid' ? 'good' : 'bad');
