// Recorded values of an input: JSON lines with the time and the value, as a run writes them and a backtest reads them.

import { Observable } from 'rxjs';
import type { Cancel, Clock, Millis } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { readTextFile } from '../../../base/files/text-file.ts';
import { type Answer, failed } from '../../../base/streams/answer.ts';
import { timeText } from '../../../base/text/duration.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { InputSeen } from '../../domain/event.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { Answers } from './events.ts';

/** One value, and when the run received it. */
export interface RecordedValue {
  readonly at: Millis;
  /** The time of the value; `at` if absent. */
  readonly asked?: Millis | undefined;
  readonly value: unknown;
  /** If set, the reason why the input failed at this time; there is then no value. */
  readonly failure?: string | undefined;
}

/** By the name of the input. */
export type RecordedInputs = Readonly<Record<string, readonly RecordedValue[]>>;

const MAX_BYTES = 512 * 1024 * 1024;

/** Returns the line of a value, in the format of `readRecorded`. */
export const recordedLine = ({ at, asked, value }: InputSeen): string =>
  JSON.stringify({ at: timeText(at), ...(asked !== at && { asked: timeText(asked) }), value } satisfies Record<string, JsonValue>);

/** Reads a file of lines `{"at": …, "value": …}`, times in RFC 3339 or milliseconds, in order. Throws a `UserError` with file and line. */
export function readRecorded(file: string): readonly RecordedValue[] {
  const values: RecordedValue[] = [];
  let before = -Infinity;
  for (const [index, line] of textOf(file).split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = { file, line: index + 1 };
    const value = parsed(line, place);
    if (value.at < before) throw wrong(`the time ${timeText(value.at)} is before that of the line above; sort the lines by time`, place);
    before = value.at;
    values.push(value);
  }
  return values;
}

function textOf(file: string): string {
  try {
    return readTextFile(file, MAX_BYTES);
  } catch (error) {
    throw wrong(`it cannot be read: ${messageOf(error)}`, { file });
  }
}

type Place = { readonly file: string; readonly line?: number };

function parsed(line: string, place: Place): RecordedValue {
  let object: unknown;
  try {
    object = readJson(line, JSON_LIMITS.file);
  } catch (error) {
    throw wrong(`not JSON: ${messageOf(error)}`, place);
  }
  if (typeof object !== 'object' || object === null || !('at' in object) || !('value' in object))
    throw wrong('a line is an object with at and value, as in {"at":"2026-01-02T03:04:05Z","value":1}', place);
  const { at, value } = object;
  const asked = 'asked' in object ? timeOf(object.asked, place) : undefined;
  return { at: timeOf(at, place), asked, value };
}

function timeOf(value: unknown, place: Place): Millis {
  const time = typeof value === 'string' && RFC_3339.test(value) ? Date.parse(value) : value;
  if (typeof time === 'number' && Math.abs(time) < MAX_MILLIS) return Math.round(time);
  throw wrong(`${JSON.stringify(value)} is not a time; write RFC 3339, as in 2026-01-02T03:04:05.678Z, or milliseconds`, place);
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
/** The range of a Date. */
const MAX_MILLIS = 8.64e15;

const wrong = (message: string, place: Place): UserError => new UserError({ code: 'input', message, place });

/** Emits each value at its time, and the newest value from before the start at once. */
export function playRecorded(values: readonly RecordedValue[], clock: Clock): Answers {
  return new Observable<Answer<unknown>>((subscriber) => {
    let cancel: Cancel | undefined;
    let index = values.findLastIndex(({ at }) => at <= clock.now());
    const give = ({ at, asked = at, value, failure }: RecordedValue): void => {
      const seen = { asked, at: clock.now() };
      subscriber.next(failure === undefined ? { kind: 'seen', value, ...seen } : failed(seen, failure));
    };
    const wait = (): void => {
      const next = values[index];
      if (next === undefined) return;
      cancel = clock.at(next.at, () => {
        give(next);
        index += 1;
        wait();
      });
    };
    const first = values[index];
    if (first !== undefined) give(first);
    index += 1;
    wait();
    return () => cancel?.();
  });
}
