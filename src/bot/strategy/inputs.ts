// Inputs of a strategy: custom data that is polled, read from a file, streamed or sent by others. Each value becomes an event of the run.

import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { docsFile } from '../../base/package.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { suggestion } from '../../base/text/phrases.ts';
import type { World } from '../world/world.ts';

/** An input that polls a URL. Made by `poll`. */
export interface PollInput {
  readonly kind: 'poll';
  readonly url: string;
  readonly everyMs: Millis;
  readonly timeoutMs: Millis;
  readonly maxAgeMs: Millis;
  readonly parse: (body: string) => unknown;
}

/** An input that reads a file whenever it changes. Made by `file`. */
export interface FileInput {
  readonly kind: 'file';
  readonly path: string;
  readonly maxAgeMs: Millis | undefined;
  readonly parse: (text: string) => unknown;
}

/** An input that subscribes to a stream. Made by `stream`. */
export interface StreamInput {
  readonly kind: 'stream';
  readonly open: () => Subscribable;
  readonly maxAgeMs: Millis | undefined;
}

/** An input that receives values by `POST /signals/NAME`. Made by `webhook`. */
export interface WebhookInput {
  readonly kind: 'webhook';
  readonly maxAgeMs: Millis | undefined;
}

/** An input of a strategy: the result of `poll`, `file`, `stream` or `webhook`. */
export type Input = PollInput | FileInput | StreamInput | WebhookInput;

/** The source of `stream`: an Observable of RxJS or of another library. */
export interface Subscribable {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): { unsubscribe(): void };
}

/** The argument of `poll`. */
export interface PollRequest {
  /** http or https, any host. Requests have no key, cookie or custom header. */
  readonly url: string;
  /** From the start of one request to the start of the next; at least 100. */
  readonly everyMs: Millis;
  /** A slower answer counts as a failure. Default 5000. */
  readonly timeoutMs?: Millis;
  /** An older value is not fresh. Default: three intervals. */
  readonly maxAgeMs?: Millis;
  /** Converts the body to the value. Default: JSON, at most 64 levels deep. If it throws, the answer counts as a failure. */
  readonly parse?: (body: string) => unknown;
}

/** The argument of `file`. */
export interface FileRequest {
  /** Relative to the folder in which the program was started. */
  readonly path: string;
  /** A file that was written longer ago is not fresh. Default: the value stays fresh until the file cannot be read. */
  readonly maxAgeMs?: Millis;
  /** Converts the text to the value. Default: JSON, at most 64 levels deep. If it throws, the file counts as unreadable. */
  readonly parse?: (text: string) => unknown;
}

/** The maximum age of a fresh value. */
export interface Freshness {
  /** Default: a value stays fresh until the input fails. */
  readonly maxAgeMs?: Millis;
}

/** The newest value of an input. */
export interface InputView {
  /** JSON; read-only. */
  readonly value: unknown;
  /** The time of the value: start of the request, arrival, when the file was written, or the time that the sender stated. */
  readonly at: Millis;
  readonly ageMs: Millis;
  /** False if the value is too old, or if the input fails. */
  readonly fresh: boolean;
}

const DEFAULT_TIMEOUT: Millis = 5_000;
const MIN_INTERVAL: Millis = 100;
const MAX_INPUTS = 32;
const NAME = /^[A-Za-z][\w-]{0,31}$/;

/** Creates an input that polls a URL. Failures are retried with backoff; `Retry-After` is obeyed, redirects are not followed. */
export const poll = ({ url, everyMs, timeoutMs = DEFAULT_TIMEOUT, maxAgeMs = 3 * everyMs, parse }: PollRequest): PollInput => ({
  kind: 'poll',
  url,
  everyMs,
  timeoutMs,
  maxAgeMs,
  parse: parse ?? json,
});

/** Creates an input that reads a file of at most 1 MB. It looks once a second whether the file has changed. Replace the file by renaming a new one. */
export const file = ({ path, maxAgeMs, parse }: FileRequest): FileInput => ({ kind: 'file', path, maxAgeMs, parse: parse ?? json });

const json = (text: string): unknown => readJson(text, JSON_LIMITS.input);

/** Creates an input from an Observable, which `open` returns. It is opened again after an error; after completion, the last value stays. */
export const stream = (open: () => Subscribable, { maxAgeMs }: Freshness = {}): StreamInput => ({ kind: 'stream', open, maxAgeMs });

/**
 * Creates an input that receives values by `POST /signals/NAME` on this machine; NAME is the name of the input. The last value survives a restart.
 */
export const webhook = ({ maxAgeMs }: Freshness = {}): WebhookInput => ({ kind: 'webhook', maxAgeMs });

export type Inputs = Readonly<Record<string, Input>>;

/** The parts of a strategy that declare its inputs. */
interface Declaring<P> {
  readonly name: string;
  inputs?(params: P): Inputs;
}

/** Returns the inputs that a strategy declares. Throws a `UserError` for an invalid name, interval or URL. */
export function inputsOf<P>(strategy: Declaring<P>, params: P): Inputs {
  const { name } = strategy;
  const declared = strategy.inputs?.(params) ?? {};
  const all = Object.entries(declared);
  if (all.length > MAX_INPUTS) throw wrong(`the strategy ${name} declares ${all.length} inputs; at most ${MAX_INPUTS} are allowed`);
  for (const [input, value] of all) {
    const fault = NAME.test(input) ? faultOf(value) : 'its name must be a letter and up to 31 letters, digits, _ or -';
    if (fault !== undefined) throw wrong(`the input "${input}" of the strategy ${name} cannot be used: ${fault}`);
  }
  return declared;
}

function faultOf(input: unknown): string | undefined {
  const { kind, open, path, ...given } = (typeof input === 'object' && input !== null ? input : {}) as Partial<Record<string, unknown>>;
  const age = given['maxAgeMs'];
  if (age !== undefined && !(typeof age === 'number' && age > 0)) return 'maxAgeMs must be above 0';
  if (kind === 'webhook') return undefined;
  if (kind === 'stream') return typeof open === 'function' ? undefined : 'stream() takes a function that returns an Observable';
  const { url, everyMs, timeoutMs, parse } = given;
  if ((kind === 'poll' || kind === 'file') && typeof parse !== 'function') return 'parse must be a function';
  if (kind === 'file') return typeof path === 'string' && path !== '' ? undefined : 'path must be the path of a file';
  if (kind !== 'poll') return 'it must be the result of poll(), file(), stream() or webhook()';
  if (!(typeof everyMs === 'number' && everyMs >= MIN_INTERVAL)) return `everyMs must be at least ${MIN_INTERVAL}`;
  if (!(typeof timeoutMs === 'number' && timeoutMs > 0)) return 'timeoutMs must be above 0';
  return urlFault(url);
}

function urlFault(text: unknown): string | undefined {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'its URL is not one of http or https';
  return url.username === '' && url.password === '' ? undefined : 'its URL has a user name or a password';
}

const wrong = (message: string): UserError =>
  new UserError({ code: 'strategy', message, hint: `see "Inputs" in ${docsFile('strategies.md')}` });

/** Returns a function from a name and a world to the view of the input. Throws a `UserError` for a name that the strategy does not declare. */
export function inputViewer(inputs: Inputs): (name: string, world: World) => InputView | undefined {
  const names = Object.keys(inputs);
  return (name, world) => {
    const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (input === undefined) throw undeclared(name, names);
    const seen = world.inputs.newest(name);
    if (seen === undefined) return undefined;
    const ageMs = Math.max(0, world.now - seen.asked);
    const fresh = world.inputs.isHealthy(name) && (input.maxAgeMs === undefined || ageMs <= input.maxAgeMs);
    return { value: seen.value, at: seen.asked, ageMs, fresh };
  };
}

const undeclared = (name: string, known: readonly string[]): UserError =>
  new UserError({
    code: 'strategy',
    message: `there is no input "${name}"; ${known.length === 0 ? 'the strategy declares none' : suggestion(name, known)}`,
    hint: 'declare it in the strategy: inputs: () => ({ news: poll({ url, everyMs }) })',
  });
