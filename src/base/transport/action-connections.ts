// The connections of actions. Reads keep some of them open: a server closes one that is idle for some seconds, and opening another delays an order by
// two or three round trips.
import { Client } from 'undici';
import { type Millis, systemClock } from '../clock.ts';
import type { HttpReply } from './transport.ts';

/** Number of connections that are kept open: the cancels of a turn, and then its placements, are sent eight at a time. */
const KEPT_OPEN = 8;
/** A connection that was idle for this long gets the next read. Servers close idle connections after 5 s and more, undici after 4 s. */
const IDLE: Millis = 2_000;

interface Connection {
  readonly client: Client;
  requests: number;
  /** True once it was given an action. */
  hasActed: boolean;
  /** When it was last given a request, or had its last answer. */
  usedAt: Millis;
}

/** Sends one request on a connection. */
type Send = (client: Client) => Promise<HttpReply>;

export interface ActionConnectionsOptions {
  /** Maximum number of connections. */
  readonly most: number;
  /** `isUsed` of the instance that this one replaces. */
  readonly isUsed?: boolean | undefined;
  /** Default: 2 s. */
  readonly idleMs?: Millis | undefined;
}

export class ActionConnections {
  readonly #origin: string;
  readonly #most: number;
  readonly #idleMs: Millis;
  #connections: readonly Connection[] = [];
  /** Connections that get no more requests. They are kept here until all of theirs are answered. */
  readonly #retired = new Set<Client>();
  /** The connection of each reply to an action, by the body of the reply. */
  readonly #repliedOn = new WeakMap<Uint8Array, Connection>();
  /** True once an action was sent: before, nothing is kept open. */
  isUsed: boolean;

  constructor(origin: string, { most, isUsed = false, idleMs = IDLE }: ActionConnectionsOptions) {
    this.#origin = origin;
    this.#most = most;
    this.#idleMs = idleMs;
    this.isUsed = isUsed;
  }

  /** Sends an action, on an open connection if one is idle. */
  async act(send: Send): Promise<HttpReply> {
    this.isUsed = true;
    const idle = this.#connections.filter(({ requests }) => requests === 0).toSorted((one, other) => other.usedAt - one.usedAt);
    // The one that was used last is used again, so that the others carry no action and `renew` can keep them.
    const connection = idle[0] ?? this.#openAnother() ?? this.#leastBusy();
    connection.hasActed = true;
    const reply = await this.#use(connection, send);
    this.#repliedOn.set(reply.body, connection);
    return reply;
  }

  /** Sends an action or a read on a new connection, which is closed after the answer. */
  sendAlone(send: Send): Promise<HttpReply> {
    const client = new Client(this.#origin, { pipelining: 1 });
    const answer = send(client);
    this.#retire(client);
    return answer;
  }

  /** Returns how to send a read on a connection that would close soon, or on a new one while few are open; undefined if none needs a read. */
  readToKeepOpen(): ((send: Send) => Promise<HttpReply>) | undefined {
    if (!this.isUsed) return undefined;
    const now = systemClock.now();
    const kept = this.#connections.slice(0, KEPT_OPEN);
    const due = kept.find(({ requests, usedAt }) => requests === 0 && now - usedAt >= this.#idleMs);
    const connection = due ?? (kept.length < KEPT_OPEN ? this.#openAnother() : undefined);
    return connection && ((send) => this.#use(connection, send));
  }

  /**
   * Call it after an action was refused: a late answer on its connection could be taken for that of the next action. `body`: the reply whose connection
   * gets no more requests. Without it, or if the connection of that reply is not known, every connection that has carried an action gets no more. Each is
   * closed when all its requests are answered.
   */
  renew(body?: Uint8Array): void {
    const one = body && this.#repliedOn.get(body);
    const mustRetire = (connection: Connection): boolean => (one === undefined ? connection.hasActed : connection === one);
    const retired = this.#connections.filter(mustRetire);
    this.#connections = this.#connections.filter((connection) => !mustRetire(connection));
    for (const { client } of retired) this.#retire(client);
  }

  async destroy(error: Error): Promise<void> {
    await Promise.all([...this.#connections.map(({ client }) => client), ...this.#retired].map((client) => client.destroy(error)));
  }

  async #use(connection: Connection, send: Send): Promise<HttpReply> {
    connection.requests += 1;
    connection.usedAt = systemClock.now();
    try {
      return await send(connection.client);
    } finally {
      connection.requests -= 1;
      connection.usedAt = systemClock.now();
    }
  }

  /** Closes a connection when all its requests are answered. */
  #retire(client: Client): void {
    this.#retired.add(client);
    const forget = (): void => void this.#retired.delete(client);
    client.close().then(forget, forget); // it fails if it was destroyed in the meantime
  }

  /** Returns undefined if there are as many connections as allowed. */
  #openAnother(): Connection | undefined {
    if (this.#connections.length >= this.#most) return undefined;
    const connection = { client: new Client(this.#origin, { pipelining: 1 }), requests: 0, usedAt: systemClock.now(), hasActed: false };
    this.#connections = [...this.#connections, connection];
    return connection;
  }

  #leastBusy(): Connection {
    return this.#connections.reduce((least, one) => (one.requests < least.requests ? one : least));
  }
}
