// Finds the exchange and account of a run from its facts, its journal, and the options of the command.
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../../base/errors.ts';
import type { Disk } from '../../../base/files/disk.ts';
import { publicKeyIn } from '../../../base/keys/key.ts';
import { toBase58 } from '../../../base/wire/ed25519.ts';
import { readJournal } from '../../../bot/journal/segment.ts';
import { type RunFacts, readFacts } from '../../../venues/kind/facts.ts';
import { changeOf } from '../../../venues/kind/modules/load-venue.ts';
import type { KnownVenues, PartialFacts, VenueFacts } from '../../../venues/kind/venue-kind.ts';
import type { KillFlags } from './command.ts';

/** Options of the command; they take precedence over the recorded facts. */
export type GivenFacts = Pick<KillFlags, 'exchange' | 'url' | 'account' | 'key' | 'schema'>;

export interface FoundFacts {
  readonly run: string;
  /** Undefined if unknown: the kill switch of the run can be set, but its account cannot be read. */
  readonly exchange: VenueFacts | undefined;
  /** What could not be read, and the source used instead, one sentence each. */
  readonly doubts: readonly string[];
}

type Known = PartialFacts & Pick<VenueFacts, 'kind'>;

/** The shape of the identity in the journal. */
const identityShape = z.object({
  kind: z.literal('identity'),
  exchange: z.string(),
  url: z.string().optional(),
  user: z.string().optional(),
  account: z.union([z.number(), z.string()]).optional(),
});

interface Sources {
  readonly disk: Disk;
  readonly venues: KnownVenues;
  readonly given?: GivenFacts | undefined;
}

/** Finds the facts. Never throws for damaged or missing files in the directory: they are listed in `doubts`. */
export function factsLeftIn(directory: string, { disk, venues, given = {} }: Sources): FoundFacts {
  const doubts: string[] = [];
  const facts = factsIn(directory, { venues, doubts });
  const known: Known | undefined = facts?.exchange ?? identityIn(disk, { venues, doubts }) ?? guessExchange(directory, { venues, given });
  const exchange = known && exchangeOf(known, { venues, given, doubts });
  const changed = exchange?.module && changeOf(exchange.module);
  if (changed !== undefined) doubts.push(changed);
  if (exchange === undefined) doubts.push('the exchange of this run is not known: give --exchange, --url and --key');
  return { run: facts?.run ?? basename(resolve(directory)), exchange, doubts };
}

interface FactsContext {
  readonly venues: KnownVenues;
  readonly doubts: string[];
}

function factsIn(directory: string, { venues, doubts }: FactsContext): RunFacts | undefined {
  try {
    const facts = readFacts(directory, venues);
    if (facts === undefined) doubts.push('facts.json is missing');
    return facts;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    doubts.push(`facts.json cannot be used: ${error.message}`);
    return undefined;
  }
}

function identityIn(disk: Disk, { venues, doubts }: FactsContext): Known | undefined {
  const { entries } = readJournal(disk);
  const newest = entries.findLast(({ kind }) => kind === 'identity');
  const found = identityShape.safeParse(newest).data;
  if (found === undefined || venues.named(found.exchange) === undefined) return undefined;
  doubts.push('exchange and account are taken from its journal');
  const { exchange, ...rest } = found;
  return { ...rest, kind: exchange };
}

function guessExchange(directory: string, { venues, given }: { venues: KnownVenues; given: GivenFacts }): Known | undefined {
  if (given.exchange !== undefined) return { kind: given.exchange };
  const kind = given.url === undefined ? undefined : venues.guess(directory, given);
  return kind && { kind: kind.name };
}

function exchangeOf(known: Known, { venues, given, doubts }: FactsContext & { given: GivenFacts }): VenueFacts | undefined {
  const module = given.exchange === undefined ? known.module : undefined;
  const kind = venues.of({ kind: given.exchange ?? known.kind, module });
  const partial = { ...known, module, ...withoutAbsent(given) };
  return kind.recover(partial, { userOfKey: () => userOfKey(given.key, doubts), report: (text) => doubts.push(text) });
}

const withoutAbsent = ({ url, account, key, schema }: GivenFacts): PartialFacts => ({
  ...(url !== undefined && { url }),
  ...(account !== undefined && { account }),
  ...(key !== undefined && { key: resolve(key) }),
  ...(schema !== undefined && { schema }),
});

/** Returns the public key of a key file; a keystore is not opened. */
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
