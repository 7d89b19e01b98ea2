// Finds the exchange and account of a run from what is left of it: its facts, its journal, and the options of the command.
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import type { AccountId } from '../../domain/ids.ts';
import { readJournal } from '../../journal/read-journal.ts';
import { toBase58 } from '../../wire/signing.ts';
import { publicKeyIn } from '../keys/key.ts';
import { type ExchangeFacts, type RunFacts, readFacts } from '../state/facts.ts';
import { APPROVALS_FILE } from '../venues/approvals.ts';

/** Options of the command; they take precedence over the recorded facts. */
export interface GivenFacts {
  readonly exchange?: 'hosted' | 'local' | undefined;
  readonly url?: string | undefined;
  readonly account?: AccountId | undefined;
  /** Path of the key file. */
  readonly key?: string | undefined;
  /** `bundled`, `remote`, or a file. */
  readonly schema?: string | undefined;
}

export interface FoundFacts {
  readonly run: string;
  /** Undefined if nothing says where the run trades: its kill switch can be set, but its account cannot be read. */
  readonly exchange: ExchangeFacts | undefined;
  /** What could not be read and what is used instead, one sentence each. */
  readonly doubts: readonly string[];
}

type Hosted = Extract<ExchangeFacts, { kind: 'hosted' }>;
type Known = Pick<ExchangeFacts, 'kind'> & Parts & { readonly of?: 'hosted' | 'local' };
type Parts = { readonly [Name in Exclude<keyof Hosted, 'kind'>]?: Hosted[Name] | undefined };

/** Marks that the schema of the run is unknown; no file has this name. */
export const UNKNOWN_SCHEMA = '';

/** The identity in the journal. */
const identityShape = z.object({
  kind: z.literal('identity'),
  exchange: z.enum(['embedded', 'hosted', 'local', 'paper']),
  url: z.string().optional(),
  user: z.string().optional(),
  account: z.number().optional(),
});

/** Finds the facts. Never throws for damaged or missing files in the directory: they are listed in `doubts`. */
export function factsLeftIn(directory: string, disk: Disk, given: GivenFacts = {}): FoundFacts {
  const doubts: string[] = [];
  const facts = factsIn(directory, doubts);
  const known: Known | undefined = facts?.exchange ?? identityIn(disk, doubts) ?? guessed(directory, given);
  const exchange = known && exchangeOf(known, { given, doubts });
  if (exchange === undefined) doubts.push('the exchange of this run is not known: give --exchange, --url and --key');
  return { run: facts?.run ?? basename(resolve(directory)), exchange, doubts };
}

function factsIn(directory: string, doubts: string[]): RunFacts | undefined {
  try {
    const facts = readFacts(directory);
    if (facts === undefined) doubts.push('facts.json is missing');
    return facts;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    doubts.push(`facts.json cannot be used: ${error.message}`);
    return undefined;
  }
}

function identityIn(disk: Disk, doubts: string[]): Known | undefined {
  const { entries } = readJournal(disk);
  const newest = entries.findLast(({ kind }) => kind === 'identity');
  const found = identityShape.safeParse(newest).data;
  if (found === undefined) return undefined;
  doubts.push('exchange and account are taken from its journal');
  const { exchange, ...rest } = found;
  return { ...rest, kind: exchange };
}

/** Guesses the exchange: a run that signs has a session key, one through a local process has none. */
function guessed(directory: string, { exchange, url, key }: GivenFacts): Known | undefined {
  if (exchange !== undefined) return { kind: exchange };
  if (url === undefined) return undefined;
  return { kind: key !== undefined || existsSync(join(directory, 'session.key')) ? 'hosted' : 'local' };
}

function exchangeOf(known: Known, { given, doubts }: { given: GivenFacts; doubts: string[] }): ExchangeFacts | undefined {
  const { kind, of, url, user, account, schema, approvals, key } = {
    ...known,
    ...withoutAbsent(given),
    kind: given.exchange ?? known.kind,
  };
  if (kind === 'embedded') return { kind };
  if (url === undefined) return undefined;
  if (kind === 'local') return { kind, url };
  if (kind === 'paper') return { kind, of: of ?? 'hosted', url };
  const named = user ?? userOfKey(given.key, doubts);
  if (named === undefined) return undefined;
  if (schema === undefined)
    doubts.push('the action schema that it used is not known: the bundled one is used if the exchange reads it in the same way');
  return {
    kind,
    url,
    user: named,
    ...(account !== undefined && { account }),
    schema: schema ?? UNKNOWN_SCHEMA,
    approvals: approvals ?? resolve(APPROVALS_FILE),
    key: key ?? '',
  };
}

const withoutAbsent = ({ url, account, key, schema }: GivenFacts): Parts => ({
  ...(url !== undefined && { url }),
  ...(account !== undefined && { account }),
  ...(key !== undefined && { key: resolve(key) }),
  ...(schema !== undefined && { schema }),
});

/** The public key of a key file; a keystore is not opened. */
function userOfKey(key: string | undefined, doubts: string[]): string | undefined {
  if (key === undefined) return undefined;
  try {
    return toBase58(publicKeyIn(key));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    doubts.push(`--key ${key} cannot be used: ${error.message}`);
    return undefined;
  }
}
