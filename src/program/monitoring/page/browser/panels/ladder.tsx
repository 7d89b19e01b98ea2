// The order book with our own orders, and the estimated size queued before each.
import type { PageBook, PageOrder } from '../../contract.ts';
import { grouped } from '../format.ts';
import { ROWS, type ShownLevel, shownLevels } from '../shown-levels.ts';
import { books, ended, market, now, orders, shownOrder } from '../state/store.ts';

/** The age from which a book is shown as old, in milliseconds. */
const OLD_BOOK = 5_000;

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
  const asks = shownLevels('ask', book.asks, ours);
  const bids = shownLevels('bid', book.bids, ours);
  const farther = ours.length - [...asks, ...bids].flatMap(({ own }) => own).length;
  const largest = Math.max(...[...asks, ...bids].map(({ size }) => Number(size ?? 0)), 0);
  const isOld = !ended.value && now.value - book.asked > OLD_BOOK;
  return (
    <section class={`panel ladder ${isOld ? 'old' : ''}`}>
      <h2>
        order book{' '}
        <span class="note">
          {ours.length} own orders{farther > 0 && `, ${farther} farther away`}
        </span>
      </h2>
      <div class="rows" role="table" aria-label="order book">
        <div class="row head" role="row">
          <span>price</span>
          <span>size</span>
          <span>ours · ahead</span>
        </div>
        <Blank rows={ROWS - asks.length} />
        {[...asks].reverse().map((row) => (
          <Row key={`ask${row.price}`} row={row} side="ask" largest={largest} />
        ))}
        <Spread book={book} />
        {bids.map((row) => (
          <Row key={`bid${row.price}`} row={row} side="bid" largest={largest} />
        ))}
        <Blank rows={ROWS - bids.length} />
      </div>
    </section>
  );
}

/** The place of the rows that the book does not have. */
const Blank = ({ rows }: { rows: number }) => <div class="blank" style={{ height: `${rows * 20}px` }} />;

function Row({ row, side, largest }: { row: ShownLevel; side: PageOrder['side']; largest: number }) {
  const { price, size, own, isApart } = row;
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
              {side === 'bid' ? '▲' : '▼'} {order.remaining} {own.length === 1 && <small>{aheadWords(order)}</small>}
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
