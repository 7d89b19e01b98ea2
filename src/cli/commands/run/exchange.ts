// Turns the options of a run into the exchange that it trades on.
import { unreachable } from '../../../base/assert.ts';
import { UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import type { AccountId } from '../../../domain/ids.ts';
import type { Key } from '../../../run/keys/key.ts';
import type { Host } from '../../host.ts';
import { passphraseAt } from '../../terminal/passphrase.ts';
import type { RunFlags } from './plan.ts';

export type RunExchange = { readonly kind: 'embedded' } | Hosted | Local;

interface Hosted {
  readonly kind: 'hosted';
  readonly url: string;
  readonly wallet: Key;
  readonly accountId: AccountId | undefined;
  /** `bundled`, `remote`, or a file. */
  readonly schema: string;
  /** Path of the key file. */
  readonly keyFile: string;
}

interface Local {
  readonly kind: 'local';
  readonly url: string;
}

/** Where the passphrase of a keystore is asked for. */
export type PassphraseHost = Pick<Host, 'stdin' | 'stderr' | 'env'>;

/** Throws a UserError if options contradict each other, or if the address or key is wrong. */
export async function exchangeOf(flags: RunFlags, host: PassphraseHost): Promise<RunExchange> {
  switch (flags.exchange) {
    case 'embedded':
      requireNone(flags, {
        of: ['url', 'key', 'account', 'paper', 'live', 'schema'],
        who: 'the embedded exchange',
        hint: 'for a real exchange, add --exchange hosted',
      });
      return { kind: 'embedded' };
    case 'hosted':
      return hosted(flags, host);
    case 'local':
      return local(flags);
    default:
      return unreachable(flags.exchange);
  }
}

async function hosted(flags: RunFlags, host: PassphraseHost): Promise<Hosted> {
  const { key, account, schema } = flags;
  requireLive(flags);
  const url = urlOf('hosted', flags.url);
  if (key === undefined) throw wrongFlags('--exchange hosted needs --key', `make a key file with: ${COMMAND} keys new FILE`);
  await checkAddress(url);
  const { openKey } = await import('../../../run/keys/key.ts');
  return { kind: 'hosted', url, wallet: await openKey(key, () => passphraseAt(host)), accountId: account, schema, keyFile: key };
}

/** The local process has its own key, account and schema. */
async function local(flags: RunFlags): Promise<Local> {
  const hint = 'the local process signs with its own key, for its own account';
  requireNone(flags, { of: ['key', 'account', 'schema'], who: 'the local process', hint });
  requireLive(flags);
  const url = urlOf('local', flags.url);
  await checkAddress(url);
  return { kind: 'local', url };
}

const AS_IN = { hosted: 'as in --url https://host', local: 'as in --url http://127.0.0.1:3000' } as const;

/** Throws a UserError if there is none. */
export function urlOf(exchange: 'hosted' | 'local', url: string | undefined): string {
  if (url === undefined) throw wrongFlags(`--exchange ${exchange} needs --url`, AS_IN[exchange]);
  return url;
}

function requireLive({ exchange, paper, live }: RunFlags): void {
  if (paper && live) throw wrongFlags('--paper and --live exclude each other', 'give one of them');
  if (paper) throw wrongFlags('--paper is not available yet', 'to rehearse without money, use the embedded exchange: leave --exchange out');
  if (live) return;
  const hint = '--live trades with real money; without --exchange the embedded exchange is used, which needs none';
  throw wrongFlags(`--exchange ${exchange} needs --live`, hint);
}

type Name = 'url' | 'key' | 'account' | 'paper' | 'live' | 'schema';

function requireNone(flags: RunFlags, { of, who, hint }: { of: readonly Name[]; who: string; hint: string }): void {
  const given = of.filter((name) => flags[name] !== (name === 'schema' ? 'bundled' : undefined));
  if (given.length > 0) throw wrongFlags(`${who} does not take --${given.join(', --')}`, hint);
}

/** Throws a UserError for an invalid address. Sends nothing. */
export async function checkAddress(origin: string): Promise<void> {
  const { httpTransport } = await import('../../../exchange/transport/http.ts');
  await httpTransport({ origin, connections: 1 }).close();
}

const wrongFlags = (message: string, hint: string): UserError => new UserError({ code: 'use', message, hint });
