// facts.json: the facts about a run that other commands need. Written at the start.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { requirePrivate } from '../../base/files/private.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { KnownVenues, VenueFacts } from './venue-kind.ts';

export const FACTS_FILE = 'facts.json';
/** The schemas that the user has approved, relative to the working directory: a fact of a run whose actions a schema describes. */
export const APPROVALS_FILE = '.bot/approved-schemas.json';

const runShape = z.object({
  version: z.literal(1),
  run: z.string(),
  strategy: z.string(),
  /** Symbols. */
  markets: z.array(z.string()),
  pid: z.number(),
  /** Start time of this process, RFC 3339. */
  started: z.string(),
  /** Version of this program. */
  tickwright: z.string(),
});

export interface RunFacts extends z.infer<typeof runShape> {
  readonly exchange: VenueFacts;
}

/** Returns the shape of the file; each kind of exchange has its own fields. */
const shapeFor = ({ defaultKind, all }: KnownVenues) => {
  const others = all.filter((kind) => kind !== defaultKind).map((kind) => kind.facts(z));
  return runShape.extend({ exchange: z.discriminatedUnion('kind', [defaultKind.facts(z), ...others]) });
};

const moduleShape = z.object({ file: z.string(), package: z.string().optional(), version: z.string().optional(), sha256: z.string() });
/** Of an exchange whose code is a module: its own facts need no shape, because the module is not loaded to read them. */
const withModule = runShape.extend({
  exchange: z.looseObject({ kind: z.string(), url: z.string().optional(), key: z.string().optional(), module: moduleShape }),
});

export const writeFacts = (disk: Disk, facts: RunFacts): void =>
  disk.replace(FACTS_FILE, new TextEncoder().encode(`${JSON.stringify(facts, undefined, 2)}\n`));

/** Reads the facts of a run; undefined if the directory has none. Throws a UserError `state` if they are damaged or another user's. */
export function readFacts(directory: string, venues: KnownVenues): RunFacts | undefined {
  requirePrivate(directory);
  const file = join(directory, FACTS_FILE);
  if (!existsSync(file)) return undefined;
  try {
    const found = readJson(readFileSync(file, 'utf8'), JSON_LIMITS.state);
    return (withModule.safeParse(found).success ? withModule : shapeFor(venues)).parse(found);
  } catch (error) {
    throw new UserError({
      code: 'state',
      message: `not the facts of a run: ${error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : messageOf(error)}`,
      place: { file },
      hint: 'start the run again: it writes a new file',
    });
  }
}
