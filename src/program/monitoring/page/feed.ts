// Converts the turns of a run to events of the page. Live and recorded turns give the same events.
import type { Millis } from '../../../base/clock.ts';
import { packageVersion } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import { type Line, linesOf, logLinesOf, moneyText } from '../../../bot/accounting/lines.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import { lots, micros, ticks } from '../../../bot/domain/numbers.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { RunWatch, WatchedRun } from '../watch.ts';
import type { PageEvent, PageLine, PageState } from './contract.ts';
import { type StatusExtras, statusOf } from './status.ts';
import { bookOf, candlesOf, heldOf, orderOf } from './views.ts';

/** Minimum time in milliseconds between two events of a kind, by the time of the turns. */
const MIN_INTERVALS = { turn: 100, book: 200, orders: 200, status: 1_000 } as const;
const KEPT_LINES = 200;

type WithoutNumber<T> = T extends unknown ? Omit<T, 'seq'> : never;
export type NewEvent = WithoutNumber<PageEvent>;

export interface PageFeedOptions {
  /** Must be updated with each turn before the feed. */
  readonly watch: RunWatch;
  /** Receives each event, and numbers it. */
  readonly emit: (event: NewEvent) => void;
  /** Returns the facts about the run that are not in its turns. */
  readonly extras?: (() => StatusExtras) | undefined;
}

export class PageFeed {
  readonly watch: RunWatch;
  readonly #emit: PageFeedOptions['emit'];
  readonly #extras: () => StatusExtras;
  readonly #markets: ReadonlyMap<MarketId, WatchedRun['markets'][number]>;
  readonly #emittedAt = new Map<string, Millis>();
  readonly #changedBooks = new Set<MarketId>();
  readonly #fills: PageLine[] = [];
  readonly #lines: PageLine[] = [];
  #ordersRevision = 0;
  #mode = 'active';
  #ended = false;

  constructor({ watch, emit, extras = () => ({}) }: PageFeedOptions) {
    this.watch = watch;
    this.#emit = emit;
    this.#extras = extras;
    this.#markets = new Map(watch.facts.markets.map((market) => [market.id, market]));
  }

  add(turn: Turn): void {
    for (const line of linesOf(turn, this.#markets)) this.#addLine(this.#inOurTime(line, turn));
    for (const line of logLinesOf(turn)) this.#addLine(line);
    this.#emitFindings(turn);
    if (this.watch.mode !== this.#mode) this.#emitMode();
    for (const event of turn.events) if (event.kind === 'bookSeen') this.#changedBooks.add(event.book.market);
    this.#emitDue(turn.at);
  }

  /** Emits all changes that MIN_INTERVALS have delayed. */
  catchUp(): void {
    this.#emittedAt.clear();
    this.#emitDue(this.watch.at);
  }

  /** Call it when the run has ended. */
  end(): void {
    this.#ended = true;
    this.catchUp();
    this.#emit({ kind: 'end', at: this.watch.at });
  }

  /** Returns all that a page needs when it is opened. */
  state({ seq, now, control }: Pick<PageState, 'seq' | 'now' | 'control'>): PageState {
    const { run, strategy, exchange, live, seed, startedAt, quality, markets, params, limits } = this.watch.facts;
    const watched = [...this.watch.markets.values()];
    return {
      seq,
      now,
      run,
      strategy,
      exchange,
      live,
      seed,
      startedAt,
      ...(quality !== undefined && { quality }),
      versions: { tickwright: packageVersion() },
      markets: markets.map((market) => ({
        symbol: market.symbol,
        priceDecimals: market.spec.priceDecimals,
        tick: market.priceText(ticks(1)),
        lot: market.sizeText(lots(1)),
      })),
      params,
      limits,
      control,
      mode: this.watch.mode,
      status: statusOf(this.watch, this.#extras()),
      book: Object.fromEntries(watched.flatMap((market) => bookOf(market, this.watch.orders) ?? []).map((book) => [book.market, book])),
      orders: this.#orders(),
      held: this.watch.findings.map((held) => heldOf(held, this.watch)),
      fills: this.#fills,
      lines: this.#lines,
      equity: this.watch.equity.points.map(({ at, equity, pnl }) => [at, text(equity), text(pnl)]),
      candles: Object.fromEntries(watched.map((market) => [market.market.symbol, candlesOf(market)])),
      ended: this.#ended,
    };
  }

  #orders() {
    const { orders } = this.watch;
    return [...orders.all()].flatMap((order) => {
      const market = this.#markets.get(order.market);
      return market === undefined ? [] : [orderOf(order, market, orders.queues.ahead(order.clientOrderId))];
    });
  }

  #addLine(line: Line): void {
    this.#emit({ ...line });
    const kept = line.kind === 'fill' || line.kind === 'correction' ? this.#fills : this.#lines;
    kept.push({ ...line });
    if (kept.length > KEPT_LINES) kept.shift();
  }

  /** Returns the line in our time. A fill has the exchange's time in the journal; on the page all lines have ours, as the candles do. */
  #inOurTime(line: Line, { at: until, changes }: Turn): Line {
    if (line.kind !== 'fill' && line.kind !== 'unbooked' && line.kind !== 'correction') return line;
    const { clientOrderId } = line;
    const since = changes.find(({ order }) => order.clientOrderId === clientOrderId)?.order.sentAt;
    return { ...line, at: timeText(this.watch.exchangeClock.ours(Date.parse(line.at), { since, until })) };
  }

  #emitFindings({ at, findings, ended = [] }: Turn): void {
    for (const finding of findings) {
      if (finding.verdict !== 'close') this.#emit({ kind: 'held', ...heldOf({ ...finding, since: at }, this.watch) });
    }
    for (const { guard, market, side, verdict } of ended) {
      if (verdict === 'close') continue;
      this.#emit({ kind: 'released', at, guard, market: this.#symbol(market), side, verdict });
    }
  }

  #symbol(market: MarketId | undefined): string | undefined {
    return market === undefined ? undefined : this.#markets.get(market)?.symbol;
  }

  #emitMode(): void {
    const { mode, modeReason = '', at } = this.watch;
    this.#mode = mode;
    this.#emit({ kind: 'mode', at, mode, reason: modeReason });
  }

  /** Emits the changes that are due; the others wait for a later turn. */
  #emitDue(at: Millis): void {
    for (const id of this.#changedBooks) {
      if (!this.#isDue('book', at, id)) continue;
      this.#changedBooks.delete(id);
      const watched = this.watch.markets.get(id);
      const book = watched === undefined ? undefined : bookOf(watched, this.watch.orders);
      if (book !== undefined) this.#emit({ kind: 'book', ...book });
    }
    const { revision } = this.watch.orders;
    if (revision !== this.#ordersRevision && this.#isDue('orders', at)) {
      this.#ordersRevision = revision;
      this.#emit({ kind: 'orders', orders: this.#orders() });
    }
    if (this.#isDue('status', at)) this.#emit({ kind: 'status', ...statusOf(this.watch, this.#extras()) });
    if (this.#isDue('turn', at)) this.#emit({ kind: 'turn', at, turns: this.watch.turns });
  }

  /** True if MIN_INTERVALS allows an event of this kind now; then its time is remembered. */
  #isDue(kind: keyof typeof MIN_INTERVALS, at: Millis, of: MarketId | '' = ''): boolean {
    const key = `${kind}/${of}`;
    if (at < (this.#emittedAt.get(key) ?? -Infinity) + MIN_INTERVALS[kind]) return false;
    this.#emittedAt.set(key, at);
    return true;
  }
}

const text = (amount: number): string => moneyText(micros(amount));
