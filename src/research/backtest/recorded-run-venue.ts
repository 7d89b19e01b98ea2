// The venue of a backtest of a recorded run: it repeats the market events that the run received, at the same times, and takes the account events from
// an exchange that follows the tape.
import { Subject } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import { unreachable } from '../../base/errors.ts';
import type { Account } from '../../bot/domain/account.ts';
import type { Action } from '../../bot/domain/action.ts';
import type { AccountEvent, ClockJumped, Command, Event, InputEvent, MarketEvent, TimerFired } from '../../bot/domain/event.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Fill } from '../../bot/domain/order.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import type { Gateway, Venue } from '../../bot/exchange/port.ts';
import { execute } from '../../embedded/adapter/gateway.ts';
import { EmbeddedNetwork } from '../../embedded/adapter/network.ts';
import { accountLook, OwnTrades } from '../../embedded/adapter/own-events.ts';
import type { Exchange } from '../../embedded/exchange/exchange.ts';

/** Polling interval of the account after the last recorded turn, until the run has closed. */
const AFTERWARDS: Millis = 500;
/** `asked` of a round of fills is moved back by this, as on the exchange's own API. */
const LISTING_LAG: Millis = 2_000;

/** The time to the exchange and back. */
export interface Delay {
  readonly there: Millis;
  readonly back: Millis;
}

/** The key of an action in `actionArrivals`. */
export const actionKey = ({ kind, clientOrderId }: Pick<Action, 'kind' | 'clientOrderId'>): string => `${kind} ${clientOrderId}`;

export interface RecordedRunVenueOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly account: AccountId;
  readonly markets: readonly Market[];
  /** How long each action takes. */
  readonly trips: { of(action: Action, now: Millis): Delay };
  /** When each recorded poll of the account and of our fills read the exchange, and how long a request took. */
  readonly record: { readonly accountReadTimes: readonly Millis[]; readonly fillReadTimes: readonly Millis[]; readonly roundTrip: Millis };
  /** Called when the recorded run was stopped. */
  readonly stop: (reason: string) => void;
}

/** The venue of the played run. No request fails or is lost. It runs in timers of the clock. */
export class RecordedRunVenue {
  readonly venue: Venue;
  /** The recorded events of the strategy's inputs, commands and the clock. */
  readonly inputs = new Subject<InputEvent | Command | ClockJumped | TimerFired>();
  /** When each action reached the exchange, by `actionKey`. */
  readonly actionArrivals = new Map<string, Millis>();
  readonly #options: RecordedRunVenueOptions;
  readonly #market = new Subject<MarketEvent>();
  readonly #account = new Subject<AccountEvent>();
  /** Returns the account as the exchange has it now. */
  readonly #look: () => Account;
  readonly #trades: OwnTrades;
  #isOver = false;
  /** Number of polls of the account and of rounds of fills so far. */
  #accounts = 0;
  #rounds = 0;

  constructor(options: RecordedRunVenueOptions) {
    const { exchange, clock, account, markets } = options;
    this.#options = options;
    const immediate = { draw: () => ({ there: 0, back: 0 }) };
    const network = new EmbeddedNetwork({ exchange, clock, latency: { seen: immediate, sent: immediate } });
    this.#look = accountLook({ exchange, account, markets });
    this.#trades = new OwnTrades({ exchange, clock, account, network });
    const tokens = exchange.tokens.map(({ tokenId, symbol, decimals, weightBps }) => ({ tokenId, symbol, decimals, weightBps }));
    const gateway: Gateway = {
      account,
      events: this.#account,
      submit: (actions) => this.#submit(actions),
      close: () => Promise.resolve(),
    };
    this.venue = { feed: { markets, tokens, events: this.#market }, gateway };
  }

  /** Schedules the events of a recorded turn, which must be in the future. */
  plan({ at, events }: Turn): void {
    const shown = events.map((event) => this.#planned(event));
    this.#options.clock.at(at, () => {
      for (const show of shown) show();
    });
  }

  /** Schedules the polls after the last turn. Must be called after the last `plan`. */
  planRest(last: Millis): void {
    const { clock } = this.#options;
    const ask = (): void => {
      if (this.#isOver) return;
      const now = clock.now();
      const trip = { at: now, asked: now - this.#options.record.roundTrip };
      this.#account.next({ kind: 'accountSeen', ...trip, account: this.#accountNow() });
      this.#account.next({ kind: 'fillsSeen', ...trip, asked: trip.asked - LISTING_LAG, fills: this.#fillsNow() });
      this.#market.next({ kind: 'timeSeen', ...trip, engineSeconds: Math.floor(now / 1_000), isOwn: true });
      this.inputs.next({ kind: 'timerFired', at: now });
      clock.at(now + AFTERWARDS, ask);
    };
    clock.at(last + AFTERWARDS, ask);
  }

  close(): void {
    this.#isOver = true;
  }

  /** Schedules the read that an event needs, and returns a function that emits the event. */
  #planned(event: Event): () => void {
    const { record } = this.#options;
    switch (event.kind) {
      case 'accountSeen': {
        const account = this.#readAt(record.accountReadTimes[this.#accounts++] ?? event.at, () => this.#accountNow());
        return () => this.#account.next({ ...event, account: account() });
      }
      case 'fillsSeen': {
        const fills = this.#readAt(record.fillReadTimes[this.#rounds++] ?? event.at, () => this.#fillsNow());
        return () => this.#account.next({ ...event, fills: fills() });
      }
      case 'sessionSeen': {
        const opened = Math.floor(event.at / 1_000);
        return () => this.#account.next({ ...event, opened, expires: opened + event.expires - event.opened });
      }
      case 'timeSeen':
        return () => this.#market.next({ ...event, engineSeconds: Math.floor(between(event) / 1_000) });
      case 'bookSeen':
      case 'tradesSeen':
      case 'infoSeen':
      case 'candlesSeen':
      case 'healthSeen':
        return () => this.#market.next(event);
      case 'command':
        return event.command === 'stop' ? () => this.#options.stop(event.reason) : () => this.inputs.next(event);
      case 'inputSeen':
      case 'inputHealth':
      case 'clockJumped':
      case 'timerFired':
        return () => this.inputs.next(event);
      case 'orderOpened':
      case 'orderRejected':
      case 'orderUnknown':
      case 'cancelAnswered':
        return () => undefined;
      default:
        return unreachable(event);
    }
  }

  /** Schedules `read` for the time at which the request would have reached the exchange; returns a function for the value. */
  #readAt<T>(when: Millis, read: () => T): () => T {
    const { clock } = this.#options;
    let value: { readonly is: T } | undefined;
    const readNow = (): T => {
      value ??= { is: read() };
      return value.is;
    };
    if (when > clock.now()) clock.at(when, readNow);
    return readNow;
  }

  #accountNow(): Account {
    this.#advance();
    this.#options.exchange.countAction(); // as an action of another user would: a snapshot with an unchanged number proves nothing
    return this.#look();
  }

  #fillsNow(): readonly Fill[] {
    this.#advance();
    return this.#trades.look();
  }

  #advance(): void {
    const { exchange, clock } = this.#options;
    exchange.advanceTo(Math.max(exchange.now(), Math.floor(clock.now())));
  }

  #submit(actions: readonly Action[]): void {
    const { clock, trips } = this.#options;
    for (const action of actions) {
      const { there, back } = trips.of(action, clock.now());
      clock.at(clock.now() + there, () => {
        this.#advance();
        this.actionArrivals.set(actionKey(action), clock.now());
        const answer = execute(action, this.#options);
        clock.at(clock.now() + back, () => this.#account.next(answer(clock.now())));
      });
    }
  }
}

/** Returns the middle between request and answer. */
const between = ({ asked, at }: { asked: Millis; at: Millis }): Millis => (asked + at) / 2;
