// A line to an exchange on virtual time that loses, delays and cuts what passes over it, and that is down now and then; all by chance from a seed.
import type { Clock, Millis } from '../../src/base/clock.ts';
import type { Rng } from '../../src/base/rng.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../src/base/transport.ts';

/** Requests in a hundred to which it happens. */
export interface Weather {
  /** Executed, and the reply does not come. */
  readonly lost: number;
  /** Actions of which only a part of the receipt comes, though its reply says that it is whole. */
  readonly cut: number;
  /** It arrives later than it should: by seconds mostly, and by more than a minute now and then. */
  readonly late: number;
  /** Its reply does. */
  readonly answeredLate: number;
  /** It arrives twice; the second time within seconds. Only the first is answered. */
  readonly repeated: number;
}

export const FAIR: Weather = { lost: 0, cut: 0, late: 0, answeredLate: 0, repeated: 0 };

const LONGEST: Millis = 1_000_000;

export class HostileLine implements Transport {
  /** How often each thing happened, and `arrived`, `sent`: of actions. */
  readonly counts = { lost: 0, cut: 0, late: 0, answeredLate: 0, repeated: 0, refused: 0, broken: 0, sent: 0, arrived: 0 };
  weather: Weather;
  /** How late what is late is. */
  delay: () => Millis = () => (this.#rng.below(5) === 0 ? 60_000 + this.#rng.below(60_000) : this.#rng.below(8_000));
  /** How long after the first copy the second arrives, and whether that is the one that is answered. */
  repeatAfter: () => Millis = () => this.#rng.below(5_000);
  answersRepeat = false;
  /** True for a request that the weather concerns. */
  exposes: (request: HttpRequest) => boolean = () => true;
  /** True for a request whose connection is refused. */
  refuses: (request: HttpRequest) => boolean = () => false;
  /** True for a request that shall never arrive. */
  swallows: (request: HttpRequest) => boolean = () => false;
  /** What becomes of a reply; undefined where it does not come. */
  spoils: (reply: HttpReply, request: HttpRequest) => HttpReply | undefined = (reply) => reply;
  readonly #line: Transport;
  readonly #clock: Clock;
  readonly #rng: Rng;
  #downUntil: Millis = 0;

  constructor(line: Transport, { clock, rng, weather }: { clock: Clock; rng: Rng; weather: Weather }) {
    this.#line = line;
    this.#clock = clock;
    this.#rng = rng;
    this.weather = weather;
  }

  /** Connections are refused for so long, and what is on its way there is lost. */
  down(span: Millis): void {
    this.#downUntil = this.#clock.now() + span;
  }

  close(): Promise<void> {
    return this.#line.close();
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
    if (this.#happens('late', request)) await this.#pause(this.delay());
    if (this.#isDown || this.swallows(request)) throw this.#broken();
    if (request.method === 'POST') this.counts.arrived++;
    const repeated = request.method === 'POST' && this.#happens('repeated', request);
    if (repeated && this.answersRepeat) await this.#line.request(request, { timeoutMs: LONGEST, maxBytes });
    else if (repeated) void this.#pause(this.repeatAfter()).then(() => this.#line.request(request, { timeoutMs: LONGEST, maxBytes }));
    const honest = await this.#line.request(request, { timeoutMs: LONGEST, maxBytes });
    const reply = this.#isDown ? undefined : this.spoils(honest, request);
    if (reply === undefined) throw this.#broken();
    if (this.#happens('lost', request)) throw new TransportError('noReply', 'the line went dead');
    if (this.#happens('answeredLate', request)) await this.#pause(this.delay());
    if (request.method !== 'POST' || !this.#happens('cut', request)) return reply;
    return { ...reply, body: reply.body.subarray(0, this.#rng.below(reply.body.length)) };
  }

  #broken(): TransportError {
    this.counts.broken++;
    return new TransportError('noReply', 'read ECONNRESET');
  }

  get #isDown(): boolean {
    return this.#clock.now() < this.#downUntil;
  }

  #happens(what: keyof Weather, request: HttpRequest): boolean {
    const happens = this.#rng.below(100) < this.weather[what] && this.exposes(request);
    if (happens) this.counts[what]++;
    return happens;
  }

  #pause(span: Millis): Promise<void> {
    return new Promise((resolve) => void this.#after(span, resolve));
  }

  #after(span: Millis, run: () => void): () => void {
    return this.#clock.at(this.#clock.now() + span, run);
  }
}
