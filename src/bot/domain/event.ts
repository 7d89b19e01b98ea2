// All events of a run. `at` is the run's time; `asked` is when the request that returned the data started.
import type { Millis } from '../../base/clock.ts';
import type { Account } from './account.ts';
import type { Book, Level } from './book.ts';
import type { Candle } from './candle.ts';
import type { ActionId, ClientOrderId, MarketId, OrderId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { Mode } from './mode.ts';
import type { Lots, Ticks } from './numbers.ts';
import type { Fill, Trade } from './order.ts';

export interface BookSeen {
  readonly kind: 'bookSeen';
  readonly at: Millis;
  readonly asked: Millis;
  readonly book: Book;
  /** True for a price inside a candle of a backtest, at a level of our own: only the exits are judged by it, the strategy is not asked. */
  readonly inside?: true | undefined;
}

/** Trades of one market since the previous event of this kind, oldest first. */
export interface TradesSeen {
  readonly kind: 'tradesSeen';
  readonly at: Millis;
  readonly market: MarketId;
  readonly trades: readonly Trade[];
}

/** Finished candles of one market that were not reported before, oldest first. Only some exchanges have them. */
export interface CandlesSeen {
  readonly kind: 'candlesSeen';
  readonly at: Millis;
  readonly asked: Millis;
  readonly market: MarketId;
  readonly candles: readonly Candle[];
  /** Length of the candles. Default: a minute. */
  readonly span?: Millis | undefined;
  /** True if the source reports every candle, so that none is built from prices. */
  readonly complete?: boolean | undefined;
  /** True if the candles are not shown to the strategy, which uses longer ones. */
  readonly hidden?: boolean | undefined;
  /** True if the candles were read once as the history of a strategy; the source may report no others. */
  readonly past?: boolean | undefined;
}

/** The live data of one market, from `/markets/live`; a field is absent if the exchange reports null. */
export interface LiveInfo {
  readonly market: MarketId;
  readonly index?: Ticks | undefined;
  /** Half-width of the oracle's confidence interval. */
  readonly indexConf?: Ticks | undefined;
  readonly mark?: Ticks | undefined;
  readonly frozen: boolean;
  /** In a backtest on candles: the range of the candle that has just ended. */
  readonly range?: { readonly low: Ticks; readonly high: Ticks } | undefined;
  /** A fraction an hour. */
  readonly fundingRate?: number | undefined;
  readonly nextFunding?: Millis | undefined;
  /** True if the rate is that of the last payment, and the time of the next one is expected, because the data announces neither. */
  readonly fundingPaid?: boolean | undefined;
  /** Decimal, in base units. */
  readonly openInterest?: number | undefined;
}

export interface InfoSeen {
  readonly kind: 'infoSeen';
  readonly at: Millis;
  readonly asked: Millis;
  readonly infos: readonly LiveInfo[];
}

/** The exchange's own logical time, in seconds. */
export interface TimeSeen {
  readonly kind: 'timeSeen';
  readonly at: Millis;
  readonly asked: Millis;
  readonly engineSeconds: number;
  /** The time in the Date header of the exchange's newest answer, at `asked`. */
  readonly dateSeconds?: number | undefined;
  /** True if the exchange has no clock, so that this is our own. */
  readonly isOwn?: boolean | undefined;
}

/**
 * `journal` is our own write-ahead log; `recording`: that of turns; `actions`: whether the exchange accepts what we send; `orders`: whether our orders
 * rest until we cancel them; `clock`: whether the exchange's clock agrees with its other times, and with what it
 * accepts; `sessions`: whether ours is the only living session of the user; `key`: whether the exchange accepts our signatures; `numbering`: whether
 * the numbers of our accounts only grow; `account-counts`: whether our accounts agree with the numbers of orders that they state.
 */
export type StreamName =
  | 'book'
  | 'info'
  | 'account'
  | 'trades'
  | 'fills'
  | 'time'
  | 'session'
  | 'listing'
  | 'journal'
  | 'recording'
  | 'actions'
  | 'orders'
  | 'clock'
  | 'sessions'
  | 'key'
  | 'numbering'
  | 'account-counts';

/** A stream became healthy or unhealthy; one event per change. */
export interface HealthSeen {
  readonly kind: 'healthSeen';
  readonly at: Millis;
  readonly stream: StreamName;
  readonly market?: MarketId | undefined;
  readonly healthy: boolean;
  /** The reason as text. */
  readonly reason: string;
  /** True if it also raises the alarm named after the stream. */
  readonly alarm?: boolean | undefined;
}

export interface SessionSeen {
  readonly kind: 'sessionSeen';
  readonly at: Millis;
  /** Engine time, in seconds. */
  readonly opened: number;
  readonly expires: number;
}

export interface AccountSeen {
  readonly kind: 'accountSeen';
  readonly at: Millis;
  readonly asked: Millis;
  readonly account: Account;
}

/** The exchange accepted an order, with its immediate fills and its resting size. The account and the trades confirm it later. */
export interface OrderOpened {
  readonly kind: 'orderOpened';
  readonly at: Millis;
  readonly clientOrderId: ClientOrderId;
  readonly actionId: ActionId;
  /** Absent if nothing rests, or if the receipt does not say. */
  readonly orderId?: OrderId | undefined;
  /** Immediate fills, each at its maker's price. */
  readonly taken: readonly Level[];
  /** Undefined if the receipt reports neither the resting size nor fills. */
  readonly resting?: Lots | undefined;
}

export interface OrderRejected {
  readonly kind: 'orderRejected';
  readonly at: Millis;
  readonly clientOrderId: ClientOrderId;
  /** The exchange's error name, `UNKNOWN_<number>` if the name is not known here, `NOT_SENT` or `NEVER_ADMITTED`. */
  readonly error: string;
  /** True if the error says that the market takes no orders now. */
  readonly frozen?: boolean | undefined;
  /** True if the order had no answer, and the exchange has said since that it was never admitted and never can be. */
  readonly settled?: true | undefined;
}

/** An order was sent, and no definite answer came. */
export interface OrderUnknown {
  readonly kind: 'orderUnknown';
  readonly at: Millis;
  readonly clientOrderId: ClientOrderId;
  readonly reason: string;
  /** Engine time in seconds after which the sent bytes can never execute. */
  readonly deadAfter: number;
  /** How long they could execute when they were signed. Default: the order life of the exchange. */
  readonly life?: Millis | undefined;
}

/**
 * The outcome of a cancel; `queued`: it will be executed later; `open`: it was not sent, because the exchange shows the order open. Only an account
 * requested later proves the order gone.
 */
export interface CancelAnswered {
  readonly kind: 'cancelAnswered';
  readonly at: Millis;
  readonly clientOrderId: ClientOrderId;
  readonly outcome: 'cancelled' | 'queued' | 'notFound' | 'open' | 'refused' | 'unknown';
  readonly reason?: string | undefined;
  /** True if the reason says that the market is frozen. */
  readonly frozen?: boolean | undefined;
}

/** One poll of our trades: those not reported before, oldest first; often none. All trades made before `asked` have then been reported. */
export interface FillsSeen {
  readonly kind: 'fillsSeen';
  readonly at: Millis;
  readonly asked: Millis;
  readonly fills: readonly Fill[];
  /** In the first poll of a process: the listed trades from before the run, and those that an earlier process reported, if their actions are known. */
  readonly earlier?: readonly Fill[] | undefined;
}

/** A value of one of the strategy's inputs. */
export interface InputSeen {
  readonly kind: 'inputSeen';
  readonly at: Millis;
  /** The time of the value: start of the request, or the time that the sender stated. */
  readonly asked: Millis;
  readonly name: string;
  readonly value: JsonValue;
  /** Present for a signal, which is kept for the next process of the run, because it may not be sent again. `id` is the sender's. */
  readonly signal?: { readonly id?: string | undefined } | undefined;
}

/** An input of the strategy failed or recovered; one event per change. */
export interface InputHealth {
  readonly kind: 'inputHealth';
  readonly at: Millis;
  readonly name: string;
  readonly healthy: boolean;
  /** The reason as text. */
  readonly reason: string;
}

export interface TimerFired {
  readonly kind: 'timerFired';
  readonly at: Millis;
}

/** The run's clock has jumped forward by `by`: the machine slept, or its wall clock was set. */
export interface ClockJumped {
  readonly kind: 'clockJumped';
  readonly at: Millis;
  readonly by: Millis;
}

/**
 * A command of a person, a signal, a time limit, or the run itself. `stop`: ignore intents, cancel all orders, wait until none is left. `mode`: set
 * the mode; ignored unless it is stricter than the current one.
 */
export type Command = {
  readonly kind: 'command';
  readonly at: Millis;
  readonly reason: string;
} & (
  | { readonly command: 'stop' }
  /** `by`: the source, as in the kill switch: `bot`, `kill`, or the name of a stop by loss. */
  | { readonly command: 'mode'; readonly mode: Mode; readonly by?: string | undefined }
  /** A person has resumed after a stop by loss: these stops count losses from now on. */
  | { readonly command: 'count-anew'; readonly stops: readonly string[] }
  /** The limit of a fleet: what the worst case of this run may be worth now, in millionths of the quote token. */
  | { readonly command: 'allow'; readonly notional: number }
);

export type InputEvent = InputSeen | InputHealth;
export type MarketEvent = BookSeen | TradesSeen | CandlesSeen | InfoSeen | TimeSeen | HealthSeen;
/** Everything that is reported of one account and of the actions on it. */
export type AccountEvent = AccountSeen | OrderOpened | OrderRejected | OrderUnknown | CancelAnswered | FillsSeen | SessionSeen | HealthSeen;
export type Event = MarketEvent | AccountEvent | InputEvent | TimerFired | ClockJumped | Command;
