// Splits JSON into records: one record a line, or one list of records, in one line or many.
import { parse } from 'lossless-json';
import { Malformed, shortened } from '../fields.ts';

export interface JsonRecords {
  /** Returns the records that end in this line, with their numbers as texts. Throws `Malformed` if it is not JSON. */
  push(line: string): readonly unknown[];
  /** Throws `Malformed` if a record or the list is not complete. */
  end(): void;
}

const LONGEST_RECORD = 1 << 16;

/** A list whose first item is a list or an object is a list of records. Any other list is a record. */
export function createJsonRecords(): JsonRecords {
  let text = '';
  let depth = 0;
  let inList = false;
  let inString = false;
  let escaped = false;

  function inside(sign: string): void {
    if (escaped) escaped = false;
    else if (sign === '\\') escaped = true;
    else if (sign === '"') inString = false;
    text += sign;
  }
  /** Takes a sign outside strings. Returns the record that it completes. */
  function outside(sign: string): unknown {
    if (text === '' && inList && sign === ']') inList = false;
    else if (text !== '' || sign !== ',') {
      if (text === '[' && !inList && (sign === '[' || sign === '{')) [inList, text, depth] = [true, '', 0];
      text += sign;
      if (sign === '"') inString = true;
      if (sign === '[' || sign === '{') depth += 1;
      if (sign === ']' || sign === '}') depth -= 1;
      if (depth <= 0 && !inString) return complete();
    }
    return undefined;
  }
  function complete(): unknown {
    const record = parsed(text);
    text = '';
    return record;
  }

  return {
    push(line) {
      const records: unknown[] = [];
      for (const sign of line) {
        if (inString) inside(sign);
        else if (sign.trim() !== '') {
          const record = outside(sign);
          if (record !== undefined) records.push(record);
        }
        if (text.length > LONGEST_RECORD) throw new Malformed('holds a record of more than 64 KiB', HINT);
      }
      return records;
    },
    end() {
      if (text !== '' || inList) throw new Malformed('ends in the middle of its JSON', 'was its download interrupted?');
    },
  };
}

const HINT = 'write a list of candles, or one per line, each with a time, open, high, low, close and volume';

function parsed(text: string): unknown {
  try {
    return parse(text, undefined, (number) => number);
  } catch {
    throw new Malformed(`is not valid JSON: ${shortened(text)}`);
  }
}

/** Returns a value of a record as text: empty for null. Throws `Malformed` if it is a list or an object. */
export function textOfJson(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'boolean' && typeof value !== 'number') throw new Malformed('holds a list or an object in a record', HINT);
  return String(value);
}
