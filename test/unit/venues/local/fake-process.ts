// A local process with scripted answers and scripted network faults, on virtual time.
import type { Millis, VirtualClock } from '../../../../src/base/clock.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../../../src/base/transport/transport.ts';

/** The fault of one request; `reply` replaces the answer of the process. */
export interface NetworkFault {
  readonly lost?: boolean | undefined;
  readonly refused?: boolean | undefined;
  readonly lateMs?: Millis | undefined;
  readonly reply?: { readonly status?: number; readonly body: string; readonly retryAfter?: number } | undefined;
}

const ONE_WAY: Millis = 5;

export class FakeProcess implements Transport {
  /** `METHOD /path?query` of all requests, in the order of sending. */
  readonly requests: string[] = [];
  /** Bodies of POST requests, in the order of arrival. */
  readonly posted: Record<string, unknown>[] = [];
  /** Results of GET requests, by path without query; undefined is 404. */
  readonly pages = new Map<string, (query: URLSearchParams) => unknown>();
  /** Chooses the fault of a request; undefined: none. */
  fault: (request: HttpRequest) => NetworkFault | undefined = () => undefined;
  /** The answer of the process to a POST of an order. */
  place: (body: Record<string, unknown>) => unknown = () => ({ txId: 'a transaction' });
  inFlight = 0;
  mostInFlight = 0;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Requests that change something. */
  get writes(): string[] {
    return this.requests.filter((request) => !request.startsWith('GET'));
  }

  request(request: HttpRequest, { timeoutMs }: { timeoutMs: Millis }): Promise<HttpReply> {
    const fault = this.fault(request) ?? {};
    this.requests.push(`${request.method} ${decodeURIComponent(request.path)}`);
    if (fault.refused === true) return Promise.reject(new TransportError('notSent', 'connection refused'));
    const counts = request.method === 'GET' ? 0 : 1;
    this.inFlight += counts;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    return new Promise<HttpReply>((resolve, reject) => {
      const sent = this.#clock.now();
      const giveUp = this.#clock.at(sent + timeoutMs, () => reject(new TransportError('noReply', 'no reply')));
      this.#clock.at(sent + ONE_WAY, () => {
        const reply = fault.reply === undefined ? this.#handle(request) : replyOf(fault.reply);
        if (fault.lost === true) return;
        this.#clock.at(sent + 2 * ONE_WAY + (fault.lateMs ?? 0), () => {
          giveUp();
          resolve(reply);
        });
      });
    }).finally(() => {
      this.inFlight -= counts;
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #handle({ method, path, body }: HttpRequest): HttpReply {
    const { pathname, searchParams } = new URL(path, 'http://process');
    if (method === 'DELETE') return replyOf({ body: JSON.stringify({ success: true, result: 'queued for cancellation' }) });
    if (method === 'POST') {
      const order = JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
      this.posted.push(order);
      return replyOf({ body: JSON.stringify({ success: true, result: this.place(order) }) });
    }
    const result = this.pages.get(decodeURIComponent(pathname))?.(searchParams);
    if (result === undefined) return replyOf({ status: 404, body: JSON.stringify({ success: false, message: `no ${pathname}` }) });
    return replyOf({ body: JSON.stringify({ success: true, result }) });
  }
}

const replyOf = ({ status = 200, body, retryAfter }: NonNullable<NetworkFault['reply']>): HttpReply => ({
  status,
  ...(retryAfter !== undefined && { retryAfter }),
  contentType: 'application/json',
  body: new TextEncoder().encode(body),
});
