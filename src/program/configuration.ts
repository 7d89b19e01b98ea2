// The configuration that the options of a command give: that of the file, changed by `--set`, by a fleet file and by the settings.
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../base/errors.ts';
import { PACKAGE_FOLDER } from '../base/package.ts';
import { changedAt, type LoadedConfig, loadConfig, type Override } from '../bot/run/core/config.ts';
import { BUILT_IN_STRATEGIES, loadStrategy } from '../bot/strategy/loading/loader.ts';
import { SETTINGS } from './common-options.ts';
import { type FlagsIn, nameOf } from './declared.ts';

type Typed = FlagsIn<readonly (typeof SETTINGS)[keyof typeof SETTINGS][]>;
type SettingFlags = { readonly [Name in keyof Typed]?: Typed[Name] | undefined };

interface ConfigFlags extends SettingFlags {
  readonly config?: string | undefined;
  readonly set?: readonly string[] | undefined;
  /** Values of a fleet file that override the configuration. */
  readonly overrides?: readonly Override[] | undefined;
}

/** Returns the configuration with the settings that were given as options. A value replaces that of its key; a list is put before the list there. */
export function withSettings<C extends object>(config: C, flags: SettingFlags): C {
  const options = new Map<string, unknown>(Object.entries(flags));
  return Object.values(SETTINGS).reduce<C>((changed, setting) => {
    const value = options.get(nameOf(setting));
    if (value === undefined) return changed;
    const change = (before: unknown): unknown => (Array.isArray(value) && Array.isArray(before) ? [...value, ...before] : value);
    return changedAt(changed, setting.key, change) as C;
  }, config);
}

/** Returns the configuration of a run or a backtest. Throws a UserError with the place of anything wrong. */
export function configOf({ config: named, set: sets = [], overrides, ...flags }: ConfigFlags): LoadedConfig {
  const config = withSettings(loadConfig({ file: named ?? defaultFile(flags.strategy), sets, overrides }), flags);
  return flags.exchange === undefined ? config : { ...config, placeOfExchange: undefined };
}

/** Returns the strategy that a configuration names. */
export async function strategyIn({ strategy }: LoadedConfig): ReturnType<typeof loadStrategy> {
  if (strategy !== undefined) return loadStrategy(strategy);
  throw new UserError({
    code: 'strategy',
    message: `no strategy was given; built-in strategies: ${BUILT_IN_STRATEGIES.join(', ')}`,
    hint: 'name one of them, or the file of your own: ./my-strategy.ts',
  });
}

/** Returns the configuration, and the strategy that it names. */
export async function strategyOf(flags: ConfigFlags) {
  const config = configOf(flags);
  return { config, ...(await strategyIn(config)) };
}

/** Returns the configuration file of a built-in strategy, relative to the working directory; undefined if there is none. */
function defaultFile(strategy: string | undefined): string | undefined {
  if (!BUILT_IN_STRATEGIES.some((name) => name === strategy)) return undefined;
  const file = fileURLToPath(new URL(`config/${strategy}.yaml`, PACKAGE_FOLDER));
  return existsSync(file) ? relative('', file) : undefined;
}
