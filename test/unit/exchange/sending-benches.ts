// Every exchange with an account, behind a network that loses, delays or refuses its actions, for the tests that hold for all of them.

import type { VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import {
  type HttpReply,
  type HttpRequest,
  isRead,
  type RequestLimits,
  type Transport,
  TransportError,
} from '../../../src/base/transport/transport.ts';
import { splitSigned } from '../../../src/base/wire/framing.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../../src/bot/domain/action.ts';
import { lots } from '../../../src/bot/domain/numbers.ts';
import { connectVenue } from '../../../src/bot/exchange/kit/connect.ts';
import type { WriteAhead } from '../../../src/bot/exchange/kit/sending/outgoing.ts';
import type { ClientRules } from '../../../src/bot/exchange/kit/venue-client.ts';
import { HOSTED_RULES } from '../../../src/venues/hosted/rules.ts';
import { LOCAL_RULES } from '../../../src/venues/local/rules.ts';
import { inProcessTransport } from '../../in-process.ts';
import { RULES as THIRD_RULES, thirdClient } from '../../third-venue/adapter/client.ts';
import { apiOf } from '../../third-venue/api.ts';
import { keyOf, ThirdExchange } from '../../third-venue/exchange.ts';
import { Bench as HostedBench, place as placeHosted } from '../venues/hosted/bench.ts';
import { Bench as LocalBench, place as placeLocal } from '../venues/local/bench.ts';
import { cancel, POLLING, placeFrom, VenueBench } from './venue-bench.ts';

export interface FakeReply {
  readonly status: number;
  readonly body: string | Uint8Array;
}

/** What happens to an action on its way; `late` in milliseconds. */
export type Fault = 'request lost' | 'reply lost' | 'not sent' | { readonly late?: number; readonly reply?: FakeReply };

/** Passes requests on, and records and spoils those that are actions. */
export class ActionWire implements Transport {
  readonly sent: Action['kind'][] = [];
  /** Number of reads. */
  reads = 0;
  mostInFlight = 0;
  faultOf: (kind: Action['kind']) => Fault | undefined = () => undefined;
  #inFlight = 0;
  readonly #inner: Transport;
  readonly #clock: VirtualClock;
  readonly #kindOf: (request: HttpRequest) => Action['kind'] | undefined;

  constructor(inner: Transport, clock: VirtualClock, kindOf: (request: HttpRequest) => Action['kind'] | undefined) {
    this.#inner = inner;
    this.#clock = clock;
    this.#kindOf = kindOf;
  }

  async request(request: HttpRequest, limits: RequestLimits): Promise<HttpReply> {
    const kind = this.#kindOf(request);
    if (kind === undefined) {
      this.reads += 1;
      return this.#inner.request(request, limits);
    }
    const fault = this.faultOf(kind);
    if (fault === 'not sent') throw new TransportError('notSent', 'connection refused');
    this.sent.push(kind);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    try {
      return await this.#answer(request, { limits, fault });
    } finally {
      this.#inFlight -= 1;
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async #answer(request: HttpRequest, { limits, fault }: { limits: RequestLimits; fault: Fault | undefined }): Promise<HttpReply> {
    if (fault === 'request lost') return this.#lost(limits);
    const reply = await this.#inner.request(request, limits);
    if (fault === undefined || fault === 'not sent') return reply;
    if (fault === 'reply lost') return this.#lost(limits);
    if (fault.late !== undefined) await this.#wait(fault.late);
    if (fault.reply === undefined) return reply;
    const { status, body } = fault.reply;
    return { status, contentType: 'application/json', body: typeof body === 'string' ? new TextEncoder().encode(body) : body };
  }

  async #lost({ timeoutMs }: RequestLimits): Promise<never> {
    await this.#wait(timeoutMs);
    throw new TransportError('noReply', 'no reply');
  }

  #wait(span: number): Promise<void> {
    return new Promise((resolve) => this.#clock.at(this.#clock.now() + span, resolve));
  }
}

export interface SendingBench {
  readonly bench: VenueBench;
  readonly wire: ActionWire;
  readonly rules: ClientRules;
  /** Returns the answer of the exchange that refuses an action. */
  refusing(this: void, reason: string): FakeReply;
  place(this: void, more?: Partial<PlaceOrder>): PlaceOrder;
  cancel(this: void, more?: Partial<CancelOrder>): CancelOrder;
}

export interface OpenBench {
  readonly writeAhead?: WriteAhead;
  /** Returns a transport that spoils requests before they reach the exchange. */
  readonly spoil?: (inner: Transport, clock: VirtualClock) => Transport;
}

export type Open = (options: OpenBench) => Promise<SendingBench>;

const AS_IT_IS = (inner: Transport): Transport => inner;

const byMethod = (request: HttpRequest): Action['kind'] | undefined =>
  isRead(request) || request.path.endsWith('/settle') ? undefined : request.method === 'DELETE' ? 'cancel' : 'place';

export class ThirdBench extends VenueBench {
  readonly exchange = new ThirdExchange({ clock: this.clock, rng: rngFrom('bench') });

  async connect(transport: Transport, writeAhead?: WriteAhead): Promise<void> {
    const { clock, log } = this;
    this.exchange.open('bot', 1e6);
    this.exchange.frozen = true; // its traders would only take time
    const client = thirdClient({ transport, clock, key: keyOf('bot') });
    await this.opened(connectVenue(client, { clock, rng: rngFrom('test'), polling: POLLING, log, markets: ['BTC-PERP'], writeAhead }));
    this.exchange.frozen = false;
  }
}

/** An order worth more than the exchange's least value. */
const placeThird = (more: Partial<PlaceOrder> = {}): PlaceOrder => placeFrom(1n)({ size: lots(1_000), ...more });

/** Returns refusals that have their reason under this key. */
const refusalWith =
  (key: string) =>
  (reason: string): FakeReply => ({ status: 400, body: JSON.stringify({ [key]: reason }) });

/** Functions that connect to each exchange, after which every stream has emitted. */
export const EXCHANGES: Readonly<Record<string, Open>> = {
  hosted: async ({ writeAhead, spoil = AS_IT_IS }) => {
    const bench = new HostedBench();
    const wire = new ActionWire(bench.exchange, bench.clock, ({ method, body = new Uint8Array() }) => {
      if (method !== 'POST') return undefined;
      const { kind } = bench.exchange.codec.decode(splitSigned(body).framed);
      return kind === 'placeOrder' ? 'place' : kind === 'cancelOrder' ? 'cancel' : undefined;
    });
    await bench.connect({ transport: spoil(wire, bench.clock), writeAhead });
    await bench.run(100);
    const refusing = (reason: string) => ({ status: 200, body: bench.exchange.codec.encodeReceipt(bench.exchange.error(reason)) });
    return { bench, wire, refusing, rules: HOSTED_RULES, place: placeHosted, cancel };
  },
  local: async ({ writeAhead, spoil = AS_IT_IS }) => {
    const bench = new LocalBench();
    const wire = new ActionWire(bench.process, bench.clock, byMethod);
    await bench.connect({ transport: spoil(wire, bench.clock), writeAhead });
    await bench.run(100);
    return { bench, wire, refusing: refusalWith('message'), rules: LOCAL_RULES, place: placeLocal, cancel };
  },
  third: async ({ writeAhead, spoil = AS_IT_IS }) => {
    const bench = new ThirdBench();
    const { clock, exchange } = bench;
    const wire = new ActionWire(inProcessTransport({ handler: apiOf(exchange), clock, latencyMs: () => 10 }), clock, byMethod);
    await bench.connect(spoil(wire, clock), writeAhead);
    await bench.run(100);
    return { bench, wire, refusing: refusalWith('error'), rules: THIRD_RULES, place: placeThird, cancel };
  },
};
