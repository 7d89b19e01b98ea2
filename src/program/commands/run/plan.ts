// Converts the options of a run to a plan, and checks everything that needs no network.

import { join, resolve } from 'node:path';
import type { Clock, Millis } from '../../../base/clock.ts';
import { type Place, UserError } from '../../../base/errors.ts';
import { packageVersion } from '../../../base/package.ts';
import { rngFrom } from '../../../base/rng.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { LoadedConfig, Override } from '../../../bot/run/core/config.ts';
import type { SignalSettings } from '../../../bot/run/inputs/open.ts';
import type { ForeignOrdersPolicy } from '../../../bot/run/state/entries.ts';
import type { Origin } from '../../../bot/run/state/turn-recording.ts';
import type { Params } from '../../../bot/strategy/contract.ts';
import { createdDecider } from '../../../bot/strategy/decide.ts';
import { type Inputs, inputsOf } from '../../../bot/strategy/inputs.ts';
import { strategyHash } from '../../../bot/strategy/loading/source-hash.ts';
import { marketsNamedIn } from '../../../bot/strategy/markets.ts';
import { resolveParams } from '../../../bot/strategy/params.ts';
import { namesModule } from '../../../venues/kind/modules/load-venue.ts';
import type { VenuePlan } from '../../../venues/kind/venue-kind.ts';
import { configOf, strategyIn } from '../../configuration.ts';
import type { FlagsOf } from '../../declared.ts';
import type { SharedAllowance } from '../../fleet/shared-limit.ts';
import type { Host } from '../../host.ts';
import { DEFAULT_RUNS_FOLDER } from '../../known-runs.ts';
import { type AlertAddresses, addressesOf, targetsOf } from '../../monitoring/alerts/addresses.ts';
import type { AlertTarget } from '../../monitoring/alerts/targets.ts';
import { hasServiceManager } from '../../monitoring/service-manager.ts';
import type { ShownFacts } from '../../output/presenter.ts';
import { passphraseAt } from '../../terminal/passphrase.ts';
import { randomSeed } from '../../values.ts';
import { isSimulated, type Venues } from '../../venues.ts';
import type { runCommand } from './command.ts';

/** The part of the host that a plan needs. */
export type PlanHost = Pick<Host, 'stdin' | 'stderr' | 'env' | 'venues'>;

type TypedFlags = FlagsOf<ReturnType<typeof runCommand>>;

/** The options of a run, from its command line or from a fleet file. */
export interface RunFlags extends Omit<TypedFlags, 'strategy' | 'watchdog'>, Pick<Partial<TypedFlags>, 'watchdog'> {
  /** First part of the run's name; default: the name of the strategy. */
  readonly name?: string | undefined;
  readonly strategy?: string | undefined;
  /** Values of a fleet file that override the configuration. */
  readonly overrides?: readonly Override[];
  /** The folder in which the state directory gets its default name; default .bot. */
  readonly home?: string | undefined;
}

export interface RunPlan {
  readonly facts: ShownFacts;
  readonly json: boolean;
  readonly venue: VenuePlan;
  readonly config: LoadedConfig;
  readonly params: Params;
  readonly origin: Origin;
  readonly decider: ReturnType<typeof createdDecider>;
  /** The strategy's file, if it is to be reloaded when it changes. */
  readonly reloadedFile: string | undefined;
  readonly inputs: Inputs;
  /** Undefined if no port is given. */
  readonly signals: SignalSettings | undefined;
  /** The web page of the run; undefined if none is wanted. */
  readonly page: { readonly port: number; readonly control: boolean } | undefined;
  /** The listener for Prometheus; undefined if none is wanted. */
  readonly metrics: { readonly port: number } | undefined;
  /** Targets of alerts. */
  readonly notify: readonly AlertTarget[];
  /** Time of the start, for file names. */
  readonly stamp: string;
  /** True if it trades real money. */
  readonly live: boolean;
  /** Duration of the run; undefined: until it is stopped. */
  readonly spanMs: Millis | undefined;
  /** Maximum time to retry an exchange that does not answer at the start; undefined: the default. */
  readonly startTimeoutMs: Millis | undefined;
  /** True if the run gets a watchdog. */
  readonly hasWatchdog: boolean;
  /** Addresses for alerts of the watchdog. */
  readonly watchdogAlerts: AlertAddresses;
  /** How to treat resting orders in the run's markets that are not in its state. */
  readonly foreign: ForeignOrdersPolicy;
  /** The run's part of a limit over all runs of its fleet. */
  readonly allowance?: SharedAllowance | undefined;
}

/** Throws a `UserError` for wrong input, and a `StrategyError` if the strategy cannot be created. */
export async function planRun(flags: RunFlags, clock: Clock, host: PlanHost): Promise<RunPlan> {
  const config = configOf(flags);
  const exchange = exchangeOf(config, host.venues);
  requireWatchable({ ...flags, exchange }, host.venues);
  const venue = await atPlace(config.placeOfExchange, () =>
    host.venues.plan({ ...flags, exchange }, { passphrase: () => passphraseAt(host) }),
  );
  const { strategy, path } = await strategyIn(config);
  const params = resolveParams(strategy, config.params, (key) => config.placeOfParam(key));
  const inputs = inputsOf(strategy, params);
  const seed = flags.seed ?? randomSeed();
  const stamp = new Date(clock.now()).toISOString().replace(/[-:.]/g, '');
  const run = runName(flags.name ?? strategy.name, venue, stamp);
  const markets = marketsNamedIn(params, strategy.name);
  return {
    facts: {
      run,
      strategy: strategy.name,
      exchange: host.venues.named(exchange)?.name ?? venue.runName[0] ?? exchange,
      ...(flags.paper && { paper: true as const }),
      seed,
      state: flags.state ?? join(flags.home ?? DEFAULT_RUNS_FOLDER, run),
      markets,
    },
    json: flags.json === true,
    venue,
    config,
    params,
    origin: originOf(strategy.name, path, config),
    decider: createdDecider(strategy, params, rngFrom(seed).fork('strategy')), // created now, so that it can refuse its parameters before anything is opened
    reloadedFile: flags.watch === true ? fileOf(path) : undefined,
    inputs,
    signals: signalsOf(config, inputs),
    page: pageOptionsOf(flags),
    metrics: flags.metrics === undefined ? undefined : { port: flags.metrics === true ? 0 : flags.metrics },
    notify: targetsOf(config.notify),
    stamp,
    live: flags.live === true,
    spanMs: flags.for,
    startTimeoutMs: flags.startTimeout,
    foreign: foreignOf(flags),
    hasWatchdog: !isSimulated(venue.kind) && flags.watchdog !== false,
    watchdogAlerts: watchdogAlerts(config.notify),
  };
}

const originOf = (name: string, path: string | undefined, { polling }: LoadedConfig): Origin => ({
  tickwright: packageVersion(),
  file: path && resolve(path),
  code: strategyHash({ name, path }),
  polling,
});

/** Throws a UserError for a real exchange: saving a file must never change the code that trades real money. */
function requireWatchable({ watch, live, exchange }: RunFlags & { readonly exchange: string }, venues: Venues): void {
  const kind = venues.named(exchange);
  if (watch !== true || (live !== true && kind !== undefined && isSimulated(kind))) return;
  const message = '--watch is for the embedded exchange alone';
  throw new UserError({ code: 'use', message, hint: 'leave out --watch, and restart the run after a change of the strategy' });
}

function fileOf(path: string | undefined): string {
  if (path !== undefined) return path;
  throw new UserError({ code: 'use', message: '--watch needs a strategy of your own', hint: 'give the path of its file to --strategy' });
}

/** True if the run has a monitor: a page, metrics, alerts, systemd. */
export const isMonitored = ({ page, metrics, notify }: RunPlan, { env }: Pick<Host, 'env'>): boolean =>
  page !== undefined || metrics !== undefined || notify.length > 0 || hasServiceManager(env);

const NO_ADDRESSES: AlertAddresses = { urls: [] };

/** Returns the addresses for alarms; none if they are disabled. Throws a UserError for a file that cannot be used. */
export const watchdogAlerts = (settings: LoadedConfig['notify']): AlertAddresses =>
  settings.kinds.includes('alarm') ? addressesOf(settings) : NO_ADDRESSES;

/** Returns the settings of the page for `run` and `fleet`; undefined without --ui. Throws a UserError for --ui-control without --ui. */
export function pageOptionsOf({ ui, uiControl }: Pick<RunFlags, 'ui' | 'uiControl'>): RunPlan['page'] {
  if (ui !== undefined) return { port: ui === true ? 0 : ui, control: uiControl === true };
  if (uiControl === undefined) return undefined;
  throw new UserError({ code: 'use', message: '--ui-control needs --ui', hint: 'add --ui' });
}

/** Returns undefined without a port; throws a UserError in this case if the strategy takes signals. */
function signalsOf({ signals }: LoadedConfig, inputs: Inputs): SignalSettings | undefined {
  const { port } = signals;
  if (port !== undefined) return { ...signals, port };
  const names = Object.keys(inputs).filter((name) => inputs[name]?.kind === 'webhook');
  if (names.length === 0) return undefined;
  throw new UserError({
    code: 'use',
    message: `the strategy takes signals (${names.join(', ')}), and no port is given for them`,
    hint: 'add --signals PORT, with 0 for a free port, or signals: { port: … } in the configuration',
  });
}

/** Throws a UserError if more than one of the options is given. */
function foreignOf({ adopt, cancelForeign, ignoreForeign, paper }: RunFlags): ForeignOrdersPolicy {
  const given = ([adopt && 'adopt', cancelForeign && 'cancel', ignoreForeign && 'ignore'] as const).filter((one) => one !== undefined);
  if (paper && given.length > 0) {
    const message = `--paper does not take --${given[0] === 'adopt' ? 'adopt' : `${given[0]}-foreign`}`;
    throw new UserError({ code: 'use', message, hint: 'the account of a paper run is simulated and has no orders of others' });
  }
  if (given.length <= 1) return given[0] ?? 'refuse';
  throw new UserError({
    code: 'use',
    message: '--adopt, --cancel-foreign and --ignore-foreign exclude each other',
    hint: 'give one of them',
  });
}

/**
 * Returns the name of a run. With an embedded exchange, which ends with the run, the name contains the start time; any other run continues under its
 * name.
 */
const runName = (first: string, { runName: parts, kind }: VenuePlan, stamp: string): string =>
  [first.replace(/[^\w-]+/g, '-'), ...parts, ...(kind.outlivesRun ? [] : [stamp])].join('-');

/**
 * Returns the exchange of the configuration, or the default. A path is relative to the working directory, as that of a strategy. Throws a UserError with
 * the place of a name that is not known.
 */
export function exchangeOf({ exchange, placeOfExchange: place }: LoadedConfig, venues: Venues): string {
  if (exchange === undefined) return venues.defaultKind.name;
  if (venues.named(exchange)?.plan !== undefined || namesModule(exchange)) return exchange;
  const message = `exchange "${exchange}" is neither one of ${venues.names.join(', ')}, nor a path, nor an installed package`;
  throw new UserError({ code: 'venue', message, hint: suggestion(exchange, venues.names, 'write one of these'), place });
}

/** Adds the place in the configuration to an error of the exchange that it names. */
async function atPlace<T>(place: Place | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (place === undefined || !(error instanceof UserError) || error.code !== 'venue') throw error;
    throw new UserError({ code: error.code, message: error.message, hint: error.hint, place });
  }
}
