// The order book with our own orders, and the estimated size queued before each.
import type { PageBook, PageOrder } from '../../contract.ts';
import { grouped } from '../format.ts';
import { books, ended, market, now, orders, shownOrder } from '../state/store.ts';

type Level = PageBook['bids'][number];
type Side = PageOrder['side'];

/** Number of levels of each side that are always shown; a level farther away is shown if we have an order there. */
const NEAR = 10;

interface Row {
  readonly price: string;
  readonly size: string | undefined;
  readonly own: readonly PageOrder[];
  /** True if levels are omitted between this row and the next one towards the mid price. */
  readonly isApart: boolean;
}

export function Ladder() {
  const book = books.value[market.value];
  const ours = orders.value.filter((order) => order.market === market.value);
  if (book === undefined)
    return (
      <section class="panel ladder">
        <h2>order book</h2>
        <p class="empty">no book yet</p>
      </section>
    );
  const asks = rowsOf(book.asks, ours, 'ask');
  const bids = rowsOf(book.bids, ours, 'bid');
  const largest = Math.max(...[...asks, ...bids].map(({ size }) => Number(size ?? 0)), 0);
  const isOld = !ended.value && now.value - book.asked > 5_000;
  return (
    <section class={`panel ladder ${isOld ? 'old' : ''}`}>
      <h2>
        order book <span class="note">{ours.length} own orders</span>
      </h2>
      <div class="rows" role="table" aria-label="order book">
        <div class="row head" role="row">
          <span>price</span>
          <span>size</span>
          <span>ours · ahead</span>
        </div>
        {[...asks].reverse().map((row) => (
          <LadderRow key={`ask${row.price}`} row={row} side="ask" largest={largest} />
        ))}
        <Spread book={book} />
        {bids.map((row) => (
          <LadderRow key={`bid${row.price}`} row={row} side="bid" largest={largest} />
        ))}
      </div>
    </section>
  );
}

/** Returns the rows of one side, best first: the NEAR best levels, and those farther away at which we have orders. */
function rowsOf(levels: readonly Level[], ours: readonly PageOrder[], side: Side): readonly Row[] {
  const own = ours.filter((order) => order.side === side);
  const near = levels.slice(0, NEAR).map(([price, size]) => ({ price, size, own: own.filter((order) => order.price === price) }));
  const shown = new Set(near.map(({ price }) => price));
  const far = [...new Set(own.map(({ price }) => price).filter((price) => !shown.has(price)))].map((price) => ({
    price,
    size: levels.find(([at]) => at === price)?.[1],
    own: own.filter((order) => order.price === price),
  }));
  const sign = side === 'ask' ? 1 : -1;
  const rows = [...near, ...far].sort((a, b) => sign * (Number(a.price) - Number(b.price)));
  const lastNear = near.at(-1)?.price;
  return rows.map((row, rank) => ({ ...row, isApart: rank > 0 && rows[rank - 1]?.price === lastNear && !shown.has(row.price) }));
}

function LadderRow({ row: { price, size, own, isApart }, side, largest }: { row: Row; side: Side; largest: number }) {
  const width = size === undefined || largest === 0 ? 0 : (Number(size) / largest) * 100;
  return (
    <>
      <div class={`row ${side} ${own.length > 0 ? 'own' : ''} ${isApart ? 'apart' : ''}`} role="row">
        <i class="depth" style={{ width: `${width}%` }} />
        <span class="price">{grouped(price)}</span>
        <span class="size">{size ?? '·'}</span>
        <span class="ours">
          {own.map((order) => (
            <button
              key={order.clientOrderId}
              type="button"
              class={order.status}
              title={`${order.status}; click for its history`}
              onClick={() => (shownOrder.value = order.clientOrderId)}
            >
              {side === 'bid' ? '▲' : '▼'} {order.remaining} <small>{aheadWords(order)}</small>
            </button>
          ))}
        </span>
      </div>
    </>
  );
}

function aheadWords({ status, ahead }: PageOrder): string {
  if (status !== 'open') return status;
  if (ahead === undefined) return '';
  return Number(ahead) === 0 ? 'first' : `≈${ahead} ahead`;
}

function Spread({ book: { bids, asks } }: { book: PageBook }) {
  const [bid, ask] = [Number(bids[0]?.[0]), Number(asks[0]?.[0])];
  if (!Number.isFinite(bid) || !Number.isFinite(ask)) return <div class="row middle">one side is empty</div>;
  const middle = (bid + ask) / 2;
  const decimals = (asks[0]?.[0].split('.')[1] ?? '').length;
  return (
    <div class="row middle" role="row">
      <b>{grouped(middle.toFixed(decimals + 1))}</b>
      <span>
        spread {(ask - bid).toFixed(decimals)} · {basisPoints((ask - bid) / middle)} bp
      </span>
    </div>
  );
}

const basisPoints = (share: number): string => (share * 10_000).toFixed(share < 1e-4 ? 3 : 1);
