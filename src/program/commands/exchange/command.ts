// The options of `bot exchange`.
import type { Command } from 'commander';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { keepHeapSmall } from '../../process/heap.ts';
import { faucetOf, portOf, speedOf } from '../../values.ts';
import type { ExchangeFlags } from './exchange.ts';

export function addExchange(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('exchange')
    .description('run the embedded exchange alone, over HTTP on this machine')
    .option('--hosted-port <port>', 'port of its API; 0 is any free port', portOf('--hosted-port'), 0)
    .option(
      '--local-port <port>',
      'also serve the API of a local signing process, with a funded account; 0 is any free port',
      portOf('--local-port'),
    )
    .option(
      '--hyperliquid-port <port>',
      "also serve Hyperliquid's API, signed as on testnet; its spot market then takes the fee of a purchase from the tokens; 0 is any free port",
      portOf('--hyperliquid-port'),
    )
    .option('--seed <text>', 'seed of its simulated traders (default: random; it is printed)')
    .option('--market <name|file>', MARKET_ABOUT)
    .option('--schema <which>', 'action schema: bundled, or a file', 'bundled')
    .option('--speed <n>', 'simulated seconds per second', speedOf, 1)
    .option('--faucet <amount>', 'quote tokens that each new user receives (default: 100000); with 0 new users are rejected', faucetOf)
    .option('--json', 'print the addresses as one JSON line')
    .action((flags: ExchangeFlags) => {
      keepHeapSmall();
      return setExitCode(import('./exchange.ts').then(({ exchange }) => exchange(flags, host)));
    });
}

/** The help text of the option `--market`, which `bot run` and `bot record` have too. */
export const MARKET_ABOUT =
  'how the embedded market moves: recorded (the default: like recordings of BTC), calm, busy, crash, swinging (ten times as volatile, with trends), or a file of calibrate';
