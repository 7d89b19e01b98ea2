// The fee rates of an account whose snapshots have none: read at the start, and again while the run lasts, because an exchange may change them.
import { ignoreElements, type Observable, switchMap, tap, timer } from 'rxjs';
import type { Millis } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import { schedulerFrom } from '../../../../base/streams/scheduler.ts';
import type { AdapterLog } from '../../port.ts';
import type { AccountFees, VenueClient } from '../venue-client.ts';
import type { StreamTools } from './market-streams.ts';

const READ_EVERY: Millis = 30_000;

export class PolledFeeRates {
  readonly #read: VenueClient['fees'];
  readonly #log: AdapterLog;
  #newest: AccountFees = {};

  constructor(client: Pick<VenueClient, 'fees'>, log: AdapterLog) {
    this.#read = client.fees?.bind(client);
    this.#log = log;
  }

  /** The same object until a rate changes. Empty as long as the exchange does not provide them. */
  get newest(): AccountFees {
    return this.#newest;
  }

  /** Reads the rates for the first time. Logs it if the exchange does not provide them. */
  async start(): Promise<void> {
    try {
      if (this.#read !== undefined) this.#take(await this.#read());
    } catch (error) {
      this.#log.warn(
        `the fee of the account is not known: ${messageOf(error)}; the guards use limits.margin.feeRate and limits.balance.reserve instead`,
      );
    }
  }

  /** Reads them again and again, first after READ_EVERY, because `start` has just read them. Emits nothing; a read that fails changes nothing. */
  refresh({ clock, ask }: Pick<StreamTools, 'clock' | 'ask'>): Observable<never>[] {
    const read = this.#read;
    if (read === undefined) return [];
    const beforeFirst = timer(READ_EVERY, schedulerFrom(clock));
    const answers = beforeFirst.pipe(switchMap(() => ask({ every: READ_EVERY, requests: 'several', ask: () => read() })));
    return [
      answers.pipe(
        tap((answer) => answer.kind === 'seen' && this.#take(answer.value)),
        ignoreElements(),
      ),
    ];
  }

  #take(read: AccountFees): void {
    if (JSON.stringify(read) !== JSON.stringify(this.#newest)) this.#newest = read;
  }
}
