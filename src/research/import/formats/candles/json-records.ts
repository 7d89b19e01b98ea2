// Splits JSON into records: one record a line, or one list of records over any number of lines.
import { parse } from 'lossless-json';
import { MAX_DEPTH } from '../../../../base/text/json.ts';
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

  function takeInString(character: string): void {
    if (escaped) escaped = false;
    else if (character === '\\') escaped = true;
    else if (character === '"') inString = false;
    text += character;
  }
  /** Takes a character that is outside strings and between records. Returns true if it belongs to the list, not to a record. */
  function takeBetween(character: string): boolean {
    if (character === ']' && inList) inList = false;
    else if (character !== ',') return false;
    return true;
  }
  /** Takes a character outside strings. Returns the record that it completes. */
  function takeOutside(character: string): unknown {
    if (text === '' && takeBetween(character)) return undefined;
    const opens = character === '[' || character === '{';
    if (text === '[' && !inList && opens) beginList();
    text += character;
    if (character === '"') inString = true;
    if (opens) depth += 1;
    if (depth > MAX_DEPTH) throw new Malformed(`is nested deeper than ${MAX_DEPTH} levels`, HINT);
    if (character === ']' || character === '}') depth -= 1;
    return depth <= 0 && !inString ? complete() : undefined;
  }
  /** The text so far was the bracket of the list. */
  function beginList(): void {
    inList = true;
    text = '';
    depth = 0;
  }
  function complete(): unknown {
    const record = parsed(text);
    text = '';
    return record;
  }

  return {
    push(line) {
      const records: unknown[] = [];
      for (const character of line) {
        if (inString) takeInString(character);
        else if (character.trim() !== '') {
          const record = takeOutside(character);
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
