// Checks: whether the same seed gives the same actions, whether a new instance returns the same intents for the same view, and how long it takes until it does.
import type { Millis } from '../../../../base/clock.ts';
import { spanText } from '../../../../base/text/duration.ts';
import { counted } from '../../../../base/text/phrases.ts';
import { type Shadow, shadowsOf } from '../shadows.ts';
import { firstDifference, playTapes } from '../subject.ts';
import { clockText, fail, type PlayCounts, pass, type StrategyCheck, skip, warn } from '../verdict.ts';

const RESTARTS = 20;
/** A difference that ends within this time is attributed to averages that start again. */
const TRANSIENT: Millis = 30_000;

export const restartPlayCounts: PlayCounts = { tapeBacktests: 1 };
export const warmUpPlayCounts: PlayCounts = { tapeBacktests: 1 };

export const restart: StrategyCheck = async (subject) => {
  const { shadows, placed } = await shadowsOf(subject, RESTARTS);
  if (shadows.length === 0) return skip('the strategy was never called, so there was nothing to compare');
  if (placed === 0) return { ...skip('it placed no order, so there was nothing to take over'), placed };
  const different = shadows.filter(({ first }) => first !== undefined);
  const lasting = different.filter((shadow) => settledAfter(shadow) === undefined);
  const [one] = lasting.length > 0 ? lasting : different;
  if (one === undefined) return pass(`created anew at ${counted(shadows.length, 'moment')}, it returned the same intents each time`);
  const found = `created anew at ${clockText(one.bornAt)} it returns other intents: ${one.first}`;
  if (lasting.length > 0) {
    const often = `${different.length} of ${shadows.length} restarts differ`;
    return fail(`${found}; ${often}; decide from the view, or keep what must survive in memory`);
  }
  const longest = Math.max(...different.map((shadow) => settledAfter(shadow) ?? 0));
  return warn(`${different.length} of ${shadows.length} restarts return other intents for at most ${spanText(longest, 'h')}; ${found}`);
};

const STARTS = 5;

export const warmUp: StrategyCheck = async (subject) => {
  const { shadows, placed } = await shadowsOf(subject, STARTS);
  if (shadows.length === 0) return skip('the strategy was never called, so there was nothing to compare');
  if (placed === 0) return { ...skip('it placed no order, so there was nothing to compare'), placed };
  const never = shadows.find((shadow) => shadow.last !== undefined && settledAfter(shadow, Number.POSITIVE_INFINITY) === undefined);
  if (never !== undefined) {
    const found = `begun at ${clockText(never.bornAt)}, it still returns other intents ${spanText(never.comparedAt - never.bornAt, 'h')} later: ${never.last?.what}`;
    return warn(`${found}; it remembers what a new instance cannot see`);
  }
  const longest = Math.max(...shadows.map((shadow) => settledAfter(shadow, Number.POSITIVE_INFINITY) ?? 0));
  return pass(
    longest === 0
      ? 'it needs no warm-up: begun later, it returns the same intents from its first turn on'
      : `it needs ${spanText(longest, 'h')} of warm-up`,
  );
};

/** Returns how long a new instance differed from the trading one; undefined if for longer than `max`, or until near the end of the play. */
function settledAfter({ bornAt, last, comparedAt }: Shadow, max: Millis = TRANSIENT): Millis | undefined {
  if (last === undefined) return 0;
  const span = last.at - bornAt;
  const isOver = comparedAt - last.at >= Math.max(5_000, (comparedAt - bornAt) / 4);
  return isOver && span <= max ? span : undefined;
}

export const determinismPlayCounts: PlayCounts = { tapeBacktests: 2 };

/** Checks that the same seed gives the same actions. */
export const determinism: StrategyCheck = async (subject) => {
  const [once, again] = [await playTapes(subject), await playTapes(subject)];
  const { placed } = once;
  const difference = firstDifference(once.acted, again.acted);
  if (difference !== undefined) {
    const { at, one, other } = difference;
    const found = `two runs of one seed differ from ${clockText(at)} on: ${one} and ${other}`;
    return { ...fail(`${found}; use the rng and view.now in place of Math.random and the machine's clock`), placed };
  }
  if (placed === 0) return { ...skip('it placed no order in either of two runs'), placed };
  return { ...pass(`two runs of one seed placed the same ${counted(placed, 'order')}`), placed };
};
