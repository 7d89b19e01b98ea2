// A replica that lags: some endpoints are answered from a state that is some time old.
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { TradeId } from '../../../../bot/domain/ids.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import { pathOf } from '../../plan/paths.ts';

interface ReplicaOptions {
  readonly clock: Clock;
  readonly faults: FaultBox;
  /** The id of the newest trade; '0' if there is none. */
  readonly newestTrade: () => TradeId;
  /** The present account. */
  readonly show: () => HttpReply;
}

/** How often the account is saved while it may be requested: it may be older than the fault says by this much. */
const SNAPSHOT_EVERY: Millis = 250;
/** How often the newest trade is noted while trades may be requested: the list may lag by this much less than the fault says. */
const NOTE_EVERY: Millis = 50;
/** Longer than any lag. */
const NOTES_KEPT: Millis = 5_000;

export class Replica {
  readonly #options: ReplicaOptions;
  #snapshots: { readonly at: Millis; readonly reply: HttpReply }[] = [];
  /** By the simulation's time, because the exchange's may stand still. */
  #newest: { readonly at: Millis; readonly trade: TradeId }[] = [];

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const start = options.clock.now();
    for (const { path, from, until, amount = 0 } of options.faults.of('lag')) {
      const begin = start + from - 2 * amount;
      options.clock.at(begin, () => (path === 'account' ? this.#keep(start + until) : this.#note(start + until)));
    }
  }

  /** `show` answers from the present state. */
  answer(request: HttpRequest, show: (request: HttpRequest) => HttpReply): HttpReply {
    const { clock, faults } = this.#options;
    const path = pathOf(request);
    const isAccount = /^\/account\/\d+$/.test(request.path);
    const lag = isAccount || path === 'trades' ? faults.hit('lag', path)?.amount : undefined;
    if (lag === undefined) return show(request);
    if (isAccount) return this.#snapshots.findLast(({ at }) => at <= clock.now() - lag)?.reply ?? show(request);
    if (request.path.includes('startInclusive=')) return show(request); // a later page
    const { trade = '0' } = this.#newest.find(({ at }) => at >= clock.now() - lag) ?? {};
    return show({ ...request, path: `${request.path}&startInclusive=${trade}` });
  }

  #note(until: Millis): void {
    const { clock, newestTrade } = this.#options;
    const now = clock.now();
    if (now > until) return;
    this.#newest = [...this.#newest.filter(({ at }) => at > now - NOTES_KEPT), { at: now, trade: newestTrade() }];
    clock.at(now + NOTE_EVERY, () => this.#note(until));
  }

  #keep(until: Millis): void {
    const { clock, show } = this.#options;
    if (clock.now() > until) {
      this.#snapshots = [];
      return;
    }
    this.#snapshots.push({ at: clock.now(), reply: show() });
    if (this.#snapshots.length > 100) this.#snapshots.shift();
    clock.at(clock.now() + SNAPSHOT_EVERY, () => this.#keep(until));
  }
}
