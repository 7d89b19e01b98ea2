// Writes facts.json of a run, which kill, doctor, why and the watchdog read.
import { resolve } from 'node:path';
import { unreachable } from '../../../base/assert.ts';
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { packageVersion } from '../../../base/package.ts';
import type { AccountRef } from '../../../domain/ids.ts';
import { timeText } from '../../../report/accounting/lines.ts';
import type { Trader } from '../../../run/core/start-check.ts';
import { type ExchangeFacts, type RunFacts, writeFacts } from '../../../run/state/facts.ts';
import { APPROVALS_FILE } from '../../../run/venues/approvals.ts';
import { toBase58 } from '../../../wire/signing.ts';
import type { RunPlan } from './plan.ts';

type Planned = Pick<RunPlan, 'facts' | 'exchange'>;

/**
 * Writes the facts before anything is sent. Throws a UserError `state` if they cannot be written. `account` is used if the plan names none, so that
 * other commands find the account of the journal even after a start that was refused because the exchange now gives another one.
 */
export function keepFacts(plan: Planned, { now, account }: { now: Millis; account: AccountRef | undefined }): void {
  const { state: directory } = plan.facts;
  try {
    writeFacts(nodeDisk(directory), runFacts(plan, timeText(now), account));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const message = `the state directory ${directory} cannot be written: ${error.message}`;
    throw new UserError({ code: 'state', message, hint: 'free some space, or choose another directory with --state DIR' });
  }
}

/** `at` in RFC 3339; `account` is that of the journal. */
export function runFacts({ facts: { run, strategy, markets }, exchange }: Planned, at: string, account?: AccountRef): RunFacts {
  return {
    version: 1,
    run,
    strategy,
    markets: [...markets],
    exchange: exchangeFacts(exchange, account),
    pid: process.pid,
    started: at,
    tickwright: packageVersion(),
  };
}

/** The exchange and account in the form of the journal. */
export function traderOf(exchange: RunPlan['exchange']): Trader & { readonly account?: AccountRef | undefined } {
  const { kind } = exchange;
  if (kind === 'embedded') return { exchange: kind };
  const url = new URL(exchange.url).origin;
  return kind === 'local' || kind === 'paper'
    ? { exchange: kind, url }
    : { exchange: kind, url, user: toBase58(exchange.wallet.publicKey), account: exchange.accountId };
}

function exchangeFacts(exchange: RunPlan['exchange'], journalAccount: AccountRef | undefined): ExchangeFacts {
  switch (exchange.kind) {
    case 'embedded':
      return { kind: 'embedded' };
    case 'local':
      return { kind: 'local', url: exchange.url };
    case 'paper':
      return { kind: 'paper', of: exchange.of, url: exchange.url };
    case 'hosted': {
      const { url, wallet, accountId = journalAccount, schema, keyFile } = exchange;
      return {
        kind: 'hosted',
        url,
        user: toBase58(wallet.publicKey),
        ...(typeof accountId === 'number' && { account: accountId }),
        schema: schema === 'bundled' || schema === 'remote' ? schema : resolve(schema),
        approvals: resolve(APPROVALS_FILE),
        key: resolve(keyFile),
      };
    }
    default:
      return unreachable(exchange);
  }
}
