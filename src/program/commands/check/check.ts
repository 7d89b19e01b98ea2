// `bot check`: checks whether a strategy is fit to trade; prints one line for each check, with the command that repeats it.
import { type Millis, systemClock } from '../../../base/clock.ts';
import { COMMAND } from '../../../base/package.ts';
import type { RecordedInputs } from '../../../bot/run/inputs/recorded.ts';
import { inputsOf } from '../../../bot/strategy/inputs.ts';
import { resolveParams } from '../../../bot/strategy/params.ts';
import { withTapes } from '../../../embedded/recording/tapes.ts';
import { STAMPS_PER_MILLI } from '../../../embedded/rows/rows.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import { type Checking, runChecks } from '../../../research/testing/check/check.ts';
import { lengthText } from '../../../research/testing/check/length.ts';
import { CHECK_NAMES, type CheckName, type CheckResult } from '../../../research/testing/check/result.ts';
import type { TimedInputs } from '../../../research/testing/check/subject.ts';
import { leadingPart } from '../../../research/testing/memory-tape.ts';
import { commandText } from '../../command-text.ts';
import { strategyOf } from '../../configuration.ts';
import { coverageWords, hasValueIn } from '../../coverage.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { PRESETS } from '../backtest/command.ts';
import { planBacktest, recordedInputsOf } from '../backtest/plan.ts';
import { tapeFilesOf } from '../tapes/tape-files.ts';
import type { CheckFlags } from './command.ts';
import { showChecks } from './show-checks.ts';

/** Returns 1 if a check fails. */
export async function check(strategy: string | undefined, flags: CheckFlags, host: Host): Promise<ExitCode> {
  const began = systemClock.now();
  return withTapes(await tapeFilesOf(flags.tape ?? [], host), async (tapes) => {
    const checking = await planOf(strategy, flags, tapes);
    for (const line of checking.lines ?? []) say(host.stderr, line);
    const { name } = checking.strategy;
    return showChecks<CheckResult>(host, {
      subject: ['strategy', name],
      verdicts: ['pass', 'warn', 'skip', 'fail'],
      flags,
      began,
      lineOf: (result) => lineOf(result, commandOf(strategy, flags, result), flags),
      run: ({ begin, onStart, onResult }) =>
        runChecks({
          ...checking,
          onStart,
          onResult,
          onPlan(length) {
            say(host.stderr, `${name}: ${lengthText(length)}`);
            begin();
          },
        }),
    });
  });
}

async function planOf(
  named: string | undefined,
  { tape, config: file, set, input, only, seed }: CheckFlags,
  tapes: readonly Tape[],
): Promise<Checking & { readonly lines?: readonly string[] }> {
  const given = { strategy: named, config: file, set };
  const selection = { seed, only: only as readonly CheckName[] | undefined };
  if (tapes.length === 0) {
    const { strategy, config } = await strategyOf(withoutUndefined(given));
    const params = resolveParams(strategy, config.params, (key) => config.placeOfParam(key));
    const recorded = recordedInputsOf(withoutUndefined({ input }), inputsOf(strategy, params));
    const first = Math.min(...Object.values(recorded).flatMap(([value]) => (value === undefined ? [] : [value.at])));
    return { strategy, params, config, inputs: timed(recorded, first - FIRST_VALUE_AFTER), ...selection };
  }
  const plan = await planBacktest({ ...withoutUndefined({ ...given, input }), tape: tape ?? [], latency: PRESETS.latency, seed }, tapes);
  const start = Math.min(...tapes.map(({ facts }) => facts.first)) / STAMPS_PER_MILLI;
  const recorded = plan.inputs ?? {};
  const parts = tapes.map(leadingPart);
  const played = { from: start, to: Math.max(...parts.map(({ facts }) => facts.last)) / STAMPS_PER_MILLI };
  const unplayedInputs = Object.keys(recorded).filter((name) => !hasValueIn(recorded[name] ?? [], played));
  const lines = coverageWords(recorded, played);
  return {
    strategy: plan.strategy,
    params: plan.params,
    config: plan,
    inputs: timed(recorded, start),
    tapes: parts,
    unplayedInputs,
    lines,
    ...selection,
  };
}

/** Time from the start of a market to the first recorded value of an input, if there is no tape. */
const FIRST_VALUE_AFTER: Millis = 2_000;

/** Returns the recorded values with their times from `start` on, as the checks play them on markets of their own. */
const timed = (recorded: RecordedInputs, start: Millis): TimedInputs =>
  Object.fromEntries(
    Object.entries(recorded).map(([name, values]) => [name, values.map(({ at, value }) => ({ after: Math.max(0, at - start), value }))]),
  );

const withoutUndefined = <T extends object>(given: T): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as { [Key in keyof T]: Exclude<T[Key], undefined> };

/** Returns the command line that repeats one check. */
function commandOf(strategy: string | undefined, { tape, config, set, input, seed }: CheckFlags, { name }: CheckResult): string {
  const only = CHECK_NAMES.some((known) => known === name) ? name : undefined;
  return commandText(COMMAND, ['check', ...(strategy === undefined ? [] : [strategy])], { tape, config, set, input, only, seed });
}

function lineOf({ name, verdict, reason, seed }: CheckResult, command: string, { json }: CheckFlags): string {
  if (json) return JSON.stringify({ kind: 'check', name, verdict, reason, seed, command });
  return `${verdict.padEnd(4)}  ${name.padEnd(12)} ${reason}; seed ${seed}, again: ${command}`;
}
