// A run's directory: what it did, line by line, and the session key that its restarts share.
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, type Place, UserError } from '../base/errors.ts';
import type { Line } from '../report/lines.ts';
import { KEY_BYTES } from '../wire/signing.ts';
import { openRecorder } from './recorder.ts';

export interface State {
  /** The lines of all processes of this run so far. */
  readonly earlier: readonly Line[];
  append(lines: readonly Line[]): void;
  /** One line of text of the recording of this process; absent where none is kept, so that none has to be written. */
  record?(text: string): void;
  /** The session's secret key, the same one in each process of this run; made by `make` the first time. */
  sessionKey(make: () => Uint8Array): Uint8Array;
  close(): void;
}

/** Files: `ledger.jsonl` (orders, fills, findings), `turns-<started>.jsonl.gz` (a replayable recording of one process), `session.key` (0600). */
export function openState(directory: string, started: string): Required<State> {
  const ledger = join(directory, 'ledger.jsonl');
  const key = join(directory, 'session.key');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const earlier = existsSync(ledger) ? readLines(ledger) : [];
    const turns = openRecorder(join(directory, `turns-${started}.jsonl.gz`));
    return {
      earlier,
      append: (lines) => {
        if (lines.length > 0) appendFileSync(ledger, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
      },
      record: turns.record,
      sessionKey(make) {
        if (existsSync(key)) return readKey(key);
        const made = make();
        writeFileSync(key, made, { mode: 0o600, flag: 'wx' });
        return made;
      },
      close: turns.close,
    };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError({
      code: 'state',
      message: `the state directory ${directory} cannot be used: ${messageOf(error)}`,
      hint: 'choose another with --state DIR',
    });
  }
}

/** Remembers nothing: for a run that can be had again at any time. */
export const NO_STATE: State = {
  earlier: [],
  append: () => undefined,
  sessionKey: (make) => make(),
  close: () => undefined,
};

/** A state that is forgotten with the process: for tests. */
export function memoryState(earlier: readonly Line[] = []): Required<State> & { readonly lines: Line[]; readonly recording: string[] } {
  const lines: Line[] = [...earlier];
  const recording: string[] = [];
  return {
    earlier: [...earlier],
    lines,
    recording,
    append: (more) => void lines.push(...more),
    record: (text) => void recording.push(text),
    sessionKey: (make) => make(),
    close: () => undefined,
  };
}

/** A last line without its end was cut off by a crash, and is cut out; any other damage stops. */
function readLines(file: string): readonly Line[] {
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').flatMap((line, index) => (line === '' ? [] : [parseLine(line, { file, line: index + 1 })]));
  if (whole !== text) truncateSync(file, Buffer.byteLength(whole));
  return lines;
}

function parseLine(text: string, place: Place): Line {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === 'object' && line !== null && 'kind' in line) return line as Line;
  } catch {
    // told below
  }
  throw damaged('not a line of a ledger', place);
}

function readKey(file: string): Uint8Array {
  const key = new Uint8Array(readFileSync(file));
  if (key.length !== KEY_BYTES) throw damaged(`not a key of ${KEY_BYTES} bytes`, { file });
  return key;
}

const damaged = (message: string, place: Place): UserError =>
  new UserError({ code: 'state', message, place, hint: 'move the file away, or choose another --state DIR' });
