// Returns the command line that repeats one row of a sweep.
import { PROGRAM } from '../../../base/package.ts';
import { moneyText } from '../../../bot/accounting/lines.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import type { JobFlags } from './plan.ts';

type Texts = { readonly [K in keyof Required<JobFlags>]: (value: NonNullable<JobFlags[K]>) => readonly string[] };

const PPM_PER_POINT = 100;

/** Formats each option. The type requires an entry for every option of `bot backtest`. */
const TEXTS: Texts = {
  strategy: (name) => ['--strategy', name],
  tape: (files) => files.flatMap((file) => ['--tape', file]),
  input: (texts) => texts.flatMap((text) => ['--input', text]),
  latency: (text) => ['--latency', text],
  poll: (ms) => ['--poll', String(ms)],
  queue: (text) => ['--queue', text],
  deposit: (amount) => ['--deposit', moneyText(micros(amount))],
  fees: ({ makerPpm, takerPpm }) => ['--fees', `${makerPpm / PPM_PER_POINT},${takerPpm / PPM_PER_POINT}`],
  config: (file) => ['--config', file],
  set: (texts) => texts.flatMap((text) => ['--set', text]),
  from: (time) => ['--from', new Date(time).toISOString()],
  to: (time) => ['--to', new Date(time).toISOString()],
  seed: (text) => ['--seed', text],
};

/** The defaults of `bot backtest`; an option with this value is omitted. */
const DEFAULTS: Readonly<Partial<Record<keyof JobFlags, string>>> = { latency: '20', seed: 'backtest' };

/** `program`: how the program is started. */
export function commandOf(flags: JobFlags, program: string = PROGRAM): string {
  const words = (Object.keys(TEXTS) as readonly (keyof JobFlags)[]).flatMap((name) => optionOf(name, flags));
  return [program, 'backtest', ...words.map(quoted)].join(' ');
}

function optionOf(name: keyof JobFlags, flags: JobFlags): readonly string[] {
  const value = flags[name];
  if (value === undefined || value === DEFAULTS[name]) return [];
  return (TEXTS[name] as (given: typeof value) => readonly string[])(value);
}

/** Quotes a word for a shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
