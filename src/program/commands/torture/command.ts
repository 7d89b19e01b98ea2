// The options of `bot torture`: the simulation of the bot and a strategy under faults.
import { PLAYED_EXCHANGES } from '../../../research/simulation/plan/faults-by-exchange.ts';
import { PROFILES } from '../../../research/simulation/plan/options.ts';
import { asText, defineCommand, type FlagsOf, hidden, option } from '../../declared.ts';
import { choiceOf, reading, wholeNumberIn } from '../../values.ts';

const NOTES = `
calm: no faults. smoke: a few faults; every run is made twice and compared. swarm: many faults, of kinds chosen by the seed.
rollback: like swarm, and the exchange loses actions that it has confirmed; some violations are then unavoidable. crash: one run per call to
network or disk, in which the process dies there, and one per request of a start and kind of failure. liar: answers of the exchange that are wrong
for 5 to 120 s, alone and in pairs, while the run starts, trades and is closed. rollback and liar are played on
hosted only. The same seed gives the same run on every machine.
A violation is reduced to the faults that it needs, printed with its seed, and saved as a file. Exit codes: 0 no violation, 1 a violation,
2 the input is wrong.`;

const countOf = reading('a number of runs', 'a whole number above zero, as in --seeds 100', (text) => wholeNumberIn(text, 1, 9_999_999));

export const TORTURE = defineCommand({
  name: 'torture',
  about: 'test the bot and a strategy under simulated faults of network, exchange, disk and process',
  options: [
    option(
      '--strategy <name|path>',
      'a built-in strategy, or the path of a .ts or .js file (default: grid; in some seeds of swarm and rollback one that trades a spot market)',
    ),
    option('--seeds <n>', 'number of different runs', countOf, 1),
    option('--profile <name>', `${PROFILES.join(', ')}: see below`, choiceOf(PROFILES), 'swarm'),
    option('--exchange <name>', `the exchange to play on: ${PLAYED_EXCHANGES.join(', ')}`, choiceOf(PLAYED_EXCHANGES), 'hosted'),
    option('--streams', 'the bot also listens to the websocket of the exchange, whose lines fail too'),
    option('--seed <text>', 'the first seed; the only one with --seeds 1'),
    option('--replay <file>', 'replay a recorded failure'),
    hidden(option('--capsule <file>', 'the earlier name of --replay')),
    option('--out <dir>', 'directory for recorded failures', asText, '.bot/failures'),
    option('--json', 'the figures as one JSON object'),
  ],
  notes: NOTES,
});
export type TortureFlags = FlagsOf<typeof TORTURE>;
