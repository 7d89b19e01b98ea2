// Converts a fleet file to the plans of its runs. Checks everything that needs no network, for all runs, before anything is opened.
import type { Clock, Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { withSettings } from '../../configuration.ts';
import type { Read } from '../../declared.ts';
import { type FleetFile, type FleetRun, loadFleet } from '../../fleet/file.ts';
import { SharedLimit } from '../../fleet/shared-limit.ts';
import type { Host } from '../../host.ts';
import { accountIdOf, depositOf, exchangeNameOf, feesOf } from '../../values.ts';
import { isSimulated } from '../../venues.ts';
import { planRun, type RunFlags, type RunPlan, watchdogAlerts } from '../run/plan.ts';
import type { FleetFlags } from './command.ts';

export interface PlannedRun {
  /** The run's name in the fleet file. */
  readonly name: string;
  readonly plan: RunPlan;
}

export interface FleetPlan {
  readonly file: FleetFile;
  readonly runs: readonly PlannedRun[];
}

interface Planning {
  readonly clock: Clock;
  readonly host: Host;
  /** Runs work in the context of a run, so that errors of its strategy, such as in timers, are attributed to it. */
  readonly within?: ((run: string, work: () => Promise<RunPlan>) => Promise<RunPlan>) | undefined;
}

/** Throws a UserError with file, line and column for wrong input, and a `StrategyError` if a strategy cannot be created. */
export async function planFleet(
  path: string,
  flags: FleetFlags,
  { clock, host, within = (_, work) => work() }: Planning,
): Promise<FleetPlan> {
  const file = withSettings(loadFleet(path), { notify: flags.notify });
  requireLive(file, flags);
  const runs: PlannedRun[] = [];
  const maxNotional = file.limits['gross-notional']?.maxNotional;
  const shared = maxNotional === undefined ? undefined : new SharedLimit(maxNotional);
  const addresses = watchdogAlerts(file.notify);
  for (const run of file.runs) {
    const plan = await withPlaceOfRun(run, () =>
      within(run.name, () => planRun(flagsOf(run, { fleet: file.name, flags, venues: host.venues }), clock, host)),
    );
    const alerts = addresses.urls.length > 0 ? addresses : plan.watchdogAlerts;
    runs.push({ name: run.name, plan: { ...plan, watchdogAlerts: alerts, allowance: shared?.add(run.name) } });
  }
  requireOwnAccounts(file, runs);
  return { file, runs };
}

/** Throws a UserError if a run is live but the option --live is missing: a file alone must never start trading real money. */
function requireLive({ runs }: FleetFile, { live }: FleetFlags): void {
  const real = runs.filter(({ options }) => options.live === true);
  if (real.length === 0 || live === true) return;
  const message = `${real.map(({ name }) => name).join(', ')} of this fleet would trade real money, and --live is missing`;
  throw new UserError({
    code: 'use',
    message,
    place: real[0]?.placeOf('live'),
    hint: 'add --live to the command, or paper: true to the run',
  });
}

interface FlagsContext {
  readonly fleet: string;
  readonly flags: FleetFlags;
  readonly venues: Host['venues'];
}

function flagsOf(run: FleetRun, { fleet, flags, venues }: FlagsContext): RunFlags {
  const { options, overrides, name } = run;
  const value = <T>(option: keyof typeof options, read: Read<T>): T | undefined => {
    const text = options[option];
    return typeof text === 'string' ? withPlaceOfRun({ ...run, place: run.placeOf(option) }, () => read(text, option)) : undefined;
  };
  const { strategy, url, key, latency, queue, market, config, seed, paper, live, foreign } = options;
  const [account, deposit, fees] = [value('account', accountIdOf), value('deposit', depositOf), value('fees', feesOf)];
  const exchange = value('exchange', exchangeNameOf(venues.names));
  return {
    name: `${fleet}-${name}`,
    home: flags.state,
    strategy,
    ...(exchange !== undefined && { exchange }),
    ...(url !== undefined && { url }),
    ...(key !== undefined && { key }),
    ...(account !== undefined && { account }),
    ...(paper === true && { paper }),
    ...(live === true && { live }),
    ...(latency !== undefined && { latency }),
    ...(queue !== undefined && { queue }),
    ...(deposit !== undefined && { deposit }),
    ...(fees !== undefined && { fees }),
    ...(market !== undefined && { market }),
    ...(foreign === 'adopt' && { adopt: true }),
    ...(foreign === 'cancel' && { cancelForeign: true }),
    ...(foreign === 'ignore' && { ignoreForeign: true }),
    ...(config !== undefined && { config }),
    ...(seed !== undefined && { seed }),
    ...timesOf(flags),
    overrides,
    schema: options.schema ?? 'bundled',
    ...(flags.json && { json: true }),
  };
}

const timesOf = ({ for: span, startTimeout }: FleetFlags): { readonly for?: Millis; readonly startTimeout?: Millis } => ({
  ...(span !== undefined && { for: span }),
  ...(startTimeout !== undefined && { startTimeout }),
});

/** Adds the run's place in the file to an error without a place. */
function withPlaceOfRun<T>(run: Pick<FleetRun, 'name' | 'place' | 'placeOf'>, work: () => T): T {
  const withPlace = (thrown: unknown): unknown => {
    if (!(thrown instanceof UserError) || /^\S+:\d+:\d+: /.test(thrown.message)) return thrown;
    const { code, message, hint } = thrown;
    return new UserError({
      code,
      message: `run ${run.name}: ${message}`,
      hint,
      place: (code === 'venue' ? run.placeOf('exchange') : undefined) ?? run.place,
    });
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    return result.catch((thrown: unknown) => {
      throw withPlace(thrown);
    }) as T;
  } catch (thrown) {
    throw withPlace(thrown);
  }
}

/** Throws a UserError if two runs would use the same account. */
function requireOwnAccounts({ runs: fileRuns }: FleetFile, runs: readonly PlannedRun[]): void {
  const seen = new Map<string, string>();
  for (const { name, plan } of runs) {
    const account = accountOf(plan);
    if (account === undefined) continue;
    const other = seen.get(account);
    if (other === undefined) {
      seen.set(account, name);
      continue;
    }
    throw new UserError({
      code: 'use',
      message: `${name} and ${other} would trade one account`,
      place: fileRuns.find((run) => run.name === name)?.place,
      hint: 'give each run an account: of its own key, or account: N of the same key',
    });
  }
}

/** Identifies the account: exchange, user and account; undefined if it is simulated. */
const accountOf = ({ venue: { kind, holder } }: RunPlan): string | undefined => (isSimulated(kind) ? undefined : JSON.stringify(holder));
