// A running paper session: turns the feed's events into rows, moves the run's clock a second behind the machine's, and syncs the tapes.
import { concatMap, from, Observable, type Subscription, timer } from 'rxjs';
import type { Clock, Millis, VirtualClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { DiskError } from '../../base/files/disk.ts';
import { schedulerFrom } from '../../base/streams/scheduler.ts';
import type { MeasuredLatency, Summary } from '../../bot/accounting/summary.ts';
import type { MarketEvent } from '../../bot/domain/event.ts';
import type { CandleRequest, PastCandles, PublicFeed } from '../../bot/exchange/port.ts';
import type { Trading } from '../../bot/run/core/trading.ts';
import type { Paced } from '../../bot/run/core/venue.ts';
import type { PaperTape } from '../recording/paper-tape.ts';
import type { PastSeen } from '../recording/past-file.ts';
import type { RowLog } from '../recording/row-log.ts';
import { ClockFollower } from './following-clock.ts';

/** How far the run's clock is behind the machine's, so that all data up to the run's time has been polled. */
export const BEHIND: Millis = 1_000;
/** Half a microsecond: network times are whole microseconds, so no other event has a time in between. */
const HALF_MICROSECOND: Millis = 0.000_5;
/** How often the tapes are synced to the disk. */
const CHECKPOINT_EVERY: Millis = 10_000;

export interface PaperSessionOptions {
  readonly feed: PublicFeed;
  /** The clock of the run, at its start time. */
  readonly clock: VirtualClock;
  readonly machine: Clock;
  readonly tapes: readonly PaperTape[];
  /** By market symbol. */
  readonly files: Readonly<Record<string, string>>;
  readonly rowLog: RowLog;
  /** Called with past candles that the run receives. */
  readonly onPast: (past: PastSeen) => void;
  /** Called with bugs of the program. */
  readonly onBug: (thrown: unknown) => void;
}

export class PaperSession implements Paced {
  readonly clock: VirtualClock;
  readonly #options: PaperSessionOptions;
  readonly #follower: ClockFollower;
  readonly #subscription: Subscription;
  readonly #latency = new LatencyMeter();
  #ended = false;
  #fail: ((error: unknown) => void) | undefined;

  constructor(options: PaperSessionOptions) {
    const { feed, clock, machine, tapes } = options;
    this.#options = options;
    this.clock = clock;
    this.#follower = new ClockFollower({
      clock,
      machine,
      behind: BEHIND,
      before: (until, slept) => this.#release(until, slept),
      failed: (thrown) => this.#handleFailure(thrown),
    });
    this.#subscription = feed.events.subscribe({
      next: (event) => {
        this.#latency.see(event);
        for (const tape of tapes) tape.see(event);
      },
      error: (thrown) => this.#handleFailure(thrown),
    });
    this.#subscription.add(this.#checkpoints());
  }

  begin(trading: Trading, spanMs: Millis | undefined): Trading {
    const { run } = trading;
    const stop = (reason: string): void => this.#end(() => run.stop(reason));
    this.#fail = (error) => this.#end(() => run.fail(error));
    run.turns.subscribe({ complete: () => this.#follower.stop() });
    const stopAtEnd = (): void => stop(`the time of ${(spanMs ?? 0) / 1_000} s is over`);
    this.#follower.start(spanMs === undefined ? undefined : { moment: this.clock.now() + spanMs, run: stopAtEnd });
    return {
      ...trading,
      run: {
        ...run,
        stop,
        fail: this.#fail,
        endNow: (reason) => this.#end(() => run.endNow(reason)),
      },
      summary: () => this.#summary(trading),
    };
  }

  /**
   * Reads candles from before the run from the exchange. The answer comes at a time of the run's clock without other events, so that a backtest can
   * deliver it in a separate turn, too.
   */
  past(asked: CandleRequest): Observable<PastCandles> {
    const { feed, onPast } = this.#options;
    const market = feed.markets.find(({ symbol }) => symbol === asked.market.symbol) ?? asked.market; // the simulated exchange has other market ids
    return from(feed.history({ ...asked, market })).pipe(
      concatMap(
        (answer) =>
          new Observable<PastCandles>((listener) => {
            const at = this.clock.now() + HALF_MICROSECOND;
            return this.clock.at(at, () => {
              onPast({ at, market: asked.market.symbol, ...answer });
              listener.next(answer);
              listener.complete();
            });
          }),
      ),
    );
  }

  /** Completes the tapes. */
  async close(): Promise<void> {
    this.#follower.stop();
    this.#subscription.unsubscribe();
    for (const tape of this.#options.tapes) await tape.close();
    this.#options.rowLog.next()();
  }

  #summary(trading: Trading): Summary {
    const { kind, run, strategy, exchange, ...rest } = trading.summary();
    return {
      kind,
      run,
      strategy,
      exchange,
      paper: true,
      latency: this.#latency.measured(),
      tapes: this.#options.files,
      ...rest,
    };
  }

  #release(until: Millis, slept: boolean): void {
    if (this.#ended) return;
    for (const tape of this.#options.tapes) {
      if (slept) tape.gap(this.clock.now());
      tape.release(until);
    }
  }

  /**
   * Ends the tapes one millisecond from now and stops the run at that time, where a backtest of them ends too. Stopping needs no more rows, so the
   * clock no longer follows the machine's.
   */
  #end(stop: () => void): void {
    this.#follower.between(() => {
      if (!this.#ended) {
        this.#ended = true;
        const end = this.clock.now() + 1;
        this.#follower.goFast();
        for (const tape of this.#options.tapes) this.#attempt(() => tape.end(end));
        this.#attempt(() => this.#follower.moveTo(end));
      }
      stop();
    });
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#handleFailure(thrown);
    }
  }

  /** Ends the run after a failure of the disk; any other error is a bug. */
  #handleFailure(thrown: unknown): void {
    if (this.#fail !== undefined && (thrown instanceof DiskError || thrown instanceof UserError)) this.#fail(thrown);
    else this.#options.onBug(thrown);
  }

  #checkpoints(): Subscription {
    const { machine, tapes, rowLog } = this.#options;
    const write = async (): Promise<void> => {
      const removeOld = rowLog.next();
      await Promise.all(tapes.map((tape) => tape.checkpoint()));
      removeOld();
    };
    const every = timer(CHECKPOINT_EVERY, CHECKPOINT_EVERY, schedulerFrom(machine));
    return every.pipe(concatMap(write)).subscribe({ error: (thrown) => this.#handleFailure(thrown) });
  }
}

/** Measures the time from request to answer, in milliseconds, of polls that need a single request. */
class LatencyMeter {
  /** Number of answers by milliseconds. */
  readonly #counts = new Map<Millis, number>();
  #requests = 0;

  see(event: MarketEvent): void {
    if (event.kind !== 'bookSeen' && event.kind !== 'infoSeen') return;
    const took = event.at - event.asked;
    this.#counts.set(took, (this.#counts.get(took) ?? 0) + 1);
    this.#requests += 1;
  }

  measured(): MeasuredLatency | undefined {
    if (this.#requests === 0) return undefined;
    return { requests: this.#requests, median: this.#quantile(0.5), p99: this.#quantile(0.99) };
  }

  #quantile(share: number): Millis {
    let left = share * this.#requests;
    for (const [took, count] of [...this.#counts].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return took;
    }
    return 0;
  }
}
