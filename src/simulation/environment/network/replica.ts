// A replica that lags: some endpoints are answered from a state that is some time old.
import type { Clock, Millis } from '../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../base/transport.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import { pathOf } from './paths.ts';

interface ReplicaOptions {
  readonly clock: Clock;
  readonly faults: FaultBox;
  /** Exchange time. */
  readonly now: () => Millis;
  /** The present account. */
  readonly show: () => HttpReply;
}

/** How often the account is saved while it may be requested: it may be older than the fault says by this much. */
const SNAPSHOT_EVERY: Millis = 250;

export class Replica {
  readonly #options: ReplicaOptions;
  #snapshots: { readonly at: Millis; readonly reply: HttpReply }[] = [];

  constructor(options: ReplicaOptions) {
    this.#options = options;
    const start = options.clock.now();
    for (const fault of options.faults.of('lag')) {
      if (fault.path === 'account') options.clock.at(start + fault.from - 2 * (fault.amount ?? 0), () => this.#keep(start + fault.until));
    }
  }

  /** `show` answers from the present state. */
  answer(request: HttpRequest, show: (request: HttpRequest) => HttpReply): HttpReply {
    const { clock, faults, now } = this.#options;
    const path = pathOf(request);
    const isAccount = /^\/account\/\d+$/.test(request.path);
    const lag = isAccount || path === 'trades' ? faults.hit('lag', path)?.amount : undefined;
    if (lag === undefined) return show(request);
    if (isAccount) return this.#snapshots.findLast(({ at }) => at <= clock.now() - lag)?.reply ?? show(request);
    const until = encodeURIComponent(new Date(now() - lag).toISOString());
    return show({ ...request, path: request.path.replace(/until=[^&]*/, `until=${until}`) });
  }

  #keep(until: Millis): void {
    const { clock, show } = this.#options;
    if (clock.now() > until) return void (this.#snapshots = []);
    this.#snapshots.push({ at: clock.now(), reply: show() });
    if (this.#snapshots.length > 100) this.#snapshots.shift();
    clock.at(clock.now() + SNAPSHOT_EVERY, () => this.#keep(until));
  }
}
