// The command line: every wrong use gives one message and exit code 2, and help gives 0.
import { describe, expect, test } from 'vitest';
import { FakeHost } from './fake-host.ts';
import { runCommand } from './run-command.ts';

test.each(['adopt', 'start_timeout', 'ui', 'streams', 'market'])('npm took the option --%s of a run', async (name) => {
  const { code, err } = await runCommand('grid --for 1s', new FakeHost({ env: { [`npm_config_${name}`]: 'true' } }));
  expect([code, err]).toEqual([2, expect.stringContaining(`npm took --${name.replace('_', '-')} for its own options`)]);
});

describe('help', () => {
  test.each([
    '--help',
    'help',
    'run --help',
    'exchange --help',
    'kill --help',
    'resume --help',
    'why --help',
    'why-not --help',
    'doctor --help',
    'schema --help',
    'schema diff --help',
    'keys --help',
    'keys new --help',
    'wallet --help',
    'wallet deposit --help',
    'backtest --help',
    'record --help',
    'import --help',
    'export --help',
    'new --help',
  ])('%s', async (line) => {
    const { code, out, err } = await runCommand(line);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Usage: bot');
  });

  test('lists every command that exists, and no other', async () => {
    const { out } = await runCommand('--help');
    for (const command of [
      'run',
      'backtest',
      'record',
      'import',
      'export',
      'compare',
      'exchange',
      'kill',
      'resume',
      'why',
      'why-not',
      'doctor',
      'torture',
      'schema',
      'keys',
      'wallet',
      'new',
      'sweep',
    ])
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
    for (const hidden of ['watchdog']) expect(out).not.toMatch(new RegExp(`^  ${hidden} `, 'm'));
  });

  test.each([
    ['import', 'Usage: bot import --from <format> --out <file> [options] <files...>'],
    ['sweep', 'Usage: bot sweep --strategy NAME|PATH --tape FILE --param NAME=FROM:TO:STEP [options]'],
  ])('shows in the usage of %s what is required, once', async (command, usage) => {
    expect((await runCommand(`${command} --help`)).out.split('\n')[0]).toBe(usage);
  });

  test('says how embedded runs are named', async () => {
    expect((await runCommand('run --help')).out).toContain('each start is a new run');
  });
});

describe('wrong use is reported once, with what to do, and without a stack', () => {
  test.each([
    ['--stratgy grid', "unknown option '--stratgy'", 'Did you mean --strategy?'],
    ['exchange --speeed 2', "unknown option '--speeed'", 'Did you mean --speed?'],
    ['exchnge', 'there is no command and no built-in strategy "exchnge"', 'did you mean "exchange"?'],
    ['exchnge --hosted-port 0', 'there is no command and no built-in strategy "exchnge"', 'did you mean "exchange"?'],
    ['backtst --strategy grid', 'there is no command and no built-in strategy "backtst"', 'did you mean "backtest"?'],
    ['exprot my.tape', 'there is no command and no built-in strategy "exprot"', 'did you mean "export"?'],
    ['run exprot --for 1s', 'there is no command and no built-in strategy "exprot"', 'did you mean "export"?'],
    ['grdi', 'there is no command and no built-in strategy "grdi"', 'did you mean "grid"?'],
    ['--for 20 grid', '--for "20" is not a time', 'write 20s, 5m or 2h'],
    ['--exchange hostd grid', '--exchange "hostd" is not one of embedded, hosted, local', 'did you mean "hosted"?'],
    ['--strategy', "option '--strategy <name|path>' argument missing", '--help lists commands and options'],
    ['exchange --speed 0', '--speed 0 is out of range', 'write more than 0'],
    ['exchange --faucet 0,01', '--faucet "0,01" is not a decimal of at least 0', 'write for example 0.01'],
    ['exchange --hosted-port web', '--hosted-port "web" is not a port', 'write a number up to 65535'],
    ['exchange --local-port web', '--local-port "web" is not a port', 'write a number up to 65535'],
    ['backtest my-strategy.ts', 'too many arguments for \'backtest\': "my-strategy.ts"', 'did you mean --strategy my-strategy.ts?'],
    ['backtest grid --tape x', 'too many arguments for \'backtest\': "grid"', 'did you mean --strategy grid?'],
    ['sweep my-strategy.ts --tape x', 'too many arguments for \'sweep\': "my-strategy.ts"', 'did you mean --strategy my-strategy.ts?'],
    ['torture my-strategy.ts', 'too many arguments for \'torture\': "my-strategy.ts"', 'did you mean --strategy my-strategy.ts?'],
    ['check grid my.tape', 'too many arguments for \'check\': "my.tape"', 'did you mean --tape my.tape?'],
    ['exchange now', "too many arguments for 'exchange'", '--help lists commands and options'],
    ['sweep', "required option '--param <name=values...>' not specified", '--help lists commands and options'],
    [
      'sweep --param a=1 --tape t --walk 20d',
      '--walk "20d" is not a training and a test window',
      'write two times, as in 20d/5d or 20m/5m',
    ],
    ['sweep --param a=1 --tape t --workers 0', '--workers "0" is not a whole number above 0', 'write for example 4'],
    ['kill --for ever', '--for "ever" is not a time', 'write 20s, 5m or 2h'],
    ['kill a b', "too many arguments for 'kill'", '--help lists commands and options'],
    ['kill --state /no/such/place', 'there is no directory /no/such/place', 'check --state'],
    ['kill x --state y', 'a run and --state were both given', 'give one of them'],
    ['why', "missing required argument 'order'", '--help lists commands and options'],
    ['doctor --exchange moon', '--exchange "moon" is not one of hosted, local', 'write one of these'],
    ['doctor --state /no/such/place', 'there is no directory /no/such/place', 'check --state'],
    ['doctor --exchange hosted', '--exchange hosted needs --url', 'as in --url https://host'],
    ['doctor --exchange local', '--exchange local needs --url', 'as in --url http://127.0.0.1:3000'],
    ['doctor --url http://exchange.example', 'is not encrypted, and not on this machine', 'http://127.0.0.1:PORT'],
    ['backtest --strategy grid', 'neither --tape nor --market was given', '--market recorded'],
    ['backtest --strategy grid --tape x --market calm', '--tape and --market were both given', 'give one of them'],
    ['backtest --strategy grid --tape x --for 5m', '--for is for a simulated market', 'add --market NAME'],
    ['backtest --strategy grid --market clam', '--market "clam" is not one of', 'did you mean "calm"?'],
    ['backtest --strategy grid --tpe x', "unknown option '--tpe'", 'Did you mean --tape?'],
    ['schema show --ulr x', "unknown option '--ulr'", 'Did you mean --url?'],
    ['backtest --tape x --fees 1', '--fees "1" is not a maker fee', 'as in 1,4.5'],
    ['backtest --tape x --poll 5', '--poll "5" is not an interval', 'at least 20'],
    ['backtest --tape x --deposit 0', '--deposit 0 is out of range', 'write more than 0'],
    ['backtest --strategy grid --tape no-such.tape', 'no-such.tape', ''],
    ['record --out x', "required option '--markets <symbols>' not specified", '--help lists commands and options'],
    ['record --markets A,A --out x', '--markets "A,A" is not a list of markets', 'BTCUSDC,ETHUSDC'],
    ['record --markets BTCUSDC --out x', 'a recording of the embedded exchange needs --for', 'for example --for 1h'],
    ['record --markets BTCUSD --for 1s --out x', 'the embedded exchange has no market "BTCUSD"', 'did you mean "BTCUSDC"?'],
    ['import a.gz --from binanse --market A --out x', '--from "binanse" is not one of', 'did you mean "binance"?'],
    ['import a.gz --from binance --out x', '--market is missing', 'as in --market BTCUSDT'],
    ['import no-such.gz --from binance --market A --out x', 'no-such.gz', ''],
    ['import a --funding-interval 8x', '--funding-interval "8x" is not a time', 'write 20s, 5m or 2h'],
    ['import a --from tardis --market A --out x --imf 2', '--imf 2 is not a fraction', 'write for example 0.05'],
    [
      'import a --from tardis --market A --out x --price-decimals 1.5',
      '--price-decimals "1.5" is not a number of decimals',
      'write for example 2',
    ],
    ['export a.tape --out a.csv', '--out a.csv does not end in .parquet', 'write --out FILE.parquet'],
    ['keys encrypt my.key', 'the key file my.key cannot be read', 'make one with: npm run bot -- keys new FILE'],
    ['keys decrypt my.key', '"keys" has no command "decrypt"', 'did you mean "encrypt"?'],
    ['keys', '"keys" needs a command', 'available: new, show'],
    ['keys shwo my.key', '"keys" has no command "shwo"', 'did you mean "show"?'],
    ['keys new', "missing required argument 'file'", '--help lists commands and options'],
    ['schema show', "required option '--url <url>' not specified", '--help lists commands and options'],
    ['grid --set params.levels=3 params.levles=4', '--set params.levles=4: unknown parameter "levles"; did you mean "levels"?', ''],
    ['run --strategy grid --strategy twap --for 1s', '--strategy was given twice: "grid" and "twap"', 'npm run bot -- fleet runs several'],
    [
      'backtest --strategy grid --strategy twap --tape x',
      '--strategy was given twice: "grid" and "twap"',
      'npm run bot -- fleet runs several',
    ],
    ['wallet', '"wallet" needs a command', 'available: deposit, withdraw, balances, transfers'],
    ['wallet depsit USDC 5', '"wallet" has no command "depsit"', 'did you mean "deposit"?'],
    ['wallet deposit USDC 5', "required option '--url <url>' not specified", '--help lists commands and options'],
    ['wallet withdraw USDC --url x', "missing required argument 'amount'", '--help lists commands and options'],
    ['wallet deposit 5 USDC --url x', '"5" is not the symbol of a coin', 'the coin goes before the amount'],
    ['wallet deposit USDC 0,5 --url x', 'the amount "0,5" is not a decimal of at least 0', 'write for example 0.5'],
    ['wallet deposit USDC 5 --json --url x', "unknown option '--json'", '--help lists commands and options'],
    ['wallet balances --url http://exchange.example', 'is not encrypted, and not on this machine', 'http://127.0.0.1:PORT'],
    ['schema aprove --url x', '"schema" has no command "aprove"', 'did you mean "approve"?'],
    ['fleet no-such.yaml', 'the configuration no-such.yaml cannot be read', 'to bot fleet; an example: config/fleet.yaml'],
    ['help nothing', 'there is no such command', '--help lists commands and options'],
    ['tape', '"tape" needs a command', 'available: info, facts, slice, cat'],
    ['tape inf a.tape', '"tape" has no command "inf"', 'did you mean "info"?'],
    ['sweep worker', 'neither a queue nor a part of a sweep was given', 'give --queue redis://HOST:PORT with --tapes, or --index N --of M'],
    ['check', 'no strategy was given; built-in strategies: grid', 'name one of them, or the file of your own'],
    ['check grid --only costs', 'there is no check "costs"', 'did you mean "cost"?'],
    ['ui --recording no-such.gz', 'there is no file no-such.gz', 'a recording is a turns-….jsonl.gz'],
    ['ui --recording src', 'src is not a file', 'a recording is a turns-….jsonl.gz'],
    ['--strategy .', '. is not a strategy file', ''],
  ])('%s', async (line, message, hint) => {
    const { code, out, err } = await runCommand(line);
    expect([code, out]).toEqual([2, '']);
    const [first = '', second = '', ...rest] = err.trimEnd().split('\n');
    expect(first).toMatch(/^error: /);
    expect(first).toContain(message);
    expect(second).toContain(hint);
    expect(rest).toEqual([]);
  });
});
