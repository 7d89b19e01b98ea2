// Check: parameters at the ends of their ranges, or far from their defaults, cause no error and no order storm.

import { UserError } from '../../../../base/errors.ts';
import { counted } from '../../../../base/text/phrases.ts';
import type { ParamValue, Range } from '../../../../bot/strategy/contract.ts';
import { resolveParams } from '../../../../bot/strategy/params.ts';
import { OrderCounter } from '../order-counter.ts';
import { playTapes, type Subject } from '../subject.ts';
import { calm } from '../tapes/scenarios.ts';
import { scripted } from '../tapes/scripted.ts';
import { fail, type PlayCounts, pass, type StrategyCheck, thrownText, warn } from '../verdict.ts';

const LAST_SECOND = 30;

export const parametersPlayCounts = (subject: Subject): PlayCounts => ({ shortBacktests: variantsOf(subject).length });

export const parameters: StrategyCheck = async (subject) => {
  const variants = variantsOf(subject);
  const { start, ...market } = scripted(subject, calm, LAST_SECOND);
  let [tried, placed] = [0, 0];
  for (const { name, value } of variants) {
    const at = `${name}=${String(value)}`;
    const counter = new OrderCounter(start);
    try {
      const params = resolveParams(subject.strategy, { ...subject.params, [name]: value }, () => undefined);
      await playTapes(subject, { ...market, params, onTurn: (turn, run) => counter.see(turn, run) });
      tried++;
      placed += counter.placed;
    } catch (thrown) {
      if (thrown instanceof UserError) continue; // refused, which is correct
      const text = thrownText(thrown);
      if (text === undefined) throw thrown;
      return { ...fail(`with ${at}: ${text}`), placed };
    }
    const storm = counter.orderStorm({ marketIsStill: true });
    if (storm !== undefined) return { ...fail(`with ${at}: ${storm}`), placed };
  }
  if (tried === 0) return warn('it has no parameter that could be varied');
  const text = `${counted(tried, 'variant')} of its parameters ran without an error or an order storm; ${variants.length - tried} refused`;
  return placed === 0 ? { ...warn(`${text}; it placed no order with any of them`), placed } : { ...pass(text), placed };
};

/** The parameters with one changed. */
interface Variant {
  readonly name: string;
  readonly value: ParamValue;
}

/** Returns variants with range ends, a tenth and ten times of a number without range, each allowed text, both booleans. Markets are not changed. */
function variantsOf({ strategy, params }: Subject): readonly Variant[] {
  const ranges = (strategy.ranges ?? {}) as Readonly<Record<string, Range | undefined>>;
  return Object.entries(params).flatMap(([name, value]) =>
    /^market$|Markets?$|^markets$/.test(name)
      ? []
      : valuesOf(value, ranges[name])
          .filter((other) => other !== value)
          .map((other) => ({ name, value: other })),
  );
}

function valuesOf(value: ParamValue, range: Range | undefined): readonly ParamValue[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'object') return []; // a list has no end of a range
  if (range !== undefined) return range.filter((end) => typeof end === 'string' || Number.isFinite(end));
  if (typeof value !== 'number') return [];
  const factors = [0.1, 10].map((factor) => value * factor);
  return Number.isInteger(value) ? factors.map((scaled) => Math.round(scaled) || Math.sign(value)) : factors;
}
