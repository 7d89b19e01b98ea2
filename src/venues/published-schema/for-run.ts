// The action schema that a run signs with.
import { UserError } from '../../base/errors.ts';
import { readNamedFile } from '../../base/files/text-file.ts';
import { PROGRAM } from '../../base/package.ts';
import type { Retry } from '../../bot/exchange/kit/start-retries.ts';
import type { AdapterLog } from '../../bot/exchange/port.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../wire/schema/schema.ts';
import { requireApproved } from './approvals.ts';
import { comparedWithPublished, type SchemaSource } from './compare.ts';

export interface ChosenSchema {
  /** `bundled`, `remote`, or a file. */
  readonly schema: string;
  /** The address of the exchange. */
  readonly url: string;
  readonly log: AdapterLog;
}

/**
 * Returns the schema to sign with. `remote` must have been approved. Any other is refused if the exchange publishes one in which a field that may be
 * written has another number or type, is missing, or has its number used for another field: it would read different orders. Reduce-only is left out if
 * it is missing there. A published text that cannot be read is a failed attempt; without any published schema nothing is compared.
 */
export async function schemaFor(
  { schema, url, log }: ChosenSchema,
  { client, retry }: { client: SchemaSource; retry: Retry },
): Promise<ActionSchema> {
  if (schema === 'remote') {
    const text = await retry(() => client.schemaText());
    requireApproved({ url, text });
    return loadSchema(text);
  }
  const chosen = schema === 'bundled' ? bundledSchema() : loadSchema(readSchema(schema));
  const comparison = await retry(() => comparedWithPublished(chosen, client));
  if (comparison === undefined) {
    log.warn(`the exchange publishes no action schema to compare with: --schema ${schema} is used as it is`);
    return chosen;
  }
  const { conflicts, omitted, others, agreed } = comparison;
  if (conflicts.length > 0) throw conflicting({ url, schema }, conflicts);
  if (omitted.length > 0) log.warn(`the action schema of the exchange lacks a field; orders are sent without it: ${omitted.join('; ')}`);
  if (others.length > 0) log.warn(`the exchange publishes another action schema than --schema ${schema}: ${others.join('; ')}`);
  return agreed;
}

const conflicting = ({ url, schema }: Pick<ChosenSchema, 'url' | 'schema'>, conflicts: readonly string[]): UserError =>
  new UserError({
    code: 'schema',
    message: `the exchange uses another action schema than ${schema === 'bundled' ? 'the bundled one' : schema}; nothing was sent. Differences: ${conflicts.join('; ')}`,
    hint: `compare and approve it (${PROGRAM} schema approve --url ${url}), then trade with --schema remote; or give a schema with the exchange's numbers with --schema FILE`,
  });

const readSchema = (file: string): string =>
  readNamedFile(file, { code: 'schema', what: `the schema ${file}`, hint: '--schema takes bundled, remote, or a .proto file' });
