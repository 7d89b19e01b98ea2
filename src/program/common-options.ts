// The options that several commands have.
import { option } from './declared.ts';
import { durationOf } from './values.ts';

export const STRATEGY = option('--strategy <name|path>', 'a built-in strategy, or the path of a .ts or .js file');
export const CONFIG = option('--config <file>', 'parameters and limits (default for a built-in strategy: config/<strategy>.yaml)');
export const SET = option('--set <path=value...>', 'override values of the configuration, as in params.levels=5');
export const JSON_LINES = option('--json', 'one JSON object per line');
export const STATE = option('--state <dir>', 'state directory of the run (default: .bot/<run name>)');
export const START_TIMEOUT = option(
  '--start-timeout <time>',
  'how long a start retries an exchange that does not answer (default: 60s)',
  durationOf,
);
export const NOTIFY = option(
  '--notify <url...>',
  'send alerts to tgram://…, discord://…, slack://…, ntfy://… or a webhook https://…; @FILE is a file with one URL per line',
);

/** How the embedded market moves, in --help. */
export const MARKET_ABOUT =
  'how the embedded market moves: recorded (the default: like recordings of BTC), calm, busy, crash, swinging (ten times as volatile, with trends), or a file of calibrate';
export const MARKET = option('--market <name|file>', MARKET_ABOUT);
