// The log of a strategy: records of the turn in which they are written.
import { withoutKeys } from '../../base/text/secrets.ts';
import { printable } from '../../base/text/visible.ts';
import type { JsonValue } from '../domain/json.ts';
import type { LogRecord } from '../domain/turn.ts';

/** Values beside the text of a log record, as JSON. A name that every line has (`kind`, `at`, `level`, `text`) gets a `_`. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes lines to the output of the run, in order with its other lines: live view, plain lines, and JSON. At most 20 per turn; further ones are
 * dropped and counted. A text has at most 300 characters, the fields 4096 characters of JSON. Control characters are escaped, and keys are masked.
 */
export interface Log {
  info(text: string, fields?: LogFields): void;
  warn(text: string, fields?: LogFields): void;
}

const MAX_RECORDS = 20;
const MAX_FIELD_CHARACTERS = 4_096;
/** Longer texts are truncated before they are processed. */
const MAX_CHARACTERS = 4_000;
/** Longer than any key: truncation may leave a part of a key at the end, so this many characters are dropped there. */
const LONGEST_KEY = 400;
const RESERVED: ReadonlySet<string> = new Set(['kind', 'at', 'level', 'text']);

export class LogBuffer implements Log {
  #records: LogRecord[] = [];
  #dropped = 0;

  info(text: string, fields?: LogFields): void {
    this.#add('info', text, fields);
  }

  warn(text: string, fields?: LogFields): void {
    this.#add('warn', text, fields);
  }

  /** Returns the records since the last call, and the number of dropped ones; undefined if there are none. */
  take(): readonly LogRecord[] | undefined {
    if (this.#records.length === 0) return undefined;
    const records = this.#records;
    const dropped = this.#dropped;
    this.#records = [];
    this.#dropped = 0;
    if (dropped > 0)
      records.push({ level: 'warn', text: `${dropped} more log lines of this turn were dropped; at most ${MAX_RECORDS} are kept` });
    return records;
  }

  #add(level: LogRecord['level'], text: unknown, fields: LogFields | undefined): void {
    if (this.#records.length >= MAX_RECORDS) {
      this.#dropped++;
      return;
    }
    const record = { level, text: lineText(text) };
    this.#records.push(fields === undefined ? record : { ...record, fields: fieldValues(fields) });
  }
}

/** Returns a text that is safe to print: one line, with keys masked. */
export function lineText(text: unknown): string {
  const whole = typeof text === 'string' ? text : asText(text);
  return printable(
    whole.length <= MAX_CHARACTERS ? withoutKeys(whole) : withoutKeys(whole.slice(0, MAX_CHARACTERS)).slice(0, -LONGEST_KEY),
  );
}

function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value that cannot be converted to text';
  }
}

function fieldValues(fields: LogFields): Readonly<Record<string, JsonValue>> {
  try {
    const json = JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)) as
      | string
      | undefined;
    if (json === undefined) return { note: 'the fields are not JSON' };
    if (json.length > MAX_FIELD_CHARACTERS)
      return { note: `fields of ${json.length} characters were left out; at most ${MAX_FIELD_CHARACTERS} are kept` };
    return withoutReserved(JSON.parse(withoutKeys(json)));
  } catch {
    return { note: 'the fields are not JSON, or look like a key' };
  }
}

const withoutReserved = (value: unknown): Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]: [string, JsonValue]) => [RESERVED.has(name) ? `${name}_` : name, one]))
    : {};
