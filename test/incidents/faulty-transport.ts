// A transport on virtual time that loses, delays, repeats and cuts messages, and that can be down. The faults are random and seeded.
import type { Clock, Millis } from '../../src/base/clock.ts';
import type { Rng } from '../../src/base/rng.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../src/base/transport/transport.ts';

/** Percentages of requests that have each fault. */
export interface NetworkFaults {
  /** The request is executed and its reply lost. */
  readonly lost: number;
  /** Only a part of the receipt of an action arrives. */
  readonly cut: number;
  /** The request arrives late: mostly by seconds, sometimes by more than a minute. */
  readonly late: number;
  /** The reply arrives late. */
  readonly answeredLate: number;
  /** The request arrives twice within seconds. Only the first copy is answered. */
  readonly repeated: number;
}

export const NO_FAULTS: NetworkFaults = { lost: 0, cut: 0, late: 0, answeredLate: 0, repeated: 0 };

const LONGEST: Millis = 1_000_000;

export class FaultyTransport implements Transport {
  /** Number of faults by kind; `arrived` and `sent` count actions. */
  readonly counts = { lost: 0, cut: 0, late: 0, answeredLate: 0, repeated: 0, refused: 0, broken: 0, sent: 0, arrived: 0 };
  faults: NetworkFaults;
  /** Draws the delay of a late message. */
  delay: () => Millis = () => (this.#rng.below(5) === 0 ? 60_000 + this.#rng.below(60_000) : this.#rng.below(8_000));
  /** Draws the time between two copies of a request. `answersRepeat`: the second copy is answered instead of the first. */
  repeatAfter: () => Millis = () => this.#rng.below(5_000);
  answersRepeat = false;
  /** True for a request to which `faults` apply. */
  applies: (request: HttpRequest) => boolean = () => true;
  /** True for a request whose connection is refused. */
  refuses: (request: HttpRequest) => boolean = () => false;
  /** True for a request that never arrives. */
  drops: (request: HttpRequest) => boolean = () => false;
  /** Changes a reply; undefined if it must not arrive. */
  corrupts: (reply: HttpReply, request: HttpRequest) => HttpReply | undefined = (reply) => reply;
  readonly #inner: Transport;
  readonly #clock: Clock;
  readonly #rng: Rng;
  #downUntil: Millis = 0;

  constructor(inner: Transport, { clock, rng, faults }: { clock: Clock; rng: Rng; faults: NetworkFaults }) {
    this.#inner = inner;
    this.#clock = clock;
    this.#rng = rng;
    this.faults = faults;
  }

  /** Refuses connections for `span` and loses requests in flight. */
  down(span: Millis): void {
    this.#downUntil = this.#clock.now() + span;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  request(request: HttpRequest, { timeoutMs, maxBytes }: { timeoutMs: Millis; maxBytes: number }): Promise<HttpReply> {
    if (this.#isDown || this.refuses(request)) {
      this.counts.refused++;
      return Promise.reject(new TransportError('notSent', 'connect ECONNREFUSED'));
    }
    if (request.method === 'POST') this.counts.sent++;
    return new Promise((resolve, reject) => {
      const giveUp = this.#after(timeoutMs, () => reject(new TransportError('noReply', `no reply within ${timeoutMs} ms`)));
      this.#travel(request, maxBytes).then(
        (reply) => (giveUp(), resolve(reply)),
        (error: unknown) => (giveUp(), reject(error as Error)),
      );
    });
  }

  async #travel(request: HttpRequest, maxBytes: number): Promise<HttpReply> {
    if (this.#isDrawn('late', request)) await this.#pause(this.delay());
    if (this.#isDown || this.drops(request)) throw this.#broken();
    if (request.method === 'POST') this.counts.arrived++;
    const repeated = request.method === 'POST' && this.#isDrawn('repeated', request);
    if (repeated && this.answersRepeat) await this.#inner.request(request, { timeoutMs: LONGEST, maxBytes });
    else if (repeated) void this.#pause(this.repeatAfter()).then(() => this.#inner.request(request, { timeoutMs: LONGEST, maxBytes }));
    const correct = await this.#inner.request(request, { timeoutMs: LONGEST, maxBytes });
    const reply = this.#isDown ? undefined : this.corrupts(correct, request);
    if (reply === undefined) throw this.#broken();
    if (this.#isDrawn('lost', request)) throw new TransportError('noReply', 'the reply was lost');
    if (this.#isDrawn('answeredLate', request)) await this.#pause(this.delay());
    if (request.method !== 'POST' || !this.#isDrawn('cut', request)) return reply;
    return { ...reply, body: reply.body.subarray(0, this.#rng.below(reply.body.length)) };
  }

  #broken(): TransportError {
    this.counts.broken++;
    return new TransportError('noReply', 'read ECONNRESET');
  }

  get #isDown(): boolean {
    return this.#clock.now() < this.#downUntil;
  }

  #isDrawn(what: keyof NetworkFaults, request: HttpRequest): boolean {
    const isDrawn = this.#rng.below(100) < this.faults[what] && this.applies(request);
    if (isDrawn) this.counts[what]++;
    return isDrawn;
  }

  #pause(span: Millis): Promise<void> {
    return new Promise((resolve) => void this.#after(span, resolve));
  }

  #after(span: Millis, run: () => void): () => void {
    return this.#clock.at(this.#clock.now() + span, run);
  }
}
