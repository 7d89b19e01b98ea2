// Collects the rows of four tables during a run: changes of orders, findings, funding payments, and the turns in which something happened.
import type { Millis } from '../../../base/clock.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { OrderIntent } from '../../../bot/domain/intent.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Order } from '../../../bot/domain/order.ts';
import type { Finding, OrderChange, Turn } from '../../../bot/domain/turn.ts';
import { FundingRows } from './funding-rows.ts';
import { type Table, tableOf } from './table.ts';

interface TurnRow {
  readonly at: Millis;
  readonly seen: string;
  readonly wanted: string;
  readonly placed: number;
  readonly cancelled: number;
  readonly fills: number;
  readonly findings: number;
  readonly alarms: string;
}

/** What the table shows of a change; not its order, which the run forgets when it has ended. */
interface ChangeRow
  extends Pick<OrderChange, 'status' | 'reason'>,
    Pick<Order, 'market' | 'clientOrderId' | 'orderId' | 'side' | 'price' | 'size' | 'remaining' | 'fillMode'> {
  readonly at: Millis;
}

/** Skips turns without actions, fills, changes, findings and alarms. */
export class TurnTable {
  readonly #markets: ReadonlyMap<MarketId, Market>;
  readonly #changes: ChangeRow[] = [];
  readonly #findings: { readonly at: Millis; readonly finding: Finding }[] = [];
  readonly #turns: TurnRow[] = [];
  /** The kinds of events of a turn as text: few texts, each kept once. */
  readonly #seen = new Map<string, string>();
  readonly #funding: FundingRows;

  constructor(markets: readonly Market[]) {
    this.#markets = new Map(markets.map((market) => [market.id, market]));
    this.#funding = new FundingRows(markets);
  }

  see(turn: Turn): void {
    const { at, actions, fills, changes, findings, alarms, events } = turn;
    this.#funding.see(turn);
    if (actions.length + fills.length + changes.length + findings.length + alarms.length === 0) return;
    for (const change of changes) this.#changes.push(rowOf(change, at));
    for (const finding of findings) this.#findings.push({ at, finding });
    this.#turns.push({
      at,
      seen: this.#seenText(events),
      wanted: turn.intents.map((intent) => this.#words(intent)).join('; '),
      placed: actions.filter(({ kind }) => kind === 'place').length,
      cancelled: actions.filter(({ kind }) => kind === 'cancel').length,
      fills: fills.length,
      findings: findings.length,
      alarms: alarms.map(({ name, reason }) => `${name}: ${reason}`).join('; '),
    });
  }

  #seenText(events: Turn['events']): string {
    const text = [...new Set(events.map(({ kind }) => kind))].join(' ');
    const known = this.#seen.get(text);
    if (known === undefined) this.#seen.set(text, text);
    return known ?? text;
  }

  /** The tables `orders`, `findings`, `turns` and `funding`. */
  tables(): readonly Table[] {
    return [this.#ordersTable(), this.#findingsTable(), this.#turnsTable(), this.#funding.table()];
  }

  #ordersTable(): Table {
    const of = (id: MarketId): Market | undefined => this.#markets.get(id);
    return tableOf('orders', this.#changes, [
      ['time', 'time', ({ at }) => at],
      ['market', 'text', ({ market }) => of(market)?.symbol],
      ['client_order_id', 'text', ({ clientOrderId }) => clientOrderId],
      ['order_id', 'text', ({ orderId }) => orderId],
      ['status', 'text', ({ status }) => status],
      ['side', 'text', ({ side }) => side],
      ['price', 'decimal', ({ market, price }) => of(market)?.priceText(price)],
      ['size', 'decimal', ({ market, size }) => of(market)?.sizeText(size)],
      ['remaining', 'decimal', ({ market, remaining }) => of(market)?.sizeText(remaining)],
      ['price_ticks', 'integer', ({ price }) => price],
      ['size_lots', 'integer', ({ size }) => size],
      ['fill_mode', 'text', ({ fillMode }) => fillMode],
      ['reason', 'text', ({ reason }) => reason],
    ]);
  }

  #findingsTable(): Table {
    return tableOf('findings', this.#findings, [
      ['time', 'time', ({ at }) => at],
      ['guard', 'text', ({ finding }) => finding.guard],
      ['market', 'text', ({ finding }) => (finding.market === undefined ? undefined : this.#markets.get(finding.market)?.symbol)],
      ['side', 'text', ({ finding }) => finding.side],
      ['verdict', 'text', ({ finding }) => finding.verdict],
      ['reason', 'text', ({ finding }) => finding.reason],
    ]);
  }

  #turnsTable(): Table {
    return tableOf('turns', this.#turns, [
      ['time', 'time', ({ at }) => at],
      ['seen', 'text', ({ seen }) => seen],
      ['wanted', 'text', ({ wanted }) => wanted],
      ['placed', 'integer', ({ placed }) => placed],
      ['cancelled', 'integer', ({ cancelled }) => cancelled],
      ['fills', 'integer', ({ fills }) => fills],
      ['findings', 'integer', ({ findings }) => findings],
      ['alarms', 'text', ({ alarms }) => (alarms === '' ? undefined : alarms)],
    ]);
  }

  /** An intent as text: `BTCUSDC bids 1@99 asks 1@101`, or `BTCUSDC position 2 limit 100`. */
  #words(intent: OrderIntent): string {
    const market = this.#markets.get(intent.market);
    if (market === undefined) return '';
    const { symbol } = market;
    if (intent.kind === 'target') return `${symbol} position ${market.sizeText(intent.position)} limit ${market.priceText(intent.limit)}`;
    const side = (levels: typeof intent.bids): string =>
      levels.map(({ price, size }) => `${market.sizeText(size)}@${market.priceText(price)}`).join(' ');
    return `${symbol} bids ${side(intent.bids)} asks ${side(intent.asks)}`;
  }
}

function rowOf({ order, status, reason }: OrderChange, at: Millis): ChangeRow {
  const { market, clientOrderId, orderId, side, price, size, remaining, fillMode } = order;
  return { at, market, clientOrderId, orderId, status, side, price, size, remaining, fillMode, reason };
}
