// The action schema that `kill` and the watchdog sign with. It is compared with the published one before the first cancel, and not at a start.
import type { Clock, Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../wire/schema/schema.ts';
import { approvedSchema } from './approvals.ts';
import { comparedWithPublished, type SchemaSource } from './compare.ts';

export interface TrustedSchema {
  readonly schema: ActionSchema;
  /** True if the run signed with this schema: it then signs also while the exchange's own cannot be read. */
  readonly trusted?: boolean | undefined;
}

/** What facts.json has of a run's schema. */
interface RunSchema {
  /** `bundled`, `remote`, a file, or a name that no file has if it is unknown. */
  readonly schema: string;
  readonly url: string;
  /** File of the schemas that the user has approved. */
  readonly approvals: string;
}

/** Returns the schema that the run signed with; if it cannot be found, the bundled one, which is not used before the exchange's could be read. */
export function schemaOfRun({ schema, url, approvals }: RunSchema): TrustedSchema {
  if (schema === 'bundled') return { schema: bundledSchema(), trusted: true };
  try {
    const text = schema === 'remote' ? approvedSchema({ url, file: approvals })?.text : readTextFile(schema);
    if (text !== undefined) return { schema: loadSchema(text), trusted: true };
  } catch {
    // falls back to the bundled one
  }
  return { schema: bundledSchema(), trusted: false };
}

interface SchemaComparerOptions extends TrustedSchema {
  readonly client: SchemaSource;
  readonly clock: Clock;
}

/** The pause before a schema that could not be read is read again. */
const COMPARED_AGAIN: Millis = 30_000;

/**
 * Returns a function that compares the schemas once, for all cancels together, and again after a while if the exchange's could not be read. It rejects
 * with a UserError `schema`, before anything is signed, if the exchange would read a cancel or a new session as something else.
 */
export function schemaComparer({ client, clock, schema, trusted }: SchemaComparerOptions): () => Promise<void> {
  let comparison: Promise<void> = Promise.resolve();
  let nextAt: Millis = 0;
  const compare = async (): Promise<void> => {
    try {
      const { conflicts = [] } = (await comparedWithPublished(schema, client, ['createSession', 'cancelOrder'])) ?? {};
      if (conflicts.length > 0) throw conflicting(conflicts);
    } catch (error) {
      const isUnread = trusted === true && error instanceof ClientError; // the run signed with this schema: cancels go out without the comparison
      nextAt = isUnread ? clock.now() + COMPARED_AGAIN : 0;
      if (!isUnread) throw error instanceof ClientError ? unread(error) : error;
    }
  };
  return () => {
    if (clock.now() >= nextAt) {
      nextAt = Number.POSITIVE_INFINITY;
      comparison = compare();
    }
    return comparison;
  };
}

const conflicting = (conflicts: readonly string[]): UserError =>
  new UserError({
    code: 'schema',
    message: `the exchange uses another action schema than the one given (${conflicts.slice(0, 3).join('; ')}); no cancel is signed`,
    hint: 'if the exchange has changed it, approve it (schema approve) and give --schema remote, or give its numbers with --schema FILE',
  });

function unread(cause: ClientError): Error {
  const advice = 'no cancel is signed before that is read, unless the schema that the run used is given: --schema bundled, or a file';
  return new Error(`${cause.message}; ${advice}`, { cause });
}
