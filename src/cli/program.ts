// The command line: all commands and options, and the errors for wrong use.
import { Command, Option } from 'commander';
import { UserError } from '../base/errors.ts';
import { COMMAND, PROGRAM, packageVersion } from '../base/package.ts';
import { suggestion } from '../base/text/nearest.ts';
import { holdsKey } from '../base/text/secrets.ts';
import type { ExchangeFlags } from './commands/exchange.ts';
import type { RunFlags } from './commands/run/run.ts';
import type { LookFlags } from './commands/wallet.ts';
import type { SetExitCode } from './exit-codes.ts';
import { explain } from './failure.ts';
import type { ExitCode, Host } from './host.ts';
import { addAuthorCommands } from './register-authors.ts';
import { addOperations } from './register-operations.ts';
import { addBacktest, addTapeCommands } from './register-research.ts';
import { addSweep } from './register-sweep.ts';
import { addTorture } from './register-torture.ts';
import { resolveStrategy } from './resolve-strategy.ts';
import { suggestNearestFirst } from './suggest.ts';
import { accountIdOf, choiceOf, coinOf, collect, durationOf, type Funds, faucetOf, fundsOf, portOf, speedOf } from './values.ts';

/** Runs one command and returns its exit code. Each command imports its own modules when it runs, so that help and errors appear at once. */
export async function runProgram(argv: readonly string[], host: Host): Promise<ExitCode> {
  let code: ExitCode = 0;
  const setExitCode: SetExitCode = (command) =>
    command.then((result) => {
      code = result;
    });
  try {
    refuseTypedKeys(argv, host.env);
    await programFor(host, setExitCode).parseAsync([...argv], { from: 'user' });
    return code;
  } catch (thrown) {
    return explain(thrown, host);
  }
}

/** Throws a UserError if an argument contains a key: arguments show in the shell history and the process list. npm puts options that it took into the environment. */
function refuseTypedKeys(argv: readonly string[], env: Host['env']): void {
  const kept = Object.entries(env).flatMap(([name, value]) => (/^npm_config_|^TICKWRIGHT_/.test(name) ? [value ?? ''] : []));
  if (![...argv, ...kept].some(holdsKey)) return;
  throw new UserError({
    code: 'key',
    message: 'the command line or its environment contains what looks like a key; nothing was done with it',
    hint: 'give --key the name of a file; if it was a secret key, others may have read it: use a new key',
  });
}

function programFor(host: Host, setExitCode: SetExitCode): Command {
  const program = new Command(PROGRAM)
    .version(packageVersion(), '--version', 'print the version')
    .description('A trading bot for perpetual futures and spot, with the exchange built in.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void host.stdout.write(text), writeErr: () => undefined })
    .addHelpText('after', PROGRAM_NOTES);
  addRun(program, host, setExitCode);
  addBacktest(program, host, setExitCode);
  addSweep(program, host, setExitCode);
  addTapeCommands(program, host, setExitCode);
  addExchange(program, host, setExitCode);
  addAuthorCommands(program, host, setExitCode);
  addOperations(program, host, setExitCode);
  addTorture(program, host, setExitCode);
  addSchema(program, host, setExitCode);
  addKeys(program, host, setExitCode);
  addWallet(program, host, setExitCode);
  suggestNearestFirst(program, listed(program));
  return program;
}

const PROGRAM_NOTES = `
The default command is run; \`${COMMAND} --strategy grid\` needs no key, no network and no money.
Each command has its own --help: \`${COMMAND} run --help\` lists the options of a run.`;

function addRun(program: Command, host: Host, setExitCode: SetExitCode): void {
  const exchangeOf = choiceOf('--exchange', ['embedded', 'hosted', 'local']);
  program
    .command('run', { isDefault: true })
    .description('run a strategy (the default)')
    .usage('--strategy NAME|PATH [options]')
    .argument('[name]')
    .argument('[surplus...]')
    .option('--strategy <name|path>', 'a built-in strategy, or the path of a .ts or .js file')
    .option(
      '--exchange <kind>',
      'embedded (no key, no network, no money), hosted, or local (a signing process on your machine)',
      exchangeOf,
      'embedded',
    )
    .option('--url <url>', 'address of the exchange or of the local process: https://…, or http:// on this machine')
    .option('--account <id>', 'account id on a hosted exchange (default: your first account)', accountIdOf)
    .option('--key <file>', `your key for a hosted exchange: a key file, a keystore or a signer file, mode 0600 (see: ${PROGRAM} keys)`)
    .option('--paper', 'rehearse on a real exchange without sending anything (not available yet)')
    .option('--live', 'trade with real money; asks for no confirmation')
    .option(
      '--adopt',
      'adopt resting orders in its markets that its state does not know, and place nothing for about a minute, in which more may turn up; without one of these three options the run refuses to start',
    )
    .option('--cancel-foreign', 'cancel such orders first, for about a minute')
    .option('--ignore-foreign', 'leave such orders alone; the guards count them in every worst case')
    .option('--config <file>', 'parameters and limits (default for a built-in strategy: config/<strategy>.yaml)')
    .option('--set <path=value...>', 'override values of the configuration, as in params.levels=5', collect)
    .option('--watch', "load the strategy's file again when it changes; the new code goes on with the run (embedded exchange only)")
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
      `action schema of a hosted exchange: bundled, remote (after ${PROGRAM} schema approve), or a file`,
      'bundled',
    )
    .option('--signals <port>', 'port on this machine for signals to the strategy, POST /signals/NAME; 0 is any free port', portOf)
    .option('--json', 'one JSON object a line on standard output, logs on standard error')
    .addOption(new Option('--no-watchdog').hideHelp())
    .addHelpText('after', RUN_NOTES)
    .action((name: string | undefined, surplus: readonly string[], flags: RunFlags) => {
      const typed = { name, surplus, flag: flags.strategy, env: host.env };
      const strategy = resolveStrategy(typed, listed(program));
      return setExitCode(import('./commands/run/run.ts').then(({ run }) => run({ ...flags, strategy }, host)));
    });
}

const RUN_NOTES = `
\`${PROGRAM} grid\` is short for \`${PROGRAM} run --strategy grid\`.

The run is named strategy-exchange[-account]. A restart under the same name continues where the last one ended. An embedded
exchange ends with its run, so the start time is part of the run's name and nothing is inherited.

Ctrl-C stops the run: all orders are cancelled, unknown orders are resolved, and the summary is printed. A second Ctrl-C ends it at once. Other
signals (SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU) stop the run in the same way.
Exit codes: 0 done, 1 the run failed or the exchange does not answer, 2 the input is wrong, 70 a bug in the program (all orders are
cancelled first).`;

function addExchange(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('exchange')
    .description('run the embedded exchange alone, over HTTP on this machine')
    .option('--hosted-port <port>', 'port of its API; 0 is any free port', portOf, 0)
    .option('--local-port <port>', 'also serve the API of a local signing process, with a funded account; 0 is any free port', portOf)
    .option('--seed <text>', 'seed of its simulated traders (default: random; it is printed)')
    .option('--schema <which>', 'action schema: bundled, or a file', 'bundled')
    .option('--speed <n>', 'simulated seconds per second', speedOf, 1)
    .option('--faucet <amount>', 'quote tokens that each new user receives (default: 100000); with 0 new users are rejected', faucetOf)
    .option('--json', 'print the addresses as one JSON line')
    .action((flags: ExchangeFlags) => setExitCode(import('./commands/exchange.ts').then(({ exchange }) => exchange(flags, host))));
}

function addSchema(program: Command, host: Host, setExitCode: SetExitCode): void {
  const schema = addGroup(program, { name: 'schema', about: 'the action schema of an exchange: show, compare or approve it' });
  const verbs = {
    show: 'print its text and hash',
    diff: 'compare it with the bundled schema and with the one you approved',
    approve: 'approve it as it is now, so that --schema remote uses it',
  } as const;
  for (const verb of ['show', 'diff', 'approve'] as const) {
    schema
      .command(verb)
      .description(verbs[verb])
      .requiredOption('--url <url>', 'address of the exchange')
      .action(({ url }: { url: string }) => setExitCode(import('./commands/schema.ts').then((commands) => commands[verb](url, host))));
  }
}

function addKeys(program: Command, host: Host, setExitCode: SetExitCode): void {
  const keys = addGroup(program, { name: 'keys', about: 'key files: make one, show its public key, encrypt it' });
  keys
    .command('new')
    .description('make a key file that only you can read')
    .argument('<file>')
    .action((file: string) => setExitCode(import('./commands/keys.ts').then(({ newKey }) => newKey(file, host))));
  keys
    .command('show')
    .description('print the public key of a key file, a keystore or a signer file')
    .argument('<file>')
    .action((file: string) => setExitCode(import('./commands/keys.ts').then(({ showKey }) => showKey(file, host))));
  keys
    .command('encrypt')
    .description('encrypt a plain key file with a passphrase: writes a keystore beside it')
    .argument('<file>')
    .option('--out <file>', 'the keystore to write (default: FILE.keystore)')
    .action((file: string, { out }: { out?: string }) =>
      setExitCode(import('./commands/keys.ts').then(({ encryptKey }) => encryptKey({ file, out }, host))),
    );
}

function addWallet(program: Command, host: Host, setExitCode: SetExitCode): void {
  const wallet = addGroup(program, { name: 'wallet', about: 'funds of the local signing process: show or move them' });
  const moves = {
    deposit: 'move funds from the wallet to the margin account; asks for the amount a second time',
    withdraw: 'move funds from the margin account to the wallet; asks for the amount a second time',
  } as const;
  for (const verb of ['deposit', 'withdraw'] as const) {
    wallet
      .command(verb)
      .description(moves[verb])
      .argument('<coin>', 'symbol of the coin, as in USDC', coinOf)
      .argument('<amount>', 'amount in whole tokens, as in 12.5', fundsOf)
      .requiredOption('--url <url>', 'address of the local process')
      .action((coin: string, amount: Funds, { url }: { url: string }) =>
        setExitCode(import('./commands/wallet.ts').then(({ move }) => move({ verb, coin, amount, url }, host))),
      );
  }
  const looks = { balances: 'print what the margin account holds', transfers: 'print deposits and withdrawals so far' } as const;
  for (const verb of ['balances', 'transfers'] as const) {
    wallet
      .command(verb)
      .description(looks[verb])
      .requiredOption('--url <url>', 'address of the local process')
      .option('--json', 'one JSON object a line')
      .action((flags: LookFlags) => setExitCode(import('./commands/wallet.ts').then((commands) => commands[verb](flags, host))));
  }
}

/** A command that consists of subcommands only. */
function addGroup(program: Command, { name, about }: { name: string; about: string }): Command {
  const group = program
    .command(name)
    .description(about)
    .argument('[command]')
    .usage('[command]')
    .allowExcessArguments()
    .allowUnknownOption();
  return group.action((typed: string | undefined) => {
    const known = listed(group);
    if (typed === undefined) throw wrongCommand(`"${name}" needs a command`, `available: ${known.join(', ')}`);
    throw wrongCommand(`"${name}" has no command "${typed}"`, suggestion(typed, known));
  });
}

const wrongCommand = (message: string, hint: string): UserError => new UserError({ code: 'command', message, hint });

const listed = (program: Command): readonly string[] =>
  program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name())
    .filter((name) => name !== 'help');
