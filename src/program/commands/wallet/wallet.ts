// `bot wallet`: shows balances and transfers of the local process; deposits and withdraws, which must be confirmed by a person at a terminal.
import { Decimal } from 'decimal.js';
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import { httpTransport } from '../../../base/transport/http.ts';
import { type LocalClient, localClient } from '../../../venues/client/local/client.ts';
import type { LocalBalance, Transfer, WalletOperation } from '../../../venues/wire/json/local.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText } from '../../output/table.ts';
import { prompt } from '../../terminal/passphrase.ts';
import type { CoinAmount } from '../../values.ts';
import type { LookFlags } from './command.ts';

export interface Move {
  readonly verb: 'deposit' | 'withdraw';
  readonly coin: string;
  readonly amount: CoinAmount;
  readonly url: string;
}

/** Timeout of a transfer: the local process answers only after the transaction. */
const TRANSFER_TIMEOUT: Millis = 60_000;

export function balances(flags: LookFlags, { stdout }: Host): Promise<ExitCode> {
  return look(flags, async (client) => {
    const held = await client.balances();
    for (const balance of held) say(stdout, flags.json ? jsonLine('balance', balance) : balanceWords(balance));
    return held.length === 0 && !flags.json ? say(stdout, 'no balances') : undefined;
  });
}

export function transfers(flags: LookFlags, { stdout }: Host): Promise<ExitCode> {
  return look(flags, async (client) => {
    let count = 0;
    for await (const page of client.transfers()) {
      for (const transfer of page) say(stdout, flags.json ? jsonLine('transfer', transfer) : transferWords(transfer));
      count += page.length;
    }
    return count === 0 && !flags.json ? say(stdout, 'no transfers') : undefined;
  });
}

/**
 * Sends the transfer once, after the user has typed the amount again. Throws a UserError if it is certain that nothing was moved; returns 1 if it is
 * unknown.
 */
export function move({ verb, coin, amount, url }: Move, host: Host): Promise<ExitCode> {
  return withClient(url, async (client) => {
    const typed = await prompt(`type the amount again to ${verb} ${amount.text} ${coin}: `, host);
    if (typed !== amount.text) throw wrongAmount(typed, amount.text);
    host.onSignal(() => {
      say(host.stderr, `\nstopped waiting for the answer\n${uncertainWords(url)}`);
      host.exitNow(1);
    });
    try {
      say(host.stdout, moveWords({ verb, coin, amount }, await client[verb]({ coin, size: amount.size })));
      return 0;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (isNotMoved(error))
        throw failure(error, { message: `nothing was moved: ${error.message}`, elsewhere: 'check the coin and --url' });
      say(host.stderr, `error: ${error.message}\n${uncertainWords(url)}`);
      return 1;
    }
  });
}

async function look(flags: LookFlags, show: (client: LocalClient) => Promise<void>): Promise<ExitCode> {
  try {
    await withClient(flags.url, show);
    return 0;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw failure(error, { message: error.message, elsewhere: 'check that --url is the address of the local process' });
  }
}

async function withClient<T>(url: string, use: (client: LocalClient) => Promise<T>): Promise<T> {
  const transport = httpTransport({ origin: url, connections: 1 });
  try {
    return await use(localClient({ transport, timeouts: { writeMs: TRANSFER_TIMEOUT } }));
  } finally {
    await transport.close();
  }
}

/** True if the local process refused before signing, or never received the request. After a 5xx the outcome is unknown. */
const isNotMoved = ({ kind, status = 0 }: ClientError): boolean =>
  kind === 'notSent' || (status >= 400 && status < 500 && status !== REQUEST_TIMEOUT);

const REQUEST_TIMEOUT = 408;

const uncertainWords = (url: string): string =>
  `  the funds may have been moved: check with \`${COMMAND} wallet transfers --url ${url}\` before you try again`;

const wrongAmount = (typed: string | undefined, amount: string): UserError =>
  new UserError({
    code: 'wallet',
    message: `${typed === undefined ? 'the amount was not typed again' : `"${safeText(typed)}" is not ${amount}`}: nothing was sent`,
    hint: 'run the command again, and type the same amount both times',
  });

/** `elsewhere` is the hint if the answer may come from a program other than the local process. */
function failure({ kind }: ClientError, { message, elsewhere }: { message: string; elsewhere: string }): UserError {
  const mayBeAnother = kind === 'notJson' || kind === 'shape' || kind === 'notFound' ? elsewhere : undefined;
  const hint = kind === 'notSent' ? 'nothing answers at this address: start the local process, or check --url' : mayBeAnother;
  return new UserError({ code: 'wallet', message, hint });
}

const plain = (value: number): string => new Decimal(value).toFixed();

/** Amounts are decimal text. */
const jsonLine = (kind: string, row: LocalBalance | Transfer): string =>
  JSON.stringify({ kind, ...row }, (_, value: unknown) => (typeof value === 'number' ? plain(value) : value));

function balanceWords({ coin, total, free, spotBorrow, usdValue }: LocalBalance): string {
  const parts = [
    `total ${plain(total)}`,
    ...(free === undefined ? [] : [`free ${plain(free)}`]),
    ...(spotBorrow === undefined ? [] : [`borrowed ${plain(spotBorrow)}`]),
    ...(usdValue === undefined ? [] : [`worth ${plain(usdValue)} USD`]),
  ];
  return safeText(`${coin}: ${parts.join(', ')}`);
}

const transferWords = ({ time, type, size, coin, status }: Transfer): string =>
  safeText(`${time} ${type} of ${plain(size)} ${coin}${status === undefined ? '' : `, ${status}`}`);

function moveWords({ verb, coin, amount }: Omit<Move, 'url'>, { status, txId, time }: WalletOperation): string {
  const details = [status, txId && `transaction ${txId}`, time].filter((part) => part !== undefined);
  return safeText(`${NOUNS[verb]} of ${amount.text} ${coin}: ${details.length === 0 ? 'accepted' : details.join(', ')}`);
}

const NOUNS = { deposit: 'deposit', withdraw: 'withdrawal' } as const;
