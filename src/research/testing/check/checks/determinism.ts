// Check: the same seed gives the same actions.
import { counted } from '../../../../base/text/phrases.ts';
import { firstDifference, playTapes } from '../subject.ts';
import { clockText, fail, type Plays, pass, type StrategyCheck, skip } from '../verdict.ts';

export const determinismPlays: Plays = { ofTapes: 2 };

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
