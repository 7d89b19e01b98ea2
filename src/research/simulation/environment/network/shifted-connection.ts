// A connection that is out of step: it answers each request with the reply to the previous one.
import { type HttpReply, type HttpRequest, isRead } from '../../../../base/transport/transport.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import { type PathOf, pathOf } from '../../plan/faults.ts';

interface Received {
  readonly request: HttpRequest;
  readonly reply: HttpReply;
  /** True if the reply is not the exchange's reply to this request. */
  readonly altered: boolean;
}

/** Actions use one connection, all other requests another. */
export const CONNECTIONS = ['action', 'read'] as const;
type ConnectionKind = (typeof CONNECTIONS)[number];

export class ShiftedConnection {
  readonly #faults: FaultBox;
  readonly #pathOf: PathOf;
  /** The newest reply of each connection: the answer to the next request while the connection is out of step. */
  readonly #newest = new Map<ConnectionKind, Received>();

  constructor(faults: FaultBox, of: PathOf = pathOf) {
    this.#faults = faults;
    this.#pathOf = of;
  }

  /** New connections are in step: for actions, or for all requests. */
  renew(connections: readonly ConnectionKind[]): void {
    for (const connection of connections) this.#newest.delete(connection);
  }

  /** What the process receives instead of the reply to its request. */
  receives(received: Received): Received {
    if (received.request.ownConnection === true) return received;
    const path = this.#pathOf(received.request);
    const connection = path === 'action' ? 'action' : 'read';
    const before = this.#newest.get(connection);
    this.#newest.set(connection, received);
    if (before === undefined || this.#faults.hit('shifted', path) === undefined) return received;
    const isSameQuestion = isRead(before.request) && isSameRequest(before.request, received.request);
    return { request: received.request, reply: before.reply, altered: before.altered || !isSameQuestion };
  }
}

const isSameRequest = (one: HttpRequest, other: HttpRequest): boolean =>
  one.method === other.method && one.path === other.path && Buffer.compare(one.body ?? NOTHING, other.body ?? NOTHING) === 0;

const NOTHING = new Uint8Array();
