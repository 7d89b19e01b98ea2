// The options of `bot run`, the default command.
import { type Command, Option } from 'commander';
import { PROGRAM } from '../../../base/package.ts';
import { commandNames } from '../../command-groups.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { keepHeapSmall } from '../../process/heap.ts';
import { resolveStrategy } from '../../resolve-strategy.ts';
import { accountIdOf, choiceOf, collect, depositOf, durationOf, exchangeNameOf, feesOf, portOf } from '../../values.ts';
import { MARKET_ABOUT } from '../exchange/command.ts';
import { NOTIFY_ABOUT } from '../notify/command.ts';
import type { GivenRunFlags } from './run.ts';

export function addRun(program: Command, host: Host, setExitCode: SetExitCode): void {
  const command = program
    .command('run', { isDefault: true })
    .description('run a strategy (the default)')
    .usage('--strategy NAME|PATH [options]')
    .argument('[name]')
    .argument('[more...]');
  addExchangeOptions(command, host);
  addRunOptions(command);
  command
    .addOption(new Option('--no-watchdog').hideHelp())
    .addHelpText('after', RUN_NOTES)
    .action((name: string | undefined, more: readonly string[], flags: GivenRunFlags) => {
      keepHeapSmall();
      const typed = { name, more, flag: flags.strategy, env: host.env };
      const strategy = resolveStrategy(typed, commandNames(program));
      return setExitCode(import('./run.ts').then(({ run }) => run({ ...flags, strategy }, host)));
    });
}

/** The strategy, the exchange, and the assumptions of a paper run. */
function addExchangeOptions(command: Command, { venues }: Host): void {
  const exchangeOf = exchangeNameOf('--exchange', venues.names);
  command
    .option('--strategy <name|path>', 'a built-in strategy, or the path of a .ts or .js file')
    .option(
      '--exchange <kind>',
      `${venues.about}, or the file or package of one of your own (default: that of --config, or ${venues.defaultKind.name})`,
      exchangeOf,
    )
    .option('--url <url>', 'address of the exchange or of the local process: https://…, or http:// on this machine')
    .option(
      '--network <name>',
      'hyperliquid: mainnet or testnet, if --url is not given (default: mainnet)',
      choiceOf('--network', ['mainnet', 'testnet']),
    )
    .option('--account <id>', 'account id on a hosted exchange (default: your first account)', accountIdOf)
    .option('--key <file>', `your key for a hosted exchange: a key file, a keystore or a signer file, mode 0600 (see: ${PROGRAM} keys)`)
    .option('--paper', "trade a simulated account on a real exchange's live data: no key, only reads")
    .option('--live', 'trade with real money; asks for no confirmation')
    .option(
      '--latency <ms>',
      'for a paper run. 20: each way; 10,15: to the exchange, back; 20~200: median~99th percentile (default: as measured)',
    )
    .option('--queue <model>', 'for a paper run: conservative or probabilistic[:POWER] (default: conservative)')
    .option('--deposit <amount>', 'for a paper run: quote tokens at the start (default: 100000)', depositOf)
    .option(
      '--fees <maker,taker>',
      "for a paper run: basis points of the notional, as in 1,4.5 (default: the embedded exchange's fee brackets)",
      feesOf,
    )
    .option(
      '--record <file>',
      'for a paper run: file for the tape of the data that it receives (default: market.tape in its state directory)',
    );
}

function addRunOptions(command: Command): void {
  command
    .option(
      '--adopt',
      'take over resting orders in its markets that this run did not place; it places nothing for about a minute, while more may appear. Without --adopt, --cancel-foreign or --ignore-foreign the run does not start beside such orders',
    )
    .option('--cancel-foreign', 'cancel such orders; it places nothing for about a minute, while more may appear')
    .option('--ignore-foreign', 'leave such orders alone; guards count them as orders that may be filled')
    .option('--config <file>', 'parameters and limits (default for a built-in strategy: config/<strategy>.yaml)')
    .option('--set <path=value...>', 'override values of the configuration, as in params.levels=5', collect)
    .option('--market <name|file>', MARKET_ABOUT)
    .option('--watch', "load the strategy's file again when it changes; the new code continues the run (embedded exchange only)")
    .option('--for <time>', 'stop after 20s, 5m or 2h (default: run until Ctrl-C)', durationOf('--for'))
    .option(
      '--start-timeout <time>',
      'how long a start retries an exchange that does not answer (default: 60s)',
      durationOf('--start-timeout'),
    )
    .option('--seed <text>', 'seed of all randomness of the run (default: random; it is printed)')
    .option('--state <dir>', 'directory of journal and session key (default: .bot/<run name>)')
    .option(
      '--schema <which>',
      `action schema of a hosted exchange: bundled, remote (after ${PROGRAM} schema approve), or a file; refused if the exchange publishes another for the same fields`,
      'bundled',
    )
    .option(
      '--streams',
      'receive changes of the books and the account by a websocket too; polling continues as a cross-check (embedded, hosted and hyperliquid)',
    )
    .option(
      '--signals <port>',
      'port on this machine for signals to the strategy, POST /signals/NAME; 0 is any free port',
      portOf('--signals'),
    )
    .option('--ui [port]', 'show the run on a web page of this machine, and print its link; without a port a free one', portOf('--ui'))
    .option('--metrics [port]', 'serve metrics for Prometheus on this machine; without a port a free one', portOf('--metrics'))
    .option('--notify <url...>', NOTIFY_ABOUT, collect)
    .option('--ui-control', 'allow the page to stop the run, or to let it only close positions')
    .option('--json', 'one JSON object per line on standard output, logs on standard error');
}

const RUN_NOTES = `
\`${PROGRAM} grid\` is short for \`${PROGRAM} run --strategy grid\`.

The run is named strategy-exchange[-account]. A restart under the same name continues where the last one ended. An embedded
exchange ends with its run, so the start time is part of the run's name, and each start is a new run.

Ctrl-C stops the run: all orders are cancelled, unknown orders are resolved, and the summary is printed. A second Ctrl-C ends it at once. Other
signals (SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU) stop the run in the same way.
Exit codes: 0 done, 1 the run failed or the exchange does not answer, 2 the input is wrong, 70 a bug in the program (all orders are
cancelled first).`;
