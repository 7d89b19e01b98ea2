// Compares the times of recorded input values with the time that is played.
import type { Millis } from '../base/clock.ts';
import { timeText } from '../base/text/duration.ts';
import { counted } from '../base/text/phrases.ts';
import type { RecordedInputs, RecordedValue } from '../bot/run/inputs/recorded.ts';

interface PlayedSpan {
  readonly from: Millis;
  readonly to: Millis;
}

/** True if some of the values are within the played time. */
export const hasValueIn = (values: readonly RecordedValue[], { from, to }: PlayedSpan): boolean =>
  values.some(({ at }) => at >= from && at < to);

/** Returns a line for each input: how many of its values are within the played time; if none is, also what the strategy sees instead. */
export function coverageWords(inputs: RecordedInputs, played: PlayedSpan): readonly string[] {
  return Object.entries(inputs).map(([name, values]) => `The input ${name}: ${wordsOf(values, played)}.`);
}

function wordsOf(values: readonly RecordedValue[], { from, to }: PlayedSpan): string {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined) return 'its file has no values';
  const inside = values.filter(({ at }) => at >= from && at < to).length;
  const count = `${inside} of ${counted(values.length, 'value')} within the time of the tape`;
  if (inside > 0) return count;
  const seen = first.at >= to ? 'the strategy sees none of them' : 'the strategy sees only the newest one from before it, all the time';
  return `${count}, ${timeText(from)} to ${timeText(to)}; the file is from ${timeText(first.at)} to ${timeText(last.at)}, so ${seen}`;
}
