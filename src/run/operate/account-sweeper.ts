// Opens the account of a run from its state directory alone, and reads from its journal what may still arrive there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { nodeDisk } from '../../base/files/node-disk.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import type { Rng } from '../../base/rng.ts';
import type { Wallet } from '../../exchange/hosted/session/open-session.ts';
import type { Log } from '../../exchange/kit/log.ts';
import { deadAfter as deadAfterAtProcess } from '../../exchange/local/orders/pending-placements.ts';
import { httpTransport } from '../../exchange/transport/http.ts';
import { openJournal } from '../../journal/journal.ts';
import { readJournal } from '../../journal/read-journal.ts';
import { bundledSchema, loadSchema } from '../../wire/schema/schema.ts';
import { fromBase58, KEY_BYTES, newSecretKey } from '../../wire/signing.ts';
import type { Entry } from '../state/entries.ts';
import type { ExchangeFacts } from '../state/facts.ts';
import { hasEnded, ordersIn } from '../state/history.ts';
import { approvedSchema } from '../venues/approvals.ts';
import type { AccountSweeper, Outstanding } from './sweep.ts';
import { HostedSweeper, type HostedSweeperOptions, lentWallet } from './sweep-hosted.ts';
import { LocalSweeper } from './sweep-local.ts';

const CONNECTIONS = 8;
const SESSION_KEY = 'session.key';

export interface AccountSweeperOptions {
  readonly directory: string;
  readonly exchange: ExchangeFacts;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Log;
  /** 32 random bits, so that nonces differ from the run's, which count up from its start time. */
  readonly firstNonce: number;
  /** Opens the user's key file if the run's session is lost. */
  readonly openKey: (file: string) => Promise<Wallet>;
}

/** Undefined for an account that is simulated in the run's process. Makes no request before its first call. */
export function openAccountSweeper({
  directory,
  exchange,
  clock,
  rng,
  log,
  firstNonce,
  openKey,
}: AccountSweeperOptions): AccountSweeper | undefined {
  if (exchange.kind === 'embedded' || exchange.kind === 'paper') return undefined;
  const transport = httpTransport({ origin: exchange.url, connections: CONNECTIONS });
  if (exchange.kind === 'local') return new LocalSweeper({ clock, transport });
  const publicKey = fromBase58(exchange.user) ?? new Uint8Array();
  return new HostedSweeper({
    clock,
    rng,
    log,
    firstNonce,
    transport,
    ...schemaOf(exchange),
    hasTraded: hasTraded(nodeDisk(directory)),
    sessionKey: sessionKeyIn(directory),
    wallet: lentWallet(publicKey, () => openKey(exchange.key)),
    accountId: exchange.account,
  });
}

/**
 * What the run signed with. A schema that was approved or chosen then can at worst be refused. Where it cannot be had any more, the bundled one is
 * used, but only if the exchange reads it in the same way.
 */
function schemaOf({
  schema,
  url,
  approvals,
}: Extract<ExchangeFacts, { kind: 'hosted' }>): Pick<HostedSweeperOptions, 'schema' | 'trusted'> {
  if (schema === 'bundled') return { schema: bundledSchema(), trusted: true };
  try {
    const text = schema === 'remote' ? approvedSchema({ url, file: approvals })?.text : readTextFile(schema);
    if (text !== undefined) return { schema: loadSchema(text), trusted: true };
  } catch {
    // falls back to the bundled one
  }
  return { schema: bundledSchema(), trusted: false };
}

/** True if the run may have orders, or if that cannot be read. */
function hasTraded(disk: Disk): boolean {
  const { entries, damage } = readJournal<Entry>(disk);
  return damage.length > 0 || entries.some(({ kind }) => kind === 'order' || kind === 'sent' || kind === 'fill');
}

/** The run's session key. A run without one never had a session: a temporary key is used then. */
function sessionKeyIn(directory: string): Uint8Array {
  try {
    const key = new Uint8Array(readFileSync(join(directory, SESSION_KEY)));
    return key.length === KEY_BYTES ? key : newSecretKey();
  } catch {
    return newSecretKey();
  }
}

/** What the run's journal says. It is read again at each call, since a live run goes on writing it; `damage` says why it cannot be read. */
export function outstandingIn(disk: Disk): Outstanding & { readonly damage?: string | undefined } {
  try {
    return outstandingOf(openJournal<Entry>(disk, { checkpoint: (entries) => entries }).earlier);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { deadAfter: undefined, isOurs: () => false, damage: messageOf(error) };
  }
}

function outstandingOf(entries: readonly Entry[]): Outstanding {
  const { newest, placed } = ordersIn(entries);
  const deadAfter: number[] = [];
  for (const [id, sent] of placed) {
    const line = newest.get(id);
    if (line !== undefined && (hasEnded(line) || line.status === 'open')) continue;
    deadAfter.push(line?.deadAfter ?? sent.deadAfter ?? deadAfterAtProcess(Date.parse(sent.at)));
  }
  const orderIds = new Set([...newest.values()].flatMap(({ orderId }) => orderId ?? []));
  return {
    deadAfter,
    open: [...newest.values()].flatMap(({ orderId, clientOrderId, status }) =>
      status === 'open' && orderId !== undefined ? [{ orderId, clientOrderId }] : [],
    ),
    isOurs: ({ orderId, clientOrderId }) =>
      orderIds.has(orderId) || (clientOrderId !== undefined && (newest.has(clientOrderId) || placed.has(clientOrderId))),
  };
}
