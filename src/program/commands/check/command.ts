// The options of `bot check`.
import { CONFIG, JSON_LINES, SET } from '../../common-options.ts';
import { argument, asText, defineCommand, type FlagsOf, option } from '../../declared.ts';

const CHECK_NOTES = `
determinism: the same seed gives the same actions. restart: a new instance returns the same intents for the same view. warm-up: how long a new
instance needs until it does. look-ahead: later data does not change earlier decisions. parameters: no error at a tenth and at ten times of each, within its range.
inputs: no error if an input fails, is late or has a wrong value. markets: gaps, a crash, a spike, one-sided and thin books, stuck data, funding, maintenance.
random-walk: no profit on random walks, where a profit would mean a mistake.
simulation: faults of network, exchange, disk and process. cost: microseconds per turn.
It uses the first hour of a tape, or its first 2,000 candles.
With --exchange: the numbered checks of an adapter (docs/adapter-checks.md lists them), each with the loss that it prevents; a check that does not apply says
what it needs.
Exit codes: 0 no check failed, 1 a check failed, 2 the input is wrong.`;

export const CHECK = defineCommand({
  name: 'check',
  about:
    'check whether a strategy is fit to trade, or the adapter of an exchange: a page of verdicts, each with the command that repeats it',
  args: [argument('[strategy]', 'a built-in strategy, or the path of a .ts or .js file (default: that of --config)')],
  options: [
    option('--exchange <path|package>', 'check this adapter of an exchange, against the fake of its author'),
    option('--fake <file>', 'with --exchange: the fake (default: venue.fake.ts beside venue.ts)'),
    option('--tape <file...>', 'check on tapes, one per market, in place of a recording of the embedded exchange'),
    CONFIG,
    SET,
    option('--input <name=file...>', 'values of an input of the strategy: lines {"at":…,"value":…}, as for backtest'),
    option('--only <name...>', 'only these checks; with --exchange by name or number'),
    option('--seed <text>', 'seed of all randomness', asText, 'check'),
    JSON_LINES,
  ],
  notes: CHECK_NOTES,
});
export type CheckFlags = Omit<FlagsOf<typeof CHECK>, 'exchange' | 'fake'>;
export type AdapterFlags = FlagsOf<typeof CHECK> & { readonly exchange: string; readonly strategy?: string | undefined };
