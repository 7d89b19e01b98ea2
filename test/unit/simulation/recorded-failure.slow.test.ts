// Recorded failures (regression seeds): none of them fails again, and each can be read back.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { optionsOf } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';
import { play } from '../../../src/research/simulation/play.ts';
import { contentsOf, parseRecordedFailure, recordedFailureOf } from '../../../src/research/simulation/recorded-failure.ts';
import { builtIn } from './subjects.ts';

const FOLDER = join(import.meta.dirname, '../../recorded-failures');
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));

describe('recorded failures pass now', () => {
  test.each([...files, undefined])('%s', async (file) => {
    if (file === undefined) return; // a table must not be empty
    const recorded = parseRecordedFailure(readFileSync(join(FOLDER, file), 'utf8'), file);
    const { violation, timeline } = await play({ ...(await builtIn(recorded.strategy)), ...contentsOf(recorded, optionsOf(recorded)) });
    expect(violation && [violation.invariant, violation.message, ...timeline].join('\n')).toBeUndefined();
  });
});

test('a recorded failure returns the options and the plan that it was made of', () => {
  const options = optionsOf({ seed: '3', profile: 'swarm', strategy: 'grid' });
  const plan = planOf(options);
  const text = JSON.stringify(recordedFailureOf({ invariant: 'V1', message: 'm', at: 1, options, plan, timeline: [] }));
  expect(contentsOf(parseRecordedFailure(text, 'x.json'), options)).toEqual({ options, plan });
});

test.each([['{'], ['{}'], ['{"version":1,"plan":[{"kind":"unheard"}]}']])('%s is not a recorded failure', (text) => {
  expect(() => parseRecordedFailure(text, 'x.json')).toThrow(/not a recorded failure/);
});
