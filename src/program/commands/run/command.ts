// The options of `bot run`, the default command.
import { PROGRAM } from '../../../base/package.ts';
import { toDecimal } from '../../../bot/domain/numbers.ts';
import { DEFAULT_FUNDS } from '../../../embedded/exchange/state/listing.ts';
import { isPath } from '../../../venues/kind/modules/load-venue.ts';
import { CONFIG, MARKET, SET, SETTINGS, START_TIMEOUT } from '../../common-options.ts';
import { argument, asText, defineCommand, hidden, option, perRun, worded } from '../../declared.ts';
import type { Host } from '../../host.ts';
import { accountIdOf, choiceOf, depositOf, durationOf, exchangeNameOf, feesOf, portOf } from '../../values.ts';

const always = (): boolean => true;
const looksLikePath = (text: string): boolean => /[/\\.]/.test(text);

const RUN_NOTES = `
\`${PROGRAM} grid\` is short for \`${PROGRAM} run --strategy grid\`.

The run is named strategy-exchange[-account]. A restart under the same name continues where the last one ended. An embedded
exchange ends with its run, so the start time is part of the run's name, and each start is a new run.

Ctrl-C stops the run: all orders are cancelled, unknown orders are resolved, and the summary is printed. A second Ctrl-C ends it at once. Other
signals (SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU) stop the run in the same way.
Exit codes: 0 done, 1 the run failed or the exchange does not answer, 2 the input is wrong, 70 a bug in the program (all orders are
cancelled first).`;

export const runCommand = ({ venues }: Host) =>
  defineCommand({
    name: 'run',
    about: 'run a strategy (the default)',
    usage: '--strategy NAME|PATH [options]',
    args: [argument('[name]'), argument('[more...]')],
    options: [
      perRun(SETTINGS.strategy, { isFile: looksLikePath }),
      perRun(
        worded(
          SETTINGS.exchange,
          `${venues.about}, or the file or package of one of your own (default: that of --config, or ${venues.defaultKind.name})`,
          exchangeNameOf(venues.names),
        ),
        { isFile: isPath },
      ),
      perRun(option('--url <url>', 'address of the exchange or of the local process: https://…, or http:// on this machine')),
      option(
        '--network <name>',
        'hyperliquid: mainnet or testnet, if --url is not given (default: mainnet)',
        choiceOf(['mainnet', 'testnet']),
      ),
      perRun(option('--account <id>', 'account id on a hosted exchange (default: your first account)', accountIdOf)),
      perRun(
        option('--key <file>', `your key for a hosted exchange: a key file, a keystore or a signer file, mode 0600 (see: ${PROGRAM} keys)`),
        { isFile: always },
      ),
      perRun(option('--paper', "trade a simulated account on a real exchange's live data: no key, only reads")),
      perRun(option('--live', 'trade with real money; asks for no confirmation')),
      perRun(
        option(
          '--latency <ms>',
          'for a paper run. 20: each way; 10,15: to the exchange, back; 20~200: median~99th percentile (default: as measured)',
        ),
      ),
      perRun(option('--queue <model>', 'for a paper run: conservative or probabilistic[:POWER] (default: conservative)')),
      perRun(option('--deposit <amount>', `for a paper run: quote tokens at the start (default: ${toDecimal(DEFAULT_FUNDS)})`, depositOf)),
      perRun(
        option(
          '--fees <maker,taker>',
          "for a paper run: basis points of the notional, as in 1,4.5 (default: the embedded exchange's fee brackets)",
          feesOf,
        ),
      ),
      option(
        '--record <file>',
        'for a paper run: file for the tape of the data that it receives (default: market.tape in its state directory)',
      ),
      perRun(
        option(
          '--adopt',
          'take over resting orders in its markets that this run did not place; it places nothing for about a minute, while more may appear. Without --adopt, --cancel-foreign or --ignore-foreign the run does not start beside such orders',
        ),
        { key: 'foreign', value: 'adopt' },
      ),
      perRun(option('--cancel-foreign', 'cancel such orders; it places nothing for about a minute, while more may appear'), {
        key: 'foreign',
        value: 'cancel',
      }),
      perRun(option('--ignore-foreign', 'leave such orders alone; guards count them as orders that may be filled'), {
        key: 'foreign',
        value: 'ignore',
      }),
      perRun(CONFIG, { isFile: always }),
      SET,
      perRun(MARKET, { isFile: looksLikePath }),
      option('--watch', "load the strategy's file again when it changes; the new code continues the run (embedded exchange only)"),
      option('--for <time>', 'stop after 20s, 5m or 2h (default: run until Ctrl-C)', durationOf),
      START_TIMEOUT,
      perRun(option('--seed <text>', 'seed of all randomness of the run (default: random; it is printed)')),
      option('--state <dir>', 'directory of journal and session key (default: .bot/<run name>)'),
      perRun(
        option(
          '--schema <which>',
          `action schema of a hosted exchange: bundled, remote (after ${PROGRAM} schema approve), or a file; refused if the exchange publishes another for the same fields`,
          asText,
          'bundled',
        ),
        { isFile: (text) => text !== 'bundled' && text !== 'remote' },
      ),
      option(
        '--streams',
        'receive changes of the books and the account by a websocket too; polling continues as a cross-check (embedded, hosted and hyperliquid)',
      ),
      SETTINGS.signals,
      option('--ui [port]', 'show the run on a web page of this machine, and print its link; without a port a free one', portOf),
      option('--metrics [port]', 'serve metrics for Prometheus on this machine; without a port a free one', portOf),
      SETTINGS.notify,
      option('--ui-control', 'allow the page to stop the run, or to let it only close positions'),
      option('--json', 'one JSON object per line on standard output, logs on standard error'),
      hidden(option('--no-watchdog', '')),
    ],
    notes: RUN_NOTES,
    runsLong: 'trades',
    isDefault: true,
  });
