// The exchange of a simulated run: the embedded one behind rules that the seed has chosen, which restarts, stalls, jumps in time, refuses and lags.
import type { Clock, Millis } from '../../../base/clock.ts';
import { type HttpReply, type HttpRequest, isRead } from '../../../base/transport/transport.ts';
import { type AccountId, numberIn, type UpdateId } from '../../../bot/domain/ids.ts';
import { Exchange } from '../../../embedded/exchange/exchange.ts';
import { DEFAULT_FUNDS, listedAs } from '../../../embedded/exchange/state/listing.ts';
import type { Receipt, WireAction } from '../../../venues/wire/codec.ts';
import type { ApiServer, ExchangeApi, PlayedExchange } from '../exchange-api.ts';
import type { FaultBox } from '../plan/fault-box.ts';
import type { InjectedFault } from '../plan/faults.ts';
import type { Options } from '../plan/options.ts';
import type { SignedAction } from '../record/signed-action.ts';
import type { Situation } from '../record/situations.ts';
import { Truth, type Undone } from '../record/truth.ts';
import { ManualTrader } from './exchange/manual-trader.ts';
import { scheduleMarketFaults, scheduleStalls, schedulingOf } from './exchange/market-faults.ts';
import { Rewindable } from './exchange/rewindable.ts';
import { type StreamServer, streamServerOf } from './exchange/stream-server.ts';
import { thinMarket } from './exchange/thin-market.ts';
import { strangerAt } from './network/lies.ts';
import { Replica } from './network/replica.ts';
import { Replies } from './network/replies.ts';

export interface SimulatedVenueOptions {
  readonly options: Options;
  readonly played: PlayedExchange;
  readonly clock: Clock;
  readonly start: Millis;
  readonly faults: FaultBox;
  /** Symbols; each is listed. */
  readonly markets: readonly string[];
  readonly reached: (situation: Situation) => void;
  readonly onRolledBack: (undone: Undone) => void;
  /** Called for each action that arrived, with its true answer. */
  readonly onAnswered: (action: WireAction, receipt: Receipt, copy: number) => void;
}

/** The other traders trade for this long before the bot can start. */
const WARM_UP: Millis = 10_000;

export class SimulatedVenue {
  readonly account: AccountId;
  readonly truth: Truth;
  readonly api: ExchangeApi;
  #exchange: Exchange;
  readonly #given: SimulatedVenueOptions;
  readonly #server: ApiServer;
  readonly #replica: Replica;
  readonly manualTrader: ManualTrader;
  readonly replies: Replies;
  readonly streams: StreamServer | undefined;
  /** How far engine time is ahead of the simulation's time: negative after stalls. */
  #ahead: Millis = 0;
  /** How far engine time is behind the exchange's own time. */
  #setBack: Millis = 0;
  /** Engine time when the present action arrived, if that is the time that counts. */
  #arrivedAt: Millis | undefined;

  constructor(given: SimulatedVenueOptions) {
    const { options, clock, start, faults, played } = given;
    this.#given = given;
    const markets = played.listed(listedAs(given.markets));
    const made = { seed: options.seed, start: start - WARM_UP, markets, flow: thinMarket(options.crowd), fundingEvery: options.fundingMs };
    this.#exchange = faults.of('rollback').length > 0 ? new Rewindable(made) : new Exchange(made);
    this.exchange.advanceTo(start);
    this.account = this.exchange.register(played.user, DEFAULT_FUNDS);
    this.api = played.api;
    this.truth = new Truth(holdBefore(this.exchange, this.account, options), this.account);
    const answer = (request: HttpRequest): HttpReply => this.#server.answer(request);
    this.replies = new Replies({ clock, start, faults, stranger: () => strangerAt(this.exchange, { own: this.account, api: answer }) });
    this.#server = this.#serve();
    this.#replica = new Replica({
      clock,
      faults,
      api: this.api,
      accountRequests: this.#server.accountRequests,
      newestTrade: () => this.exchange.trades({ pageSize: 1 }).items[0]?.tradeId ?? '0',
      show: (request) => this.#show(request),
      tradesUpTo: (request, trade) => this.replies.shown(request, this.#server.tradesUpTo(request, trade)),
    });
    this.manualTrader = new ManualTrader({
      clock,
      exchange: () => this.exchange,
      account: this.account,
      truth: this.truth,
      beforeOrder: (order) => this.#server.cancelCrossed?.(order),
    });
    this.streams = streamServerOf(options.streams, { clock, venue: this, server: this.#server, pathOf: this.api.pathOf });
    this.#schedule(start);
  }

  /** The last action that each account with this number includes, as far as the exchange knows, whatever a lie made of the number. */
  actionOf(updateId: UpdateId): number {
    return this.#server.actionOf(this.#trueNumber(updateId));
  }

  /** The last action that any account with this number includes. */
  lastActionOf(updateId: UpdateId): number {
    return this.#server.lastActionOf(this.#trueNumber(updateId));
  }

  #trueNumber(updateId: UpdateId): UpdateId {
    return String(this.replies.numberOf(numberIn(updateId)));
  }

  /** The same object until it is rolled back. */
  get exchange(): Exchange {
    return this.#exchange;
  }

  /** The time of the simulation. */
  clockNow(): Millis {
    return this.#given.clock.now();
  }

  engineTime(): Millis {
    return this.exchange.now() - this.#setBack;
  }

  /** By how much the clock is behind the times of the trades. */
  get setBack(): Millis {
    return this.#setBack;
  }

  /** A request is about to leave for the exchange; undefined if it is not an action. */
  sent(request: HttpRequest, process: number): SignedAction | undefined {
    this.replies.sent(request, process);
    if (request.body === undefined || this.api.pathOf(request) !== 'action') return undefined;
    const action = this.api.actionIn(request.body);
    if (action.kind === 'other') return undefined; // it does nothing
    return this.truth.sent(request.body, { action, at: this.#given.clock.now() - this.#given.start, process });
  }

  /** Brings the exchange to the present. */
  catchUp(): void {
    const { clock, faults } = this.#given;
    if (faults.on('stall') !== undefined) return;
    const due = clock.now() + this.#ahead;
    if (due > this.exchange.now()) this.exchange.advanceTo(due);
  }

  /** `answer` is called once, now or later; with undefined if nothing listens. */
  handle(request: HttpRequest, answer: (reply: HttpReply | undefined) => void): void {
    const { clock, faults, options } = this.#given;
    if (this.isDown) return answer(undefined);
    this.catchUp();
    if (isRead(request)) return answer(this.replies.given(request, this.#replica.answer(request)));
    if (this.api.pathOf(request) !== 'action') return answer(this.#server.answer(request));
    const queue = options.rules.queueMs + (faults.hit('queue')?.amount ?? 0);
    if (queue === 0) return answer(this.#act(request));
    const arrivedAt = options.rules.timeCheckedAt === 'arrival' ? this.engineTime() : undefined;
    clock.at(clock.now() + queue, () => {
      if (this.isDown) return; // it was accepted, and lost when the exchange went down
      this.catchUp();
      this.#arrivedAt = arrivedAt;
      const reply = this.#act(request);
      this.#arrivedAt = undefined;
      answer(reply);
    });
  }

  /** The true list of markets now. */
  listing(): string {
    const { listingRequest } = this.#server;
    return this.api.termsIn(listingRequest, this.#show(listingRequest).body) ?? '';
  }

  #show(request: HttpRequest): HttpReply {
    return this.replies.shown(request, this.#server.answer(request));
  }

  #act(request: HttpRequest): HttpReply {
    const body = request.body ?? new Uint8Array();
    const { action, receipt, reply } = this.#server.act(request, (asked) => this.#refusal(asked));
    const copy = this.truth.arrived(body);
    if (receipt.kind !== 'err') this.truth.executed(body, receipt, this.#given.clock.now());
    this.#given.onAnswered(action, receipt, copy);
    return reply;
  }

  /** The error by which an action is refused before the engine; undefined if it is not. */
  #refusal(action: WireAction): string | undefined {
    const { faults } = this.#given;
    if (action.kind === 'placeOrder' && this.replies.isClosed) return 'MARKET_FROZEN'; // closed until all processes know
    const fault = faults.on('reject');
    if (fault === undefined || (fault.detail !== 'MAINTENANCE' && action.kind !== 'placeOrder')) return undefined;
    return faults.hit('reject') === undefined ? undefined : (fault.detail ?? 'MAINTENANCE');
  }

  /** Schedules the faults of the exchange itself. */
  #schedule(start: Millis): void {
    const { clock, faults } = this.#given;
    const scheduling = schedulingOf({ clock, faults, start, catchUp: () => this.catchUp() });
    const { each } = scheduling;
    each('restart', (fault) => this.#restart(fault));
    each('rollback', (fault) => this.#rollBack(fault));
    each('leap', ({ amount = 0 }) => {
      this.#ahead += amount * 1_000;
      this.catchUp();
    });
    each('backward', ({ amount = 0 }) => {
      this.#setBack += amount * 1_000;
      this.truth.duplicatesForgotten(); // what was old enough to be forgotten can be young again
    });
    each('session', ({ detail }) => detail === 'taken' && this.#server.endSessions?.('taken'));
    each('evict', () => this.#server.endSessions?.('now'));
    each('shorten', ({ amount = 0 }) => this.#server.endSessions?.(amount));
    scheduleMarketFaults({ ...scheduling, exchange: () => this.exchange, manualTrader: this.manualTrader, reached: this.#given.reached });
    scheduleStalls({ ...scheduling, lose: (span) => void (this.#ahead -= span) });
  }

  get isDown(): boolean {
    return this.#given.faults.on('restart') !== undefined || this.#given.faults.on('rollback') !== undefined;
  }

  #serve(): ApiServer {
    return this.#given.played.serve({
      ...this.#given,
      exchange: this.exchange,
      account: this.account,
      engineTime: () => this.engineTime(),
      arrivedAt: () => this.#arrivedAt,
      shift: () => this.replies.shift,
    });
  }

  /** Restores the state of some seconds before; its time continues. */
  #rollBack(fault: InjectedFault): void {
    if (!(this.#exchange instanceof Rewindable) || this.manualTrader.isOff) return;
    const now = this.#exchange.now();
    this.#exchange = this.#exchange.asOf(Math.max(this.#given.start, now - 1_000 * (fault.amount ?? 0)));
    const undone = this.truth.rolledBack(this.#exchange);
    this.#exchange.advanceTo(now);
    this.#restart(fault);
    this.#given.onRolledBack(undone);
  }

  #restart(fault: InjectedFault): void {
    if (this.#server.restarted(this.exchange, fault).hasForgotten) this.truth.duplicatesForgotten();
    this.streams?.restart();
  }
}

/**
 * Gives the account of the bot the position that it holds before the run. Call it before anything is traded; returns the same exchange. The position was
 * bought or sold at the mark price.
 */
function holdBefore(exchange: Exchange, account: AccountId, { opening = 0, maxPosition }: Options): Exchange {
  const perp = exchange.markets.find(({ spec }) => spec.kind === 'perp');
  const mark = perp && exchange.live(perp.id)?.mark;
  if (perp === undefined || mark === undefined || opening === 0) return exchange;
  const size = perp.lots((opening * maxPosition) / perp.price(mark));
  exchange.hold(account, perp.id, { size, cost: perp.notional(mark, size) });
  return exchange;
}
