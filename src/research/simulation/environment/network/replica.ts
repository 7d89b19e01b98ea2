// A replica that lags: some endpoints are answered from a state that is some time old.
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { TradeId } from '../../../../bot/domain/ids.ts';
import type { ExchangeApi } from '../../exchange-api.ts';
import type { FaultBox } from '../../plan/fault-box.ts';

interface ReplicaOptions {
  readonly clock: Clock;
  readonly faults: FaultBox;
  /** The id of the newest trade; '0' if there is none. */
  readonly newestTrade: () => TradeId;
  readonly api: Pick<ExchangeApi, 'pathOf' | 'isAccount'>;
  /** The requests that together show the account. */
  readonly accountRequests: readonly HttpRequest[];
  /** Returns the current answer. */
  readonly show: (request: HttpRequest) => HttpReply;
  /** The answer to a request for trades, with only those up to `trade`. */
  readonly tradesUpTo: (request: HttpRequest, trade: TradeId) => HttpReply;
}

/** How often the account is saved while it may be requested: it may be older than the fault says by this much. */
const SNAPSHOT_EVERY: Millis = 250;
/** How often the newest trade is saved while trades may be requested: the list may lag by this much less than the fault says. */
const NOTE_EVERY: Millis = 50;
/** Longer than any lag. */
const NOTES_KEPT: Millis = 10_000;

export class Replica {
  readonly #options: ReplicaOptions;
  #snapshots: { readonly at: Millis; readonly replies: ReadonlyMap<string, HttpReply> }[] = [];
  /** The newest trade at some moments, by the simulation's time, because the exchange's may stand still. */
  #newest: { readonly at: Millis; readonly trade: TradeId }[] = [];

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const start = options.clock.now();
    for (const { path, from, until, amount = 0 } of options.faults.of('lag')) {
      const begin = start + from - 2 * amount;
      options.clock.at(begin, () => (path === 'account' ? this.#saveAccount(start + until) : this.#saveTrade(start + until)));
    }
  }

  answer(request: HttpRequest): HttpReply {
    const { clock, faults, api, show, tradesUpTo } = this.#options;
    const path = api.pathOf(request);
    const isAccount = api.isAccount(request);
    const lag = isAccount || path === 'trades' ? faults.hit('lag', path)?.amount : undefined;
    if (lag === undefined) return show(request);
    if (isAccount) return this.#snapshots.findLast(({ at }) => at <= clock.now() - lag)?.replies.get(keyOf(request)) ?? show(request);
    const { trade = '0' } = this.#newest.find(({ at }) => at >= clock.now() - lag) ?? {};
    return tradesUpTo(request, trade);
  }

  #saveTrade(until: Millis): void {
    const { clock, newestTrade } = this.#options;
    const now = clock.now();
    if (now > until) return;
    this.#newest = [...this.#newest.filter(({ at }) => at > now - NOTES_KEPT), { at: now, trade: newestTrade() }];
    clock.at(now + NOTE_EVERY, () => this.#saveTrade(until));
  }

  #saveAccount(until: Millis): void {
    const { clock, show, accountRequests } = this.#options;
    if (clock.now() > until) {
      this.#snapshots = [];
      return;
    }
    this.#snapshots.push({ at: clock.now(), replies: new Map(accountRequests.map((request) => [keyOf(request), show(request)])) });
    if (this.#snapshots.length > 100) this.#snapshots.shift();
    clock.at(clock.now() + SNAPSHOT_EVERY, () => this.#saveAccount(until));
  }
}

const keyOf = ({ path, body }: HttpRequest): string => `${path} ${new TextDecoder().decode(body)}`;
