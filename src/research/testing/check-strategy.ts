// The checks of a strategy as a function for tests. Its types refer to no internal types.
import { UserError } from '../../base/errors.ts';
import { durationIn } from '../../base/text/duration.ts';
import { loadConfig } from '../../bot/run/core/config.ts';
import type { Params, Strategy } from '../../bot/strategy/contract.ts';
import { resolveParams } from '../../bot/strategy/params.ts';
import { runChecks } from './check/check.ts';
import type { CheckOptions, CheckResult, InputValue } from './check/result.ts';

/** Checks a strategy. Resolves with one verdict for each check; throws a UserError for wrong options. */
export function check<P extends Params>(strategy: Strategy<P>, options: CheckOptions = {}): Promise<readonly CheckResult[]> {
  const { params: changed = {}, limits = {}, inputs = {}, only, seed = 'check' } = options;
  const given = strategy as unknown as Strategy<Params>;
  const sets = Object.entries(limits).map(([guard, value]) => `limits.${guard}=${JSON.stringify(value)}`);
  const config = loadConfig({ file: undefined, sets });
  const params = resolveParams(given, changed, () => undefined);
  const timed = Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, values.map(timedValue)]));
  return runChecks({ strategy: given, params, config, seed, only, inputs: timed });
}

function timedValue({ after, value }: InputValue) {
  const span = durationIn(after);
  if (span !== undefined) return { after: span, value };
  throw new UserError({ code: 'check', message: `after: "${after}" is not a time`, hint: 'write for example 30s, 10m or 2h' });
}
