// Formats the length of a candle as text.
import type { Stamp } from '../../../bot/domain/rows/rows.ts';

/** The units that a length is counted in, largest first. */
const UNITS: readonly (readonly [name: string, length: Stamp])[] = [
  ['day', 86_400e6],
  ['hour', 3_600e6],
  ['minute', 60e6],
  ['second', 1e6],
];

/** `5 minutes`, `1 hour`: in the largest unit that divides the length; `0.5 seconds` if none does. */
export function lengthText(length: Stamp): string {
  const [name, unit] = UNITS.find(([, one]) => length % one === 0) ?? ['second', 1e6];
  const count = length / unit;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
