// Converts times of a zone's clocks to UTC, by the zone data of Node, with summer time.
import { HOUR, MINUTE, type Millis } from '../../../../base/clock.ts';

export interface TimeZone {
  readonly name: string;
  /**
   * Returns the moments at which the clocks show a time, which is given as if it were UTC; earliest first. Usually one; two in an hour that clocks
   * repeat when they are set back, none in one that they skip.
   */
  momentsOf(shown: Millis): readonly Millis[];
}

const FIXED = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;
/** Clocks are changed at full quarters of an hour. */
const STEP: Millis = 15 * MINUTE;

/** Returns the zone of a name, as in `Europe/Athens`, `UTC` or `+02:00`; undefined if there is no such zone. */
export function timeZoneOf(name: string): TimeZone | undefined {
  const [, sign, hours = '', minutes = '0'] = FIXED.exec(name) ?? [];
  if (sign !== undefined) {
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
    return { name, momentsOf: (shown) => [shown - offset] };
  }
  const format = formatOf(name);
  return format && { name, momentsOf: momentsIn(format) };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields });
  } catch {
    return undefined;
  }
}

function momentsIn(format: Intl.DateTimeFormat): TimeZone['momentsOf'] {
  /** How far the clocks are ahead of UTC at a moment that is a multiple of `STEP`. */
  const offsetAt = (moment: Millis): Millis => {
    const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute) - moment;
  };
  let last: { readonly step: Millis; readonly offsets: readonly Millis[] } | undefined; // files are in order, so most times are in the step of the last one
  return (shown) => {
    const step = Math.floor(shown / STEP) * STEP;
    if (last?.step !== step) {
      // The clocks are changed at most once in these two days, so one of the two offsets is right.
      const possible = [...new Set([offsetAt(step - 24 * HOUR), offsetAt(step + 24 * HOUR)])];
      last = { step, offsets: possible.filter((offset) => offsetAt(step - offset) === offset).toSorted((a, b) => b - a) };
    }
    return last.offsets.map((offset) => shown - offset);
  };
}
