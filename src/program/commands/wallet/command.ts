// The subcommands of `bot wallet`.
import { JSON_LINES } from '../../common-options.ts';
import { argument, defineCommand, type FlagsOf, needed } from '../../declared.ts';
import { coinOf, fundsOf } from '../../values.ts';

const URL = needed('--url <url>', 'address of the local process');

const MOVES = {
  deposit: 'move funds from the wallet to the margin account; asks for the amount a second time',
  withdraw: 'move funds from the margin account to the wallet; asks for the amount a second time',
} as const;

export const moveCommand = (verb: keyof typeof MOVES) =>
  defineCommand({
    name: verb,
    about: MOVES[verb],
    args: [
      argument('<coin>', 'symbol of the coin, as in USDC', coinOf),
      argument('<amount>', 'amount in whole tokens, as in 12.5', fundsOf),
    ],
    options: [URL],
  });

const LOOKS = { balances: 'print what the margin account holds', transfers: 'print deposits and withdrawals so far' } as const;

export const lookCommand = (verb: keyof typeof LOOKS) => defineCommand({ name: verb, about: LOOKS[verb], options: [URL, JSON_LINES] });
export type LookFlags = FlagsOf<ReturnType<typeof lookCommand>>;
