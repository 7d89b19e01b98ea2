// A hosted exchange: its own API, with the user's key. What is special about it, and why:
//   signed bytes         an action is signed when it is prepared; its bytes are its record            placing.ts, venues/wire/sign-action.ts
//   sessions             a key that may sign for some time, opened with the user's key                session/
//   its own clock        actions are signed with the exchange's time, which may be wrong              session/engine-time.ts
//   back-dated orders    bytes with a time in the past expire sooner                                  venues/shared/back-dating.ts
//   receipts with names  a receipt is compared with its action; a proxy may be one answer behind      venues/client/hosted-actions.ts
//   schemas              the numbers of an action's fields are the exchange's; the user approves them venues/published-schema/
//   kinds of markets     the listing lacks them; the data of a market shows its kind                  market-kind.ts
//   deltas of books      a websocket sends them (`--streams`)                                         streams.ts
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COMMAND } from '../../base/package.ts';
import { APPROVALS_FILE } from '../kind/facts.ts';
import { checkAddress, requireLive, requireUrl, wrongFlags } from '../kind/flags.ts';
import type { PartialFacts, RecoveryContext, VenueKind } from '../kind/venue-kind.ts';
import type { HostedFacts } from './facts.ts';

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
    const url = await requireUrl(HOSTED, flags);
    if (keyFile === undefined) throw wrongFlags('--exchange hosted needs --key', `make a key file with: ${COMMAND} keys new FILE`);
    await checkAddress(url);
    const { openKey } = await import('../../base/keys/key.ts');
    const wallet = await openKey(keyFile, passphrase);
    const { hostedAccountHolder, openHosted } = await import('./open.ts');
    const holder = hostedAccountHolder({ url, wallet });
    return {
      kind: HOSTED,
      runName: ['hosted', ...(accountId === undefined ? [] : [String(accountId)])],
      holder: { ...holder, account: accountId },
      facts: (journalAccount) =>
        factsOf({
          url,
          user: holder.user,
          account: accountId ?? journalAccount,
          schema: schema === 'bundled' || schema === 'remote' ? schema : resolve(schema),
          key: resolve(keyFile),
        }),
      open: (options) => openHosted({ ...options, url, wallet, accountId, schema, streams: flags.streams }),
    };
  },
  recover,
  matchesDirectory: (directory, { key }) => key !== undefined || existsSync(join(directory, 'session.key')), // each run of this exchange leaves its session key
  canceller: async (facts, options) => (await import('./canceller.ts')).cancellerOfRun(facts, options),
  runChecks: async ({ url, key, facts }) => (await import('./checks.ts')).hostedChecks(url, { key, user: facts?.user }),
  feed: async (options) => (await import('./open.ts')).connectHostedFeed(options),
};

function recover(
  { url, user, account, schema, approvals, key }: PartialFacts,
  { userOfKey, report }: RecoveryContext,
): HostedFacts | undefined {
  const named = url === undefined ? undefined : (user ?? userOfKey());
  if (url === undefined || named === undefined) return undefined;
  if (schema === undefined)
    report('the action schema that it used is not known: the bundled one is used if the exchange reads it in the same way');
  return factsOf({ url, user: named, account, schema, approvals, key });
}

const factsOf = ({ account, ...known }: PartialFacts & Pick<HostedFacts, 'url' | 'user'>): HostedFacts => ({
  kind: 'hosted',
  url: known.url,
  user: known.user,
  ...(typeof account === 'number' && { account }),
  schema: known.schema ?? UNKNOWN_SCHEMA,
  approvals: known.approvals ?? resolve(APPROVALS_FILE),
  key: known.key ?? '',
});
