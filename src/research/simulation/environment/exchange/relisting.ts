// An exchange that changes the terms of its markets for a while, and accepts no orders until all processes know the change.
// A process that starts during the change must try again later.
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import { pathOf } from '../../plan/faults.ts';

const PATH = '/info';
const CLOSED: HttpReply = { status: 503, contentType: 'text/plain', body: new Uint8Array() };

export class Relisting {
  readonly #faults: FaultBox;
  /** Processes that have seen the list of markets. */
  readonly #known = new Set<number>();
  /** Requests for the list of markets by a process that is about to start. */
  readonly #first = new WeakSet<HttpRequest>();

  constructor(faults: FaultBox) {
    this.#faults = faults;
  }

  /** True if no order is accepted. */
  get on(): boolean {
    return this.#faults.on('relist') !== undefined;
  }

  sent(request: HttpRequest, process: number): void {
    if (pathOf(request) === 'book') this.#known.add(process); // it trades, so it has seen the list
    if (request.path === PATH && !this.#known.has(process)) this.#first.add(request);
  }

  /** What is shown instead of this reply. */
  shown(request: HttpRequest, reply: HttpReply): HttpReply {
    if (this.#first.has(request) && this.#faults.on('decimals') !== undefined) return CLOSED;
    const fault = request.path === PATH ? this.#faults.hit('relist') : undefined;
    if (fault === undefined) return reply;
    return this.#first.has(request) ? CLOSED : { ...reply, body: changedListing(reply.body, fault.detail ?? 'imf', (value) => 2 * value) };
  }
}

/** Returns a list of markets with one term of every market changed. */
export function changedListing(body: Uint8Array, term: string, change: (value: number) => number): Uint8Array {
  const { markets, ...rest } = JSON.parse(new TextDecoder().decode(body)) as { readonly markets: readonly Record<string, number>[] };
  const changed = markets.map((market) => ({ ...market, [term]: change(market[term] ?? 0) }));
  return new TextEncoder().encode(JSON.stringify({ ...rest, markets: changed }));
}
