// The options that several commands have, and the settings: options that are keys of the configuration too.
import { z } from 'zod';
import { assert } from '../base/errors.ts';
import { schemaAt, unwrapped, VALUE_WORDS } from '../base/files/amount.ts';
import { type Settings, settingsSchema } from '../bot/run/core/settings.ts';
import { type DeclaredOption, type KeyOf, option, type Read, type ValueOf } from './declared.ts';
import { durationOf, readerOf, strategyNameOf } from './values.ts';

type ValueAt<T, K> = K extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? ValueAt<T[Head], Rest>
    : never
  : K extends keyof T
    ? NonNullable<T[K]>
    : never;
type ElementOf<V> = V extends readonly (infer E)[] ? E : V;

/** An option that is a key of the configuration. */
export interface Setting<F> extends DeclaredOption<F> {
  readonly key: readonly string[];
  /** The default of the key. */
  readonly usual: unknown;
}

/** Declares a setting. Its type, its check and its default are those of the key. */
function setting<const K extends string, const S extends string>(
  key: ValueAt<Settings, K> extends never ? never : K,
  flags: S,
  about: string,
  reader?: Read<string>,
): Setting<{ readonly [Name in KeyOf<S>]?: ValueOf<S, ElementOf<ValueAt<Settings, K>>> }> {
  const path = key.split('.');
  const schema = schemaAt(settingsSchema, path);
  assert(schema !== undefined, `the configuration has no key ${key}`);
  const value = unwrapped(schema);
  const words = VALUE_WORDS.get(value);
  const read = reader ?? (words && readerOf(value, words));
  return { flags, about, read, key: path, usual: z.safeParse(schema, undefined).data };
}

/** Returns the setting with the default of its key, for a command that reads no configuration. */
export const withDefault = <F>(declared: Setting<F>): Setting<Readonly<Required<F>>> => ({
  ...declared,
  preset: declared.usual,
  sets: undefined,
});

/** All settings. A value on the command line overrides that of `--set` and of the file (`configuration.ts`). */
export const SETTINGS = {
  strategy: setting('strategy', '--strategy <name|path>', 'a built-in strategy, or the path of a .ts or .js file', strategyNameOf),
  exchange: setting('exchange', '--exchange <kind>', 'the exchange'),
  poll: setting('polling.orderBookMs', '--poll <ms>', 'interval between polls of the order book (default: as configured)'),
  signals: setting(
    'signals.port',
    '--signals <port>',
    'port on this machine for signals to the strategy, POST /signals/NAME; 0 is any free port',
  ),
  notify: setting(
    'notify.to',
    '--notify <url...>',
    'send alerts to tgram://…, discord://…, slack://…, ntfy://… or a webhook https://…; @FILE is a file with one URL per line',
  ),
  runs: setting('retention.runDays', '--runs <days>', 'age after which an ended run of the embedded exchange is removed'),
  recordings: setting('retention.recordingDays', '--recordings <days>', 'age after which a recording of turns is removed'),
} as const;

export const CONFIG = option('--config <file>', 'parameters and limits (default for a built-in strategy: config/<strategy>.yaml)');
export const SET = option('--set <path=value...>', 'override values of the configuration, as in params.levels=5');
export const JSON_LINES = option('--json', 'one JSON object per line');
export const STATE = option('--state <dir>', 'state directory of the run (default: .bot/<run name>)');
export const START_TIMEOUT = option(
  '--start-timeout <time>',
  'how long a start retries an exchange that does not answer (default: 60s)',
  durationOf,
);
/** How the embedded market moves, in --help. */
export const MARKET_ABOUT =
  'how the embedded market moves: recorded (the default: like recordings of BTC), calm, busy, crash, swinging (ten times as volatile, with trends), or a file of calibrate';
export const MARKET = option('--market <name|file>', MARKET_ABOUT);
