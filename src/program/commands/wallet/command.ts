// The subcommands of `bot wallet`.
import type { Command } from 'commander';
import { addGroup } from '../../command-groups.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { type CoinAmount, coinOf, fundsOf } from '../../values.ts';
import type { LookFlags } from './wallet.ts';

export function addWallet(program: Command, host: Host, setExitCode: SetExitCode): void {
  const wallet = addGroup(program, { name: 'wallet', about: 'show or move the funds of the local signing process' });
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
      .action((coin: string, amount: CoinAmount, { url }: { url: string }) =>
        setExitCode(import('./wallet.ts').then(({ move }) => move({ verb, coin, amount, url }, host))),
      );
  }
  const looks = { balances: 'print what the margin account holds', transfers: 'print deposits and withdrawals so far' } as const;
  for (const verb of ['balances', 'transfers'] as const) {
    wallet
      .command(verb)
      .description(looks[verb])
      .requiredOption('--url <url>', 'address of the local process')
      .option('--json', 'one JSON object per line')
      .action((flags: LookFlags) => setExitCode(import('./wallet.ts').then((commands) => commands[verb](flags, host))));
  }
}
