// The exchange of a simulated run: the embedded one behind rules that the seed has chosen, which restarts, stalls, jumps in time, refuses and lags.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../base/transport/transport.ts';
import type { Signatures } from '../../../base/wire/ed25519.ts';
import { splitSigned } from '../../../base/wire/framing.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import { Exchange } from '../../../embedded/exchange/exchange.ts';
import { DEFAULT_FUNDS, listedAs } from '../../../embedded/exchange/state/listing.ts';
import { hostedApi } from '../../../embedded/server/hosted/api.ts';
import { Sessions } from '../../../embedded/server/hosted/sessions.ts';
import { wholeSeconds } from '../../../embedded/server/hosted/window.ts';
import { ActionCodec, type Receipt, type WireAction } from '../../../venues/wire/codec.ts';
import { bundledSchema } from '../../../venues/wire/schema/schema.ts';
import type { FaultBox } from '../plan/fault-box.ts';
import type { Fault } from '../plan/faults.ts';
import type { Options } from '../plan/options.ts';
import { pathOf } from '../plan/paths.ts';
import type { SignedAction } from '../record/signed-action.ts';
import type { Situation } from '../record/situations.ts';
import { Truth, type Undone } from '../record/truth.ts';
import { ShiftedCodec } from './exchange/live-terms.ts';
import { ManualTrader } from './exchange/manual-trader.ts';
import { scheduleMarketFaults, schedulingOf } from './exchange/market-faults.ts';
import { holdBefore } from './exchange/opening.ts';
import { Rewindable } from './exchange/rewindable.ts';
import { scheduleStalls } from './exchange/stalls.ts';
import { type StreamServer, streamServerOf } from './exchange/stream-server.ts';
import { thinMarket } from './exchange/thin-market.ts';
import { Duplicates } from './network/duplicates.ts';
import { strangerAt } from './network/lies.ts';
import { shownReceipt } from './network/receipts.ts';
import { Replica } from './network/replica.ts';
import { Replies } from './network/replies.ts';

export interface VenueOptions {
  readonly options: Options;
  readonly signing: Signatures;
  readonly clock: Clock;
  readonly start: Millis;
  readonly faults: FaultBox;
  /** Base58 of the user's public key. */
  readonly user: string;
  /** Symbols; each is listed. */
  readonly markets: readonly string[];
  readonly reached: (situation: Situation) => void;
  readonly onRolledBack: (undone: Undone) => void;
  /** Called for each action that arrived, with its true answer. */
  readonly onAnswered: (action: WireAction, receipt: Receipt, copy: number) => void;
}

/** The other traders trade for this long before the bot can start. */
const WARM_UP: Millis = 10_000;

export class Venue {
  readonly account: AccountId;
  readonly truth: Truth;
  readonly codec = new ActionCodec(bundledSchema());
  #exchange: Exchange;
  readonly #given: VenueOptions;
  readonly #sessions: Sessions;
  readonly #duplicates: Duplicates;
  #api: (request: HttpRequest) => HttpReply;
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

  constructor(given: VenueOptions) {
    const { options, clock, start, faults, user } = given;
    this.#given = given;
    const markets = listedAs(given.markets);
    const made = { seed: options.seed, start: start - WARM_UP, markets, flow: thinMarket(options.crowd), fundingEvery: options.fundingMs };
    this.#exchange = faults.of('rollback').length > 0 ? new Rewindable(made) : new Exchange(made);
    this.exchange.advanceTo(start);
    this.account = this.exchange.register(user, DEFAULT_FUNDS);
    this.truth = new Truth(holdBefore(this.exchange, this.account, options), this.account);
    this.#sessions = new Sessions({ perUser: 16, longestLife: options.rules.sessionSeconds });
    this.#duplicates = new Duplicates(options.rules);
    this.replies = new Replies({ clock, start, faults, stranger: () => strangerAt(this.exchange, { own: this.account, api: this.#api }) });
    this.#api = this.#makeApi();
    this.#replica = new Replica({
      clock,
      faults,
      newestTrade: () => this.exchange.trades({ pageSize: 1 }).items[0]?.tradeId ?? '0',
      show: () => this.#show({ method: 'GET', path: `/account/${this.account}` }),
    });
    this.manualTrader = new ManualTrader({ clock, exchange: () => this.exchange, account: this.account, truth: this.truth });
    this.streams = streamServerOf(options.streams, { clock, venue: this });
    this.#schedule(start);
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
    if (request.body === undefined || pathOf(request) !== 'action') return undefined;
    const action = this.codec.decode(splitSigned(request.body).framed);
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
    if (request.method === 'GET') {
      const reply = this.#replica.answer(request, (sent) => this.#show(sent));
      return answer(this.replies.given(request, reply));
    }
    if (pathOf(request) !== 'action') return answer(this.#api(request));
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
    return new TextDecoder().decode(this.#show({ method: 'GET', path: '/info' }).body);
  }

  #show(request: HttpRequest): HttpReply {
    const reply = this.#api(request);
    if (request.path !== '/timestamp' || this.#given.options.rules.timestampUnit === 's') return this.replies.shown(request, reply);
    return { ...reply, body: new TextEncoder().encode(String(this.engineTime())) };
  }

  #act(request: HttpRequest): HttpReply {
    const body = request.body ?? new Uint8Array();
    const { framed } = splitSigned(body);
    const action = this.codec.decode(framed);
    this.#duplicates.begin();
    const refused = this.#refusal(action, framed);
    const reply = refused === undefined ? this.#api(request) : this.#receiptReply(refused);
    const receipt = refused ?? this.codec.decodeReceipt(reply.body);
    const { clock, options } = this.#given;
    const copy = this.truth.arrived(body);
    if (receipt.kind === 'err') {
      if (refused === undefined && receipt.error !== 'DUPLICATE' && options.rules.forgetsFailed) this.#duplicates.forgetLast();
    } else this.truth.executed(body, receipt, clock.now());
    this.#given.onAnswered(action, receipt, copy);
    return refused === undefined ? this.#receiptReply(shownReceipt(receipt, this.#given)) : reply;
  }

  /** The refusal of anything before the engine; undefined if there is none. */
  #refusal(action: WireAction, framed: Uint8Array): Receipt | undefined {
    const { faults, options } = this.#given;
    const { timestamp, nonce } = action;
    const seen = { signed: framed, timestamp, nonce, now: wholeSeconds(this.#arrivedAt ?? this.engineTime()) };
    if (options.rules.duplicateFirst && this.#duplicates.has(seen)) return this.#error('DUPLICATE');
    if (action.kind === 'placeOrder' && this.replies.isClosed) return this.#error('MARKET_FROZEN'); // closed until all processes know
    const fault = faults.on('reject');
    if (fault === undefined || (fault.detail !== 'MAINTENANCE' && action.kind !== 'placeOrder')) return undefined;
    return faults.hit('reject') === undefined ? undefined : this.#error(fault.detail ?? 'MAINTENANCE');
  }

  #error(error: string): Receipt {
    return { kind: 'err', actionId: String(BigInt(this.exchange.lastActionId()) + 1n), error, code: this.codec.errorCode(error) ?? 998 };
  }

  #receiptReply(receipt: Receipt): HttpReply {
    return { status: 200, contentType: 'application/octet-stream', body: this.codec.encodeReceipt(receipt) };
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
    each('session', ({ detail }) => detail === 'taken' && this.#sessions.giveAway());
    each('evict', () => this.#sessions.endBy(0));
    each('shorten', ({ amount = 0 }) => this.#sessions.endBy(wholeSeconds(this.engineTime()) + amount));
    scheduleMarketFaults({ ...scheduling, exchange: () => this.exchange, manualTrader: this.manualTrader, reached: this.#given.reached });
    scheduleStalls({ ...scheduling, lose: (span) => void (this.#ahead -= span) });
  }

  get isDown(): boolean {
    return this.#given.faults.on('restart') !== undefined || this.#given.faults.on('rollback') !== undefined;
  }

  #makeApi(): (request: HttpRequest) => HttpReply {
    return hostedApi({
      exchange: this.exchange,
      codec: new ShiftedCodec(this.codec.schema, () => this.replies.shift),
      faucet: DEFAULT_FUNDS,
      catchUp: () => undefined,
      engineTime: () => this.#arrivedAt ?? this.engineTime(),
      sessions: this.#sessions,
      window: this.#duplicates,
      signatures: this.#given.signing,
    });
  }

  /** Restores the state of some seconds before; its time continues. */
  #rollBack(fault: Fault): void {
    if (!(this.#exchange instanceof Rewindable) || this.manualTrader.isOff) return;
    const now = this.#exchange.now();
    this.#exchange = this.#exchange.asOf(Math.max(this.#given.start, now - 1_000 * (fault.amount ?? 0)));
    const undone = this.truth.rolledBack(this.#exchange);
    this.#exchange.advanceTo(now);
    this.#api = this.#makeApi();
    this.#restart(fault);
    this.#given.onRolledBack(undone);
  }

  #restart({ detail }: Fault): void {
    const { rules } = this.#given.options;
    if (detail === 'forgets' || (detail === undefined && rules.restartForgets)) {
      this.#duplicates.forgetAll();
      this.truth.duplicatesForgotten();
    }
    if (rules.sessionsEndAtRestart) this.#sessions.endBy(0);
    this.streams?.restart();
  }
}
