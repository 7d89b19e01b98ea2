// Reads the time of a row. A time without a zone is read by the zone that the user names, because a wrong one shifts all candles by hours.
import { STAMPS_PER_MILLI, type Stamp } from '../../../../embedded/rows/rows.ts';
import { Malformed } from '../fields.ts';
import type { ParsedRow } from './row-parser.ts';
import type { TimeZone } from './time-zone.ts';
import { type ReadTime, readTime, statedUnit } from './times.ts';

export interface RowTime {
  readonly stamp: Stamp;
  /** How the times of the file are written, as text. */
  readonly unit: string;
}

/** A time of day without a date, which is in another column. */
const TIME_OF_DAY = /^\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$|^\d{6}$/;
/** A column whose name says that its times are in UTC. */
const NAMES_UTC = /utc|gmt/i;

const ASK_ZONE =
  "say in which zone the times are: --timezone UTC, or a name as in --timezone Europe/Athens (of MetaTrader: that of the broker's server)";

/** Returns the time of a row. `after`: the time of the previous row, which shows which of two equal hours is meant when clocks are set back. Throws `Malformed` if it is no time. */
export function timeOf(row: ParsedRow, zone: TimeZone | undefined, after: Stamp | undefined): RowTime {
  const name = row.columns.names[row.columns.indices.time ?? 0] ?? '';
  try {
    return inUtc(readText(row, name), { zone, after, isUtc: NAMES_UTC.test(name) });
  } catch (error) {
    throw error instanceof Malformed ? row.fault('time', error.message, error.hint) : error;
  }
}

function readText(row: ParsedRow, name: string): ReadTime {
  const text = row.text('time');
  const date = row.text('date');
  const { indices } = row.columns;
  if (TIME_OF_DAY.test(text) && date !== '' && indices.date !== indices.time)
    return readTime(`${date} ${text.padStart(text.includes(':') ? 5 : 6, '0')}`);
  return readTime(text, statedUnit(name));
}

interface Where {
  readonly zone: TimeZone | undefined;
  readonly after: Stamp | undefined;
  readonly isUtc: boolean;
}

function inUtc({ stamp, unit }: ReadTime, { zone, after = 0, isUtc }: Where): RowTime {
  if (unit === 'date with a zone') return { stamp, unit: 'dates with a zone' };
  if (unit !== 'local time' && unit !== 'date') return { stamp, unit };
  if (zone === undefined) {
    if (unit === 'date') return { stamp, unit: 'dates, taken as days in UTC' };
    if (isUtc) return { stamp, unit: 'dates in UTC, as the name of the column says' };
    throw new Malformed('has no zone', ASK_ZONE);
  }
  const moments = zone.momentsOf(stamp / STAMPS_PER_MILLI).map((moment) => moment * STAMPS_PER_MILLI);
  const [moment = moments.at(-1)] = moments.filter((one) => one > after);
  if (moment === undefined)
    throw new Malformed(`does not exist in ${zone.name}: the clocks were set forward past it`, 'give the zone in which the times are');
  return { stamp: moment, unit: `dates in ${zone.name}` };
}
