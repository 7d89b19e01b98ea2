// facts.json: what a command needs to know about a run whose state directory it finds. Written at the start.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { requirePrivate } from '../../base/files/private.ts';

export const FACTS_FILE = 'facts.json';

/** Paths are absolute, because a reader may have another working directory. */
const exchangeShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('embedded') }),
  z.object({ kind: z.literal('local'), url: z.string() }),
  /** The public data of a real exchange, and a simulated account in the run's process. */
  z.object({ kind: z.literal('paper'), of: z.enum(['hosted', 'local']), url: z.string() }),
  z.object({
    kind: z.literal('hosted'),
    url: z.string(),
    /** The user's public key, in base58. */
    user: z.string(),
    /** Absent for the user's first account. */
    account: z.number().optional(),
    /** `bundled`, `remote`, or a file. */
    schema: z.string(),
    /** File of the schemas that the user has approved. */
    approvals: z.string(),
    /** Path of the key file; never its content. */
    key: z.string(),
  }),
]);

const factsShape = z.object({
  version: z.literal(1),
  run: z.string(),
  strategy: z.string(),
  /** Symbols. */
  markets: z.array(z.string()),
  exchange: exchangeShape,
  pid: z.number(),
  /** Start time of this process, RFC 3339. */
  started: z.string(),
  /** Version of this program. */
  tickwright: z.string(),
});

export type RunFacts = z.infer<typeof factsShape>;
export type ExchangeFacts = RunFacts['exchange'];

/** True if its account is simulated in the run's own process: nothing of it can rest at an exchange. */
export const isSimulated = ({ kind }: Pick<ExchangeFacts, 'kind'>): boolean => kind === 'embedded' || kind === 'paper';

export const writeFacts = (disk: Disk, facts: RunFacts): void =>
  disk.replace(FACTS_FILE, new TextEncoder().encode(`${JSON.stringify(facts, undefined, 2)}\n`));

/** Undefined if the directory has no facts. Throws a UserError `state` if they are damaged or another user's. */
export function readFacts(directory: string): RunFacts | undefined {
  requirePrivate(directory);
  const file = join(directory, FACTS_FILE);
  if (!existsSync(file)) return undefined;
  try {
    return factsShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new UserError({
      code: 'state',
      message: `not the facts of a run: ${error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : messageOf(error)}`,
      place: { file },
      hint: 'start the run again: it writes a new file',
    });
  }
}
