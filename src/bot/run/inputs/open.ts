// Opens all inputs of a run: pollers, files, streams and the listener for signals. `research/backtest/recorded-inputs.ts` plays recorded values instead.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { merge, type Observable, Subject, tap } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import { assert, messageOf, UserError } from '../../../base/errors.ts';
import { readPrivate } from '../../../base/keys/private-file.ts';
import type { Rng } from '../../../base/rng.ts';
import { type Served, serve } from '../../../base/server/http.ts';
import type { InputEvent, InputSeen } from '../../domain/event.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { Input, Inputs } from '../../strategy/inputs.ts';
import { type KeptSignal, signalMemory } from '../../world/inputs.ts';
import type { State } from '../state/state.ts';
import { type Answers, inputEvents } from './events.ts';
import { openStream } from './open-stream.ts';
import { pollUrl } from './poll-url.ts';
import { recordedLine } from './recorded.ts';
import { newToken, type Signal, signalsApi } from './signals.ts';
import { watchFile } from './watch-file.ts';

/** The listener for signals, as configured. */
export interface SignalSettings {
  /** 0 chooses a free port. */
  readonly port: number;
  /** Default: a file in the state directory, made at the first start. */
  readonly tokenFile?: string | undefined;
  readonly maxAgeMs: Millis;
}

export interface OpenInputsOptions {
  readonly inputs: Inputs;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly state: Pick<State, 'earlier' | 'recordInput'>;
  /** The state directory. */
  readonly directory: string;
  /** Undefined only if no input takes signals. */
  readonly signals: SignalSettings | undefined;
  /** Called with an error that the listener threw. */
  readonly onBug: (thrown: unknown) => void;
}

export interface OpenInputs {
  /** Cold: nothing is requested before the subscription. Undefined if the strategy declares no inputs. */
  readonly events: Observable<InputEvent> | undefined;
  /** The listener: the URLs for signals, and the file with its token. */
  readonly listener: { readonly urls: readonly string[]; readonly tokenFile: string } | undefined;
  close(): Promise<void>;
}

const TOKEN_FILE = 'signals.token';
const MIN_TOKEN_LENGTH = 16;

const NO_INPUTS: OpenInputs = { events: undefined, listener: undefined, close: () => Promise.resolve() };

/** Throws a `UserError` if the port or the token file cannot be used. */
export async function openInputs(options: OpenInputsOptions): Promise<OpenInputs> {
  const { inputs, clock, rng, state } = options;
  if (Object.keys(inputs).length === 0) return NO_INPUTS;
  const sent = new Subject<InputSeen>();
  const listening = await listen(options, ({ input: name, value, asked, at, id }) =>
    sent.next({ kind: 'inputSeen', at, asked, name, value: value as JsonValue, signal: { id } }),
  );
  const events = Object.entries(inputs).flatMap(([name, input]) => {
    const answers = answersOf(input, { clock, rng: rng.fork(name) });
    return answers === undefined ? [] : [inputEvents(answers, { name, input, clock })];
  });
  const keep = (event: InputEvent): void => {
    if (event.kind === 'inputSeen') state.recordInput?.(event.name, recordedLine(event));
  };
  return { events: merge(sent, ...events).pipe(tap(keep)), listener: listening?.listener, close: async () => listening?.served.close() };
}

function answersOf(input: Input, { clock, rng }: { clock: Clock; rng: Rng }): Answers | undefined {
  if (input.kind === 'poll') return pollUrl(input, { clock, rng });
  if (input.kind === 'file') return watchFile(input, { clock, rng });
  return input.kind === 'stream' ? openStream(input, { clock, rng }) : undefined;
}

interface Listening {
  readonly served: Served;
  readonly listener: NonNullable<OpenInputs['listener']>;
}

/** Starts the listener for signals; undefined if no input takes any. */
async function listen(
  { inputs, clock, state, directory, signals, onBug }: OpenInputsOptions,
  accept: (signal: Signal) => void,
): Promise<Listening | undefined> {
  const names = Object.keys(inputs).filter((name) => inputs[name]?.kind === 'webhook');
  if (names.length === 0) return undefined;
  assert(signals !== undefined, 'a strategy that takes signals has a port for them');
  const tokenFile = signals.tokenFile ?? join(directory, TOKEN_FILE);
  if (signals.tokenFile === undefined) makeToken(tokenFile);
  const kept = new Map(names.map((name) => [name, keptSignal(name, state)]));
  const handler = signalsApi({ clock, token: tokenIn(tokenFile), inputs: kept, maxAgeMs: signals.maxAgeMs, accept });
  const served = await serve(handler, { port: signals.port, host: '127.0.0.1', onBug });
  return { served, listener: { urls: names.map((name) => `${served.url}/signals/${name}`), tokenFile } };
}

/** Returns the newest signal that an earlier process kept. */
function keptSignal(name: string, { earlier }: Pick<State, 'earlier'>): KeptSignal | undefined {
  const entry = earlier.findLast((kept) => kept.kind === 'memory' && kept.name === signalMemory(name));
  return entry?.kind === 'memory' ? (entry.value as KeptSignal) : undefined;
}

function makeToken(file: string): void {
  try {
    writeFileSync(file, `${newToken()}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new UserError({
      code: 'state',
      message: `${file} cannot be written: ${messageOf(error)}`,
      hint: 'choose another directory with --state DIR',
    });
  }
}

function tokenIn(file: string): string {
  const hint = 'make one with: (umask 077; openssl rand -hex 24 > FILE)';
  const token = new TextDecoder().decode(readPrivate(file, { what: 'token file', hint })).trim();
  if (token.length >= MIN_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new UserError({ code: 'key', message: `the token file ${file} has no token of at least ${MIN_TOKEN_LENGTH} letters`, hint });
}
