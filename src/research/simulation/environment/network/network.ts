// The network between a process and the exchange: it loses, delays, repeats, reorders, truncates and fakes messages, endpoint by endpoint.
import type { Cancel, Clock, Millis } from '../../../../base/clock.ts';
import type { Rng } from '../../../../base/rng.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../../base/transport/transport.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import { type FaultKind, pathOf as hostedPathOf, type InjectedFault, type Path, type PathOf } from '../../plan/faults.ts';
import type { Options } from '../../plan/options.ts';
import { CONNECTIONS, ShiftedConnection } from './shifted-connection.ts';
import { StreamLines, type StreamSource } from './stream-lines.ts';

/** What the invariants observe. Times are the simulation's. */
export interface NetworkObserver {
  /** The first byte of the request is about to leave. */
  recordSent(request: HttpRequest): void;
  /** A reply reaches the process. Unless `altered`, it is as the exchange gave it now or earlier. */
  received(request: HttpRequest, reply: HttpReply, details: { readonly asked: Millis; readonly altered: boolean }): void;
  /** Which request of its start this is, counted from 1; undefined when the process trades already. */
  readonly startRequest?: (() => number | undefined) | undefined;
  /** The monotonic clock of the process, which times its requests; the simulation's clock by default. */
  readonly monotonic?: (() => Millis) | undefined;
}

export interface SimulatedNetworkOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly faults: FaultBox;
  readonly latency: Options['latency'];
  readonly server: Server;
  /** The endpoint of a request; that of the hosted API by default. */
  readonly pathOf?: PathOf | undefined;
  /** False for a reply that no cache keeps. */
  readonly mayBeCached?: ((reply: HttpReply) => boolean) | undefined;
  /** If the exchange has a websocket. */
  readonly streams?: StreamSource | undefined;
}

/** The longest delay on the way. */
const LONGEST: Millis = 120_000;

export class SimulatedNetwork {
  readonly #options: SimulatedNetworkOptions;
  readonly #pathOf: PathOf;
  /** The last reply of each address, as a cache on the way may keep it. */
  readonly #cached = new Map<string, HttpReply>();

  /** The lines to the websocket of the exchange. */
  readonly lines: StreamLines | undefined;

  constructor(options: SimulatedNetworkOptions) {
    const { streams, rng } = options;
    this.#options = { ...options, server: notifying(options.server, streams) };
    this.lines = streams && new StreamLines({ ...options, streams, rng: rng.fork('lines') });
    this.#pathOf = options.pathOf ?? hostedPathOf;
  }

  /** The connection of one process. */
  transport(observer: NetworkObserver): Transport {
    // If the fault `shifted` strikes, a request gets the reply to the one before it.
    const connection = new ShiftedConnection(this.#options.faults, this.#pathOf);
    const underWay = new Set<(error: TransportError) => void>();
    return {
      request: (request, limits) =>
        new Promise((resolve, reject) => this.#send(request, { limits, observer, connection, underWay, resolve, reject })),
      reset: (reason) => {
        connection.renew(CONNECTIONS);
        for (const abort of underWay) abort(new TransportError('noReply', reason));
      },
      renew: () => connection.renew(['action']),
      close: () => Promise.resolve(),
    };
  }

  #send(request: HttpRequest, { limits, observer, connection, underWay, ...settle }: Sending): void {
    const { clock, faults } = this.#options;
    const path = this.#pathOf(request);
    const asked = clock.now();
    const start = observer.startRequest?.();
    let isRejected = false;
    const cancelTimeOut = this.#timeOut(limits.timeoutMs, observer, () => reject(new TransportError('noReply', 'no reply in time')));
    const reject = (error: TransportError): void => {
      isRejected = true;
      cancelTimeOut();
      underWay.delete(reject);
      settle.reject(error);
    };
    const resolve = (reply: HttpReply): void => {
      underWay.delete(reject);
      settle.resolve(reply);
    };
    underWay.add(reject);
    const reset = (): void => reject(new TransportError('noReply', 'connection reset'));
    const refuse = (): void => reject(new TransportError('notSent', 'connection refused'));
    observer.recordSent(request);
    const partition = faults.hit('partition', path);
    // During a partition half of the requests are refused, and half vanish.
    if (faults.hit('refuse', path) !== undefined || (partition !== undefined && faults.rng(partition).next() < 0.5)) {
      clock.at(asked + this.#hop(), refuse);
      return;
    }
    if (partition !== undefined) return;
    const deliver = (sent: HttpReply, changed: boolean): void => {
      if (isRejected) return; // the connection is closed: nobody receives it
      cancelTimeOut();
      const { reply, altered } = connection.receives({ request, reply: sent, altered: changed });
      if (reply.body.length > limits.maxBytes) return reject(new TransportError('tooLarge', 'the reply is too large'));
      observer.received(request, reply, { asked, altered });
      resolve(reply);
    };
    this.#sendRequest({ request, path, start, refuse, reset, deliver });
  }

  /** Times a request by the monotonic clock, which does not count the time that a machine sleeps. */
  #timeOut(span: Millis, { monotonic = () => this.#options.clock.now() }: NetworkObserver, run: () => void): Cancel {
    const { clock } = this.#options;
    const until = monotonic() + span;
    let cancel: Cancel;
    const wait = (): void => {
      const left = until - monotonic();
      if (left <= 0) run();
      else cancel = clock.at(clock.now() + left, wait);
    };
    wait();
    return () => cancel();
  }

  /**
   * Carries the request to the exchange, once or several times. With a `failure` the exchange executes the request in half of the cases, and the process
   * gets the failure either way. A lost request is never delivered nor answered, but its copy may be delivered. With a retrying proxy only the second
   * answer comes back.
   */
  #sendRequest({ refuse, ...trip }: Trip): void {
    const { request, path } = trip;
    const { clock, faults, server } = this.#options;
    const arrival = clock.now() + this.#hop() + this.#delay('delayRequest', path);
    const back = (reply: HttpReply | undefined): void => (reply === undefined ? refuse() : this.#sendReply({ ...trip, reply }));
    const failure = faults.hit('status', path) ?? faults.hit('retryAfter', path) ?? faults.hit('limited', path);
    if (failure !== undefined && faults.rng(failure).next() < 0.5) return void clock.at(arrival, () => back(statusReply(failure))); // not executed
    const lost = faults.hit('dropRequest', path) !== undefined;
    const copy = faults.hit('duplicate', path);
    const retry = lost || failure !== undefined ? undefined : faults.hit('retryProxy', path);
    const after = (fault: InjectedFault): Millis => Math.min(LONGEST, 1 + Math.round(faults.rng(fault).exponential(fault.amount ?? 0)));
    // If the first delivery was refused, nothing was sent, so there is no copy. A proxy has already accepted the request, so it answers 502 instead of
    // refusing.
    let refused = false;
    const answered = (reply: HttpReply | undefined): void => {
      refused ||= reply === undefined;
      if (failure !== undefined) back(statusReply(failure));
      else if (retry === undefined) back(reply);
    };
    if (!lost) clock.at(arrival, () => server(request, answered));
    if (copy !== undefined) clock.at(arrival + after(copy), () => refused || server(request, () => undefined));
    if (retry !== undefined) clock.at(arrival + after(retry), () => server(request, (reply) => back(reply ?? BAD_GATEWAY)));
  }

  /** Carries the reply to the process. */
  #sendReply({ request, path, start, reply, reset, deliver }: Omit<Trip, 'refuse'> & { reply: HttpReply }): void {
    const { clock, faults, mayBeCached = () => true } = this.#options;
    const isOk = reply.status === 200;
    let shown = reply;
    let altered = !isOk;
    if (isOk && isCacheable(request)) {
      const stale = faults.hit('stale', path) === undefined ? undefined : this.#cached.get(request.path);
      if (stale !== undefined) shown = stale;
      else if (mayBeCached(reply)) this.#cached.set(request.path, reply);
    }
    const truncated = faults.hit('truncate', path);
    if (truncated !== undefined)
      shown = { ...shown, body: shown.body.slice(0, faults.rng(truncated).below(Math.max(1, shown.body.length))) };
    altered ||= truncated !== undefined;
    const garbled = faults.hit('corrupt', path);
    if (garbled !== undefined) shown = garbledReply(shown, faults.rng(garbled));
    altered ||= garbled !== undefined;
    const failed = start === undefined ? undefined : faults.hit('startFails', path, ({ amount = start }) => amount === start);
    if (failed?.detail === 'silence' || faults.hit('dropReply', path) !== undefined) return;
    if (failed?.detail === 'reset') return void clock.at(clock.now() + this.#hop(), reset);
    if (failed !== undefined) [shown, altered] = [failedReply(shown, failed), true];
    clock.at(clock.now() + this.#hop() + this.#delay('delayReply', path), () => {
      if (faults.hit('partition', path) === undefined) deliver(shown, altered);
    });
  }

  #hop(): Millis {
    const { rng, latency } = this.#options;
    return Math.round((latency.leastMs + rng.exponential(latency.meanMs)) / 2);
  }

  #delay(kind: 'delayRequest' | 'delayReply', path: Path): Millis {
    const { faults } = this.#options;
    const fault = faults.hit(kind, path);
    return fault === undefined ? 0 : Math.min(LONGEST, Math.round(faults.rng(fault).exponential(fault.amount ?? 0)));
  }
}

interface Sending {
  readonly limits: { timeoutMs: Millis; maxBytes: number };
  readonly observer: NetworkObserver;
  readonly connection: ShiftedConnection;
  /** Ends the requests without a reply so far. */
  readonly underWay: Set<(error: TransportError) => void>;
  readonly resolve: (reply: HttpReply) => void;
  readonly reject: (error: unknown) => void;
}

interface Trip {
  readonly request: HttpRequest;
  readonly path: Path;
  /** Which request of a start it is, from 1; undefined if the process trades already. */
  readonly start: number | undefined;
  readonly refuse: () => void;
  readonly reset: () => void;
  readonly deliver: (reply: HttpReply, altered: boolean) => void;
}

const encoder = new TextEncoder();
/** True if a proxy may cache the reply: the request has no headers that name the caller. */
const isCacheable = ({ method, path, headers }: HttpRequest): boolean => method === 'GET' && !path.includes('?') && headers === undefined;

const HTML = encoder.encode('<!doctype html><html><body><h1>Bad gateway</h1></body></html>');

const BAD_GATEWAY: HttpReply = { status: 502, contentType: 'text/html', body: HTML };

/** How Hyperliquid answers a request beyond its limit. */
const LIMITED: HttpReply = { status: 429, contentType: 'application/json', body: encoder.encode('null') };

/** An hour. */
export const LONG_RETRY_AFTER_SECONDS = 3_600;

const statusReply = ({ kind, amount = 500 }: Pick<InjectedFault, 'kind' | 'amount'>): HttpReply =>
  kind === 'limited' ? LIMITED : { status: amount, contentType: 'text/html', body: HTML, retryAfter: retryAfterOf(kind, amount) };

function retryAfterOf(kind: FaultKind, status: number): number | undefined {
  if (kind === 'retryAfter') return LONG_RETRY_AFTER_SECONDS;
  return status === 429 || status === 503 ? 1 : undefined;
}

/** A reply that a start cannot use. */
function failedReply(reply: HttpReply, { detail = 'html' }: InjectedFault): HttpReply {
  if (detail === 'html') return { status: 200, contentType: 'text/html', body: HTML };
  if (detail === 'cut') return { ...reply, body: reply.body.slice(0, reply.body.length >> 1) };
  return statusReply({ kind: 'status', amount: Number(detail) });
}

/** A reply that is recognizably broken: the transport has checksums, so that a digit is never merely changed. */
function garbledReply(reply: HttpReply, rng: Rng): HttpReply {
  const { body } = reply;
  switch (rng.below(5)) {
    case 0:
      return { ...reply, body: HTML, contentType: 'text/html' };
    case 1:
      return { ...reply, body: new Uint8Array() };
    case 2:
      return { ...reply, body: Uint8Array.from({ length: body.length }, () => rng.below(256)) };
    case 3:
      return { ...reply, body: Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0x7f, ...body]) };
    default:
      return { ...reply, body: encoder.encode('[null,{"__proto__":1e999}]') };
  }
}

/** The exchange at the other end of the network. Answers now or later, with undefined if nothing listens there. */
type Server = (request: HttpRequest, answer: (reply: HttpReply | undefined) => void) => void;

/** Returns the server; each of its answers is reported to the streams. */
function notifying(server: Server, streams: StreamSource | undefined): Server {
  if (streams === undefined) return server;
  return (request, answer) =>
    server(request, (reply) => {
      answer(reply);
      if (reply !== undefined) streams.answered(request);
    });
}
