// Reads times in any unit: the unit of a number follows from its size; dates are ISO 8601. For dates without a zone see `local-time.ts`.
import type { Stamp } from '../../../../embedded/rows/rows.ts';
import { Malformed, shortened } from '../fields.ts';

/** How a time is written. `local time`: a time of day without a zone; `date`: a day alone. */
export type TimeUnit = NumberUnit | 'date with a zone' | 'local time' | 'date';

export interface ReadTime {
  /** A local time or a date is read as if it were UTC. */
  readonly stamp: Stamp;
  readonly unit: TimeUnit;
}

/** Number of units a second. */
const UNITS = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 } as const;
type NumberUnit = keyof typeof UNITS;

/** Times before 1990 or after 2100 indicate a wrong unit. */
const [EARLIEST, LATEST] = [Date.UTC(1990, 0, 1) / 1_000, Date.UTC(2100, 0, 1) / 1_000];

const DATE =
  /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ]?(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Reads a time. `stated` is the unit in the column's name. Throws `Malformed` if the time is invalid or out of range. */
export function readTime(text: string, stated?: NumberUnit): ReadTime {
  if (/^\d+(\.\d+)?$/.test(text)) return readNumber(text, stated) ?? readDate(text) ?? fail(text);
  if (/^-?\d+(\.\d+)?e\+?\d+$/i.test(text)) return readNumber(String(BigInt(Math.round(Number(text)))), stated) ?? fail(text);
  return readDate(text) ?? fail(text);
}

/** Returns the unit that a column's name ends with: `time_ms`, `timestamp_ns`. */
export function statedUnit(name: string): NumberUnit | undefined {
  const ending = /[ _(](s|ms|us|ns)\)?$/i.exec(name)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : ({ s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' } as const)[ending];
}

function readNumber(text: string, stated: NumberUnit | undefined): ReadTime | undefined {
  const value = Number(text);
  const unit = (Object.keys(UNITS) as NumberUnit[]).find((name) => isLikely(value / UNITS[name]));
  if (unit === undefined) return undefined;
  if (stated !== undefined && stated !== unit) {
    const year = new Date((value / UNITS[stated]) * 1_000).getUTCFullYear();
    const result = Number.isNaN(year) ? 'no date' : `in the year ${year}`;
    throw new Malformed(
      `is ${text}: in ${stated}, as the name of the column states, that is ${result}; the number has the size of ${unit}`,
      UNIT_HINT,
    );
  }
  return { stamp: stampOf(text, unit), unit };
}

const UNIT_HINT = 'name the column time, and the unit is found by the size of the numbers';

const isLikely = (seconds: number): boolean => seconds >= EARLIEST && seconds < LATEST;

/** Converts a number to microseconds, exactly, because a double cannot represent nanoseconds. */
function stampOf(text: string, unit: NumberUnit): Stamp {
  const [whole = '', fraction = ''] = text.split('.');
  if (unit === 'nanoseconds') return Number(BigInt(whole) / 1_000n);
  const digits = { seconds: 6, milliseconds: 3, microseconds: 0 }[unit];
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}

function readDate(text: string): ReadTime | undefined {
  const [, year = '', , month = '', day = '', hour, minute = '0', second = '0', fraction = '', zone] = DATE.exec(text) ?? [];
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (year === '' || new Date(date).getUTCDate() !== Number(day)) return undefined;
  if (Number(hour ?? 0) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = date / 1_000 + Number(hour ?? 0) * 3_600 + Number(minute) * 60 + Number(second) - offsetOf(zone);
  if (!isLikely(seconds)) return undefined;
  const stamp = seconds * 1e6 + Number(fraction.slice(0, 6).padEnd(6, '0'));
  if (zone !== undefined) return { stamp, unit: 'date with a zone' };
  return { stamp, unit: hour === undefined ? 'date' : 'local time' };
}

/** Returns the seconds by which a zone is ahead of UTC. */
function offsetOf(zone: string | undefined): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}

function fail(text: string): never {
  if (text === '') throw new Malformed('is empty', 'remove the row, or fill it in');
  if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}\b/.test(text))
    throw new Malformed(
      `is ${shortened(text)}: whether the day or the month comes first is not known`,
      'write the year first, as in 2024-01-31 00:00',
    );
  if (/^(0|19[0-8]\d-)/.test(text) || /^\d+(\.\d+)?$/.test(text)) {
    throw new Malformed(
      `is ${shortened(text)}, which is not a time from 1990 to 2099 in any unit: it was probably converted with a wrong unit`,
      "write it again with the right unit, as in pandas.to_datetime(column, unit='ms')",
    );
  }
  throw new Malformed(
    `is "${shortened(text)}", not a time`,
    'write 2024-01-31 00:00, 2024-01-31T00:00:00Z, or a number of seconds or milliseconds since 1970',
  );
}
