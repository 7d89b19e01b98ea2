// What a run will be, from what was typed: everything that can be checked without a network is checked here.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock, Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { rngFrom } from '../../base/rng.ts';
import type { AccountId } from '../../domain/ids.ts';
import { type LoadedConfig, loadConfig } from '../../run/config.ts';
import type { Params } from '../../strategy/contract.ts';
import { BUILT_IN_STRATEGIES, loadStrategy } from '../../strategy/loader.ts';
import { resolveParams } from '../../strategy/params.ts';
import { randomSeed } from '../values.ts';
import { type Created, create } from './run-strategy.ts';
import { checkHosted, type Hosted } from './run-venue.ts';

export interface RunFlags {
  readonly strategy?: string | undefined;
  readonly exchange: string;
  readonly url?: string;
  readonly account?: AccountId;
  readonly key?: string;
  readonly paper?: true;
  readonly live?: true;
  readonly config?: string;
  readonly set: readonly string[];
  readonly for?: Millis;
  readonly seed?: string;
  readonly state?: string;
  readonly schema: string;
  readonly json?: true;
}

export interface RunPlan {
  readonly name: { readonly run: string; readonly strategy: string; readonly exchange: string };
  /** Undefined for the embedded exchange. */
  readonly hosted: Hosted | undefined;
  readonly config: LoadedConfig;
  readonly params: Params;
  readonly decider: Created;
  /** Symbols. */
  readonly markets: readonly string[];
  readonly seed: string;
  /** Of the state. */
  readonly directory: string;
  /** Of the start, for names of files. */
  readonly stamp: string;
}

/** Throws a `UserError` for whatever is wrong with it, and a `StrategyError` where the strategy cannot even be created. */
export async function planRun(flags: RunFlags, clock: Clock): Promise<RunPlan> {
  const hosted = checkHosted(flags);
  const { strategy, config } = await strategyOf(flags);
  const params = resolveParams(strategy, config.params, config.placeOfParam);
  const seed = flags.seed ?? randomSeed();
  const stamp = new Date(clock.now()).toISOString().replace(/[-:.]/g, '');
  const parts = [strategy.name.replace(/[^\w-]+/g, '-'), flags.exchange, hosted === undefined ? stamp : hosted.accountId];
  const run = parts.filter((part) => part !== undefined).join('-');
  return {
    name: { run, strategy: strategy.name, exchange: flags.exchange },
    hosted,
    config,
    params,
    decider: create(strategy, params, rngFrom(seed).fork('strategy')),
    markets: marketsIn(params, strategy.name),
    seed,
    directory: flags.state ?? join('.bot', run),
    stamp,
  };
}

/** The one that was named, or the one that the configuration names. */
async function strategyOf({ strategy: named, config: file, set: sets }: RunFlags) {
  if (named === undefined) {
    const config = loadConfig({ file, sets });
    if (config.strategy === undefined) throw noStrategy();
    return { config, ...(await loadStrategy(config.strategy)) };
  }
  const loaded = await loadStrategy(named);
  return { config: loadConfig({ file: file ?? defaultConfig(loaded.path === undefined ? named : undefined), sets }), ...loaded };
}

const noStrategy = (): UserError =>
  new UserError({
    code: 'strategy',
    message: `no strategy was named; there are ${BUILT_IN_STRATEGIES.join(', ')}, and files of your own`,
    hint: 'type: npm run bot -- --strategy grid',
  });

const CONFIG_FOLDER = new URL('../../../config/', import.meta.url);

/** As a person would write it who stands where the command was typed. */
function defaultConfig(builtIn: string | undefined): string | undefined {
  if (builtIn === undefined) return undefined;
  const file = fileURLToPath(new URL(`${builtIn}.yaml`, CONFIG_FOLDER));
  return existsSync(file) ? relative('', file) : undefined;
}

/** A strategy trades where its parameters say: `market`, and any other text whose name ends in `Market`. */
function marketsIn(params: Params, strategy: string): readonly string[] {
  const named = Object.entries(params).flatMap(([key, value]) => (/^market$|Market$/.test(key) && typeof value === 'string' ? [value] : []));
  if (named.length > 0) return [...new Set(named)];
  throw new UserError({
    code: 'strategy',
    message: `the strategy ${strategy} has no parameter that names a market`,
    hint: "give its defaults a `market: 'BTCUSDC'`; further ones may be called hedgeMarket or the like",
  });
}
