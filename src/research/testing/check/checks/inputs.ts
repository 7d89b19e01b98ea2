// Check: an input that has no value, fails, is late, or has an invalid value causes no error and no order storm.

import type { Millis } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import { counted } from '../../../../base/text/phrases.ts';
import { type Input, inputsOf } from '../../../../bot/strategy/inputs.ts';
import { OrderCounter } from '../order-counter.ts';
import { playTapes, type Subject, type TimedInputs, type TimedValue } from '../subject.ts';
import { calm } from '../tapes/scenarios.ts';
import { scripted } from '../tapes/scripted.ts';
import { fail, type PlayCounts, pass, type StrategyCheck, thrownText, warn } from '../verdict.ts';

const LAST_SECOND = 60;
/** Arrival time of the value under test. */
const COMES: Millis = 15_000;
const LATE: Millis = 3_600_000;
/** Values that no strategy expects. */
const GARBAGE: readonly unknown[] = [null, 'garbage', '', -1e12, 0, true, [], {}, { garbage: null }];

export const inputsPlayCounts = (subject: Subject): PlayCounts => ({ shortBacktests: allCasesOf(subject).length });

export const inputs: StrategyCheck = async (subject) => {
  const declared = Object.entries(inputsOf(subject.strategy, subject.params));
  if (declared.length === 0) return pass('it declares no inputs');
  const { start, ...market } = scripted(subject, calm, LAST_SECOND);
  const cases = allCasesOf(subject);
  let placed = 0;
  for (const { text, name, values } of cases) {
    const counter = new OrderCounter(start);
    const changed: TimedInputs = { ...subject.inputs, [name]: values };
    try {
      await playTapes(subject, { ...market, inputs: changed, onTurn: (turn, run) => counter.see(turn, run) });
    } catch (thrown) {
      const found = thrownText(thrown);
      if (found === undefined) throw thrown;
      return { ...fail(`${text}: ${found}; look at the type of a value before you use it, or refuse it in parse`), placed };
    }
    const storm = counter.orderStorm({ marketIsStill: false });
    if (storm !== undefined) return { ...fail(`${text}: ${storm}`), placed };
    placed += counter.placed;
  }
  const text = `${counted(declared.length, 'input')} in ${counted(cases.length, 'case')}: no value, late, failing, wrong values; no error and no order storm`;
  const unknown = declared.map(([name]) => name).filter((name) => (subject.inputs[name] ?? []).length === 0);
  if (unknown.length > 0) return { ...warn(`${text}; no usual value of ${unknown.join(', ')} was given`), placed };
  return { ...pass(text), placed };
};

interface Case {
  /** Describes the fault. */
  readonly text: string;
  readonly name: string;
  readonly values: readonly TimedValue[];
}

const allCasesOf = ({ strategy, params, inputs }: Subject): readonly Case[] =>
  Object.entries(inputsOf(strategy, params)).flatMap(([name, input]) => casesOf(name, input, inputs[name] ?? []));

function casesOf(name: string, input: Input, usual: Subject['inputs'][string]): readonly Case[] {
  const failing: TimedValue = { after: COMES, value: undefined, failure: 'it fails in this check' };
  const again = usual.map((value) => ({ ...value, after: value.after + COMES + 20_000 }));
  const before = usual.filter(({ after }) => after < COMES);
  return [
    { text: `the input ${name} has no value`, name, values: [] },
    { text: `the input ${name} is late`, name, values: usual.map((value) => ({ ...value, ageMs: LATE })) },
    { text: `the input ${name} fails and comes back`, name, values: [...before, failing, ...again] },
    ...[...GARBAGE, ...damaged(usual)].map((value) => ({
      text: `the input ${name} is ${JSON.stringify(value)}`,
      name,
      values: [...before, sent(value, input)],
    })),
  ];
}

/** Returns copies of the first usual value that is an object, each with one member replaced by an invalid value. */
function damaged(usual: readonly TimedValue[]): readonly unknown[] {
  const [one] = usual.flatMap(({ value }) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : []));
  return one === undefined ? [] : Object.keys(one).flatMap((key) => [null, 'garbage', -1e12].map((wrong) => ({ ...one, [key]: wrong })));
}

/** Passes a value of a URL or a file through `parse`, which may throw. */
function sent(value: unknown, input: Input): TimedValue {
  if (input.kind !== 'poll' && input.kind !== 'file') return { after: COMES, value };
  try {
    return { after: COMES, value: input.parse(JSON.stringify(value)) };
  } catch (error) {
    return { after: COMES, value: undefined, failure: messageOf(error) };
  }
}
