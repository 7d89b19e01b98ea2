// A hosted exchange: its own API, with the user's key.
//   open.ts        connects with the key and the chosen action schema
//   approvals.ts   the schemas that the user has approved; published-schema.ts compares the chosen one with the exchange's
//   canceller.ts   cancels the orders of its account from outside the run
//   checks.ts      the checks of `doctor`
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COMMAND } from '../../../base/package.ts';
import { checkAddress, requireLive, requireUrl, wrongFlags } from '../flags.ts';
import type { PartialFacts, RecoveryContext, VenueFacts, VenueKind } from '../venue-kind.ts';
import { APPROVALS_FILE } from './approvals-file.ts';

export interface HostedFacts extends VenueFacts {
  readonly kind: 'hosted';
  readonly url: string;
  readonly user: string;
  /** Absent for the user's first account. */
  readonly account?: number | undefined;
  /** `bundled`, `remote`, a file, or `UNKNOWN_SCHEMA`. */
  readonly schema: string;
  /** File of the schemas that the user has approved. */
  readonly approvals: string;
  readonly key: string;
}

/** The value of `schema` if the schema of the run is unknown; no file has this name. */
export const UNKNOWN_SCHEMA = '';

export const HOSTED: VenueKind<HostedFacts> = {
  name: 'hosted',
  outlivesRun: true,
  exampleUrl: 'https://host',
  streams: true,
  facts: (zod) =>
    zod.object({
      kind: zod.literal('hosted'),
      url: zod.string(),
      user: zod.string(),
      account: zod.number().optional(),
      schema: zod.string(),
      approvals: zod.string(),
      key: zod.string(),
    }),
  async plan(flags, { passphrase }) {
    const { key: keyFile, account: accountId, schema } = flags;
    requireLive(flags);
    const url = requireUrl(HOSTED, flags.url);
    if (keyFile === undefined) throw wrongFlags('--exchange hosted needs --key', `make a key file with: ${COMMAND} keys new FILE`);
    await checkAddress(url);
    const { openKey } = await import('../../keys/key.ts');
    const wallet = await openKey(keyFile, passphrase);
    const { hostedAccountHolder, openHosted } = await import('./open.ts');
    const holder = hostedAccountHolder({ url, wallet });
    return {
      kind: HOSTED,
      runName: ['hosted', ...(accountId === undefined ? [] : [String(accountId)])],
      holder: { ...holder, account: accountId },
      facts: (journalAccount): HostedFacts => {
        const account = accountId ?? journalAccount;
        return {
          kind: 'hosted',
          url,
          user: holder.user,
          ...(typeof account === 'number' && { account }),
          schema: schema === 'bundled' || schema === 'remote' ? schema : resolve(schema),
          approvals: resolve(APPROVALS_FILE),
          key: resolve(keyFile),
        };
      },
      open: (options) => openHosted({ ...options, url, wallet, accountId, schema, streams: flags.streams }),
    };
  },
  recover,
  matchesDirectory: (directory, { key }) => key !== undefined || existsSync(join(directory, 'session.key')), // a run that signs has a session key
  canceller: async (facts, options) => (await import('./run-canceller.ts')).cancellerOfRun(facts, options),
  runChecks: async ({ url, key, facts }) => (await import('./checks.ts')).hostedChecks(url, { key, user: facts?.user }),
  feed: async (options) => (await import('../../../exchange/hosted/connect.ts')).connectHostedFeed(options),
};

function recover(
  { url, user, account, schema, approvals, key }: PartialFacts,
  { userOfKey, report }: RecoveryContext,
): HostedFacts | undefined {
  const named = url === undefined ? undefined : (user ?? userOfKey());
  if (url === undefined || named === undefined) return undefined;
  if (schema === undefined)
    report('the action schema that it used is not known: the bundled one is used if the exchange reads it in the same way');
  return {
    kind: 'hosted',
    url,
    user: named,
    ...(typeof account === 'number' && { account }),
    schema: schema ?? UNKNOWN_SCHEMA,
    approvals: approvals ?? resolve(APPROVALS_FILE),
    key: key ?? '',
  };
}
