// Check: later data has no influence. The market is truncated at several places, and shifted in time.
import { counted } from '../../../../base/text/phrases.ts';
import { cutTape, movedTape } from '../../memory-tape.ts';
import { firstDifference, playTapes } from '../subject.ts';
import { clockText, fail, type Plays, pass, type StrategyCheck, skip, warn } from '../verdict.ts';

const CUTS = 4;
/** Whole weeks, so that hours and days of the week do not change. */
const MOVED = 28 * 86_400_000;

export const lookAheadPlays: Plays = { ofTapes: 2 + CUTS };

export const lookAhead: StrategyCheck = async (subject) => {
  const whole = await playTapes(subject);
  if (whole.placed === 0) return { ...skip('it placed no order'), placed: 0 };
  const cuts = Array.from({ length: CUTS }, (_, index) => Math.round(whole.from + ((whole.to - whole.from) * (index + 1)) / (CUTS + 1)));
  for (const cut of cuts) {
    const { acted } = await playTapes(subject, { tapes: subject.tapes.map((tape) => cutTape(tape, cut)) });
    const found = firstDifference(whole.acted, acted, { until: cut });
    if (found === undefined) continue;
    return fail(
      `without what came after ${clockText(cut)}, it acts differently at ${clockText(found.at)}: ${found.one} and ${found.other}`,
    );
  }
  const moved = await playTapes(subject, { tapes: subject.tapes.map((tape) => movedTape(tape, MOVED)) });
  const found = firstDifference(whole.acted, moved.acted, { moved: MOVED });
  if (found === undefined) return pass(`cut at ${counted(CUTS, 'place')} and moved by four weeks, it acted the same up to there`);
  const what = `on the same prices four weeks later it acts differently from ${clockText(found.at)} on: ${found.one} and ${found.other}`;
  const dates = Object.entries(subject.params)
    .filter(([, value]) => isDate(value))
    .map(([name]) => name);
  if (dates.length > 0) return warn(`${what}; its parameter ${dates.join(', ')} is a date, which may be the reason`);
  return fail(`${what}; it knows more of the time than the market shows: does it read prices from a file?`);
};

/** True for a text such as `2026-01-05`, and for a number of seconds or milliseconds since the epoch after 2001. */
const isDate = (value: unknown): boolean =>
  (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value)) || (typeof value === 'number' && value > 1e9 && Number.isInteger(value));
