// Signals that other programs send to the run: `POST /signals/NAME` on this machine, with a token.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, Millis } from '../../../base/clock.ts';
import { Recent } from '../../../base/collections/recent.ts';
import { messageOf } from '../../../base/errors.ts';
import { badRequest, jsonReply, RefusedRequest } from '../../../base/server/reply.ts';
import { route, routerOf } from '../../../base/server/routing.ts';
import { JSON_LIMITS, JsonError, readJson } from '../../../base/text/json.ts';
import type { Handler, HttpReply, HttpRequest } from '../../../base/transport/transport.ts';
import type { KeptSignal } from '../../world/inputs.ts';

export interface Signal {
  readonly input: string;
  readonly value: unknown;
  /** The time given by the sender, else the arrival. */
  readonly asked: Millis;
  readonly at: Millis;
  readonly id?: string | undefined;
}

export interface SignalOptions {
  readonly clock: Clock;
  readonly token: string;
  /** The names of the inputs, with the last signal of each before this process. */
  readonly inputs: ReadonlyMap<string, KeptSignal | undefined>;
  /** A signal whose `at` differs from now by more than this is refused. */
  readonly maxAgeMs: Millis;
  /** Called with each accepted signal before the reply. */
  readonly accept: (signal: Signal) => void;
}

const MAX_BYTES = JSON_LIMITS.signal.maxBytes;
const MAX_ID_LENGTH = 128;
const REMEMBERED_IDS = 1_000;
const TOKEN_BYTES = 24;
/** Maximum number of signals within one second. */
const MAX_PER_SECOND = 50;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('hex');

/**
 * Answers 202 after a signal has been accepted. The body is JSON or text. In a JSON object the sender may set `id` and `at`: a repeated id is
 * answered with 200 and ignored; a signal older than the newest one is refused with 409.
 */
export function signalsApi(options: SignalOptions): Handler {
  const { inputs, token } = options;
  const signals = new Map([...inputs].map(([name, kept]) => [name, new SignalInput(name, kept, options)]));
  return routerOf([
    route({
      method: 'POST',
      path: '/signals/{name}',
      query: { token: (text: string) => text },
      answer({ path: { name }, query, request }) {
        if (!hasToken(request, query.token, token)) throw new RefusedRequest(401, { message: 'the token is missing or wrong' });
        const signal = signals.get(name);
        if (signal === undefined)
          throw new RefusedRequest(404, { message: `the strategy has no such signal; it has ${[...signals.keys()].join(', ')}` });
        return signal.receive(request);
      },
    }),
  ]);
}

/** `Authorization: Bearer TOKEN`, or `?token=TOKEN` for senders that cannot set a header. */
function hasToken({ authorization }: HttpRequest, inQuery: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? inQuery ?? '';
  return timingSafeEqual(hashOf(given), hashOf(token)); // in constant time, whatever the lengths
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

class SignalInput {
  readonly #name: string;
  readonly #options: SignalOptions;
  readonly #ids = new Recent<string, true>(REMEMBERED_IDS);
  #newest: Millis;
  #second = { since: 0, count: 0 };

  constructor(name: string, kept: KeptSignal | undefined, options: SignalOptions) {
    this.#name = name;
    this.#options = options;
    this.#newest = kept?.asked ?? 0;
    for (const id of kept?.ids ?? []) this.#ids.set(id, true);
  }

  receive({ body }: HttpRequest): HttpReply {
    const { clock, accept } = this.#options;
    const now = clock.now();
    this.#requireRate(now);
    const { value, id, at = now } = signalIn(body);
    if (id !== undefined && this.#ids.has(id))
      return jsonReply({ input: this.#name, accepted: false, message: `the id ${id} was accepted before` });
    this.#requireTime(at, now);
    accept({ input: this.#name, value, asked: Math.min(at, now), at: now, id });
    if (id !== undefined) this.#ids.set(id, true);
    this.#newest = Math.min(at, now);
    return jsonReply({ input: this.#name, accepted: true }, 202);
  }

  #requireTime(at: Millis, now: Millis): void {
    const { maxAgeMs } = this.#options;
    const off = Math.abs(now - at);
    if (off > maxAgeMs) {
      const side = at < now ? 'old' : 'ahead of this machine';
      throw badRequest(`at is ${Math.round(off / 1_000)} s ${side}; at most ${maxAgeMs / 1_000} s is allowed`);
    }
    if (at < this.#newest) throw new RefusedRequest(409, { message: 'a newer signal has been accepted' });
  }

  #requireRate(now: Millis): void {
    if (now - this.#second.since >= 1_000) this.#second = { since: now, count: 0 };
    this.#second.count += 1;
    if (this.#second.count > MAX_PER_SECOND)
      throw new RefusedRequest(429, { message: `at most ${MAX_PER_SECOND} signals a second are accepted` });
  }
}

interface Content {
  readonly value: unknown;
  readonly id?: string | undefined;
  readonly at?: Millis | undefined;
}

/** Returns the whole body as the value, parsed if it is JSON. JSON beyond the limits is refused. */
function signalIn(body: Uint8Array | undefined): Content {
  if (body === undefined || body.length === 0) throw badRequest('the body is empty');
  if (body.length > MAX_BYTES) throw new RefusedRequest(413, { message: `a signal has at most ${MAX_BYTES} bytes`, limit: MAX_BYTES });
  const value = jsonOrText(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { value };
  const { id, at } = value as { id?: unknown; at?: unknown };
  return { value, id: idOf(id), at: at === undefined ? undefined : timeOf(at) };
}

function jsonOrText(body: Uint8Array): unknown {
  try {
    return readJson(body, JSON_LIMITS.signal);
  } catch (error) {
    if (error instanceof JsonError && error.fault === 'syntax') return new TextDecoder().decode(body);
    throw badRequest(messageOf(error));
  }
}

function idOf(id: unknown): string | undefined {
  if (id === undefined) return undefined;
  if ((typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH) || typeof id === 'number') return String(id);
  throw badRequest(`id must be a number, or a text of at most ${MAX_ID_LENGTH} characters`);
}

function timeOf(at: unknown): Millis {
  const time = typeof at === 'string' ? Date.parse(at) : at;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  throw badRequest('at must be a time in RFC 3339, or in milliseconds');
}
