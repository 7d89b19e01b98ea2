// Turns the options of a run into the exchange that it trades on.

import { unreachable } from '../../../base/assert.ts';
import { UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import type { AccountId } from '../../../domain/ids.ts';
import type { QueueModel } from '../../../embedded/recorded/queue.ts';
import type { RegimeName } from '../../../embedded/traders/regimes.ts';
import type { Key } from '../../../run/keys/key.ts';
import type { PaperAssumptions } from '../../../run/venues/paper.ts';
import type { Host } from '../../host.ts';
import { passphraseAt } from '../../terminal/passphrase.ts';
import type { RunFlags } from './plan.ts';

export interface Embedded {
  readonly kind: 'embedded';
  /** How its markets move; undefined: as by default. */
  readonly regime: RegimeName | undefined;
}

export type RunExchange = Embedded | Hosted | Local | Paper;

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

/** The public data of a real exchange, and a simulated account. */
interface Paper {
  readonly kind: 'paper';
  /** The API at `url`. */
  readonly of: 'hosted' | 'local';
  readonly url: string;
  readonly assumptions: PaperAssumptions;
}

/** Where the passphrase of a keystore is asked for. */
export type PassphraseHost = Pick<Host, 'stdin' | 'stderr' | 'env'>;

/** Throws a UserError if options contradict each other, or if the address or key is wrong. */
export async function exchangeOf(flags: RunFlags, host: PassphraseHost): Promise<RunExchange> {
  if (flags.market !== undefined && flags.exchange !== 'embedded')
    throw wrongFlags('--market is for the embedded exchange alone', 'leave it out: a real market moves by itself');
  if (flags.paper && flags.exchange !== 'embedded') return paper(flags, flags.exchange);
  requireNoAssumptions(flags);
  switch (flags.exchange) {
    case 'embedded':
      requireNone(flags, {
        of: ['url', 'key', 'account', 'paper', 'live', 'schema'],
        who: 'the embedded exchange',
        hint: 'for a real exchange, add --exchange hosted',
      });
      return { kind: 'embedded', regime: flags.market };
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

/** Nothing is signed, so no key is read. */
async function paper(flags: RunFlags, of: Paper['of']): Promise<Paper> {
  if (flags.live) throw wrongFlags('--paper and --live exclude each other', 'give one of them');
  const hint = 'a paper run signs nothing, so it reads no key and has a simulated account';
  requireNone(flags, { of: ['key', 'account', 'schema'], who: '--paper', hint });
  const url = urlOf(of, flags.url);
  await checkAddress(url);
  const { latency, queue, deposit, fees, record } = flags;
  const [{ parseLatency }, { parseQueue }] = await Promise.all([
    import('../../../exchange/embedded/latency.ts'),
    import('../backtest/queue-option.ts'),
  ]);
  const assumptions = {
    latency: latency === undefined ? undefined : parseLatency(latency),
    queue: queue === undefined ? undefined : paperQueue(parseQueue(queue)),
    deposit,
    fees,
    record,
  };
  return { kind: 'paper', of, url, assumptions };
}

function paperQueue(queue: QueueModel): QueueModel {
  if (queue.kind !== 'exact') return queue;
  throw wrongFlags(
    '--queue exact needs the ids of all orders, which polls do not show',
    'use --queue conservative or --queue probabilistic',
  );
}

/** Throws a UserError if options of a simulated exchange are given for another one. */
function requireNoAssumptions(flags: RunFlags): void {
  const given = (['latency', 'queue', 'deposit', 'fees', 'record'] as const).filter((name) => flags[name] !== undefined);
  if (given.length === 0) return;
  throw wrongFlags(
    `--${given.join(', --')} is for --paper alone`,
    `leave it out, or rehearse on a real exchange's data with --exchange hosted --url URL --paper`,
  );
}

function requireLive({ exchange, paper, live }: RunFlags): void {
  if (paper && live) throw wrongFlags('--paper and --live exclude each other', 'give one of them');
  if (live) return;
  const hint =
    '--paper rehearses on its data without a key; --live trades with real money; without --exchange the embedded exchange is used';
  throw wrongFlags(`--exchange ${exchange} needs --paper or --live`, hint);
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
