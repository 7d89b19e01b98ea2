// Converts a fleet file to the plans of its runs. Checks everything that needs no network, for all runs, before anything is opened.
import type { Clock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { withSettings } from '../../configuration.ts';
import { type DeclaredOption, nameOf } from '../../declared.ts';
import { type FleetFile, type FleetRun, loadFleet, type RunKey } from '../../fleet/file.ts';
import { SharedLimit } from '../../fleet/shared-limit.ts';
import type { Host } from '../../host.ts';
import { isSimulated } from '../../venues.ts';
import { runCommand } from '../run/command.ts';
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
  /** Calls `work` as part of a run, so that errors of its strategy, also those in timers, are attributed to that run. */
  readonly within?: ((run: string, work: () => Promise<RunPlan>) => Promise<RunPlan>) | undefined;
}

/** Throws a UserError with file, line and column for wrong input, and a `StrategyError` if a strategy cannot be created. */
export async function planFleet(
  path: string,
  flags: FleetFlags,
  { clock, host, within = (_, work) => work() }: Planning,
): Promise<FleetPlan> {
  const file = withSettings(loadFleet(path, runKeysOf(host)), { notify: flags.notify });
  requireLive(file, flags);
  const runs: PlannedRun[] = [];
  const maxNotional = file.limits['gross-notional']?.maxNotional;
  const shared = maxNotional === undefined ? undefined : new SharedLimit(maxNotional);
  const addresses = watchdogAlerts(file.notify);
  for (const run of file.runs) {
    const plan = await withPlaceOfRun(run, () =>
      within(run.name, () => planRun(flagsOf(run, { fleet: file.name, flags, options: fleetOptions(host) }), clock, host)),
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

/** Returns the options of `bot run` that a fleet file may give to a run. */
const fleetOptions = (host: Host): readonly DeclaredOption[] =>
  runCommand(host).options?.filter((declared: DeclaredOption) => declared.fleet !== undefined) ?? [];

const keyOf = (declared: DeclaredOption): string => declared.fleet?.key ?? nameOf(declared);

/**
 * Returns the keys of a run in a fleet file. A key takes one of fixed values if options without a value share it (`FleetKey.value`), a text if its option
 * takes one, otherwise true or false.
 */
export function runKeysOf(host: Host): readonly RunKey[] {
  const options = fleetOptions(host);
  return [...new Set(options.map(keyOf))].map((key) => {
    const own = options.filter((declared) => keyOf(declared) === key);
    const values = own.flatMap(({ fleet }) => fleet?.value ?? []);
    const { flags, fleet } = own[0]!;
    return { key, takes: values.length > 0 ? values : flags.includes('<') ? 'text' : 'flag', isFile: fleet?.isFile };
  });
}

/** Returns the options of one run: those that the file gives to it, and those of `bot fleet` that are for all runs. */
function flagsOf(
  run: FleetRun,
  { fleet, flags, options }: { fleet: string; flags: FleetFlags; options: readonly DeclaredOption[] },
): RunFlags {
  const { for: span, startTimeout, json, state: home } = flags;
  const fromFile = Object.fromEntries(options.map((declared) => [nameOf(declared), valueOf(declared, run)]));
  const { name, overrides } = run;
  return { ...fromFile, name: `${fleet}-${name}`, home, for: span, startTimeout, overrides, json } as RunFlags;
}

/** Returns the value of an option: that of its key in the file, read as on a command line, or the default. */
function valueOf(declared: DeclaredOption, run: FleetRun): unknown {
  const { fleet, preset, read } = declared;
  const key = keyOf(declared);
  const written = run.options[key];
  if (fleet?.value !== undefined) return written === fleet.value || undefined; // one of several options with this key: true if the file names it
  if (typeof written !== 'string') return written === true || preset; // a flag, or not in the file
  return read === undefined ? written : withPlaceOfRun({ ...run, place: run.placeOf(key) }, () => read(written, key));
}

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
  const runOfAccount = new Map<string, string>();
  for (const { name, plan } of runs) {
    const account = accountOf(plan);
    if (account === undefined) continue;
    const other = runOfAccount.get(account);
    if (other === undefined) {
      runOfAccount.set(account, name);
      continue;
    }
    throw new UserError({
      code: 'use',
      message: `${name} and ${other} would trade one account`,
      place: fileRuns.find((run) => run.name === name)?.place,
      hint: 'give each run its own key, or another account of the same key (account: N)',
    });
  }
}

/** Returns a text that identifies the account of a run: exchange, user and account; undefined if it is simulated. */
const accountOf = ({ venue: { kind, holder } }: RunPlan): string | undefined => (isSimulated(kind) ? undefined : JSON.stringify(holder));
