// Compares the action schema in use with the one that the exchange publishes: before a run or a cancel signs with it, and as a check of `doctor`.
import { AssertionError, messageOf, UserError } from '../../base/errors.ts';
import { COMMAND } from '../../base/package.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import type { HostedClient } from '../client/hosted.ts';
import type { DoctorCheck } from '../operate/check.ts';
import { type ActionSchema, bundledSchema, type Comparison, compareWithPublished, type WrittenKind } from '../wire/schema/schema.ts';
import { approvedSchema, hashOf } from './approvals.ts';

export type SchemaSource = Pick<HostedClient, 'schemaText'>;

/** Returns undefined if the exchange publishes no schema. A text that is not a schema, such as a proxy's page, is a `shape` error. */
export async function comparedWithPublished(
  chosen: ActionSchema,
  client: SchemaSource,
  kinds?: readonly WrittenKind[],
): Promise<Comparison | undefined> {
  try {
    return compareWithPublished(chosen, await client.schemaText(), kinds);
  } catch (error) {
    if (error instanceof ClientError && error.kind === 'notFound') return undefined;
    if (!(error instanceof UserError)) throw error;
    throw new ClientError({ kind: 'shape', message: `nothing is signed before the schemas are compared, and ${error.message}` });
  }
}

const found = (verdict: DoctorCheck['verdict'], says: string, fix?: string): DoctorCheck => ({ check: 'schema', verdict, says, fix });

/** Compares the bundled and the approved schema with the published one. Never rejects with the failure of a request. */
export async function schemaCheck(url: string, client: SchemaSource): Promise<DoctorCheck> {
  try {
    const text = await client.schemaText();
    if (hashOf(text) === bundledSchema().hash) return found('ok', 'the exchange serves the bundled schema');
    if (hashOf(text) === approvedSchema({ url })?.sha256)
      return found('ok', 'the exchange serves the schema that you approved: trade with --schema remote');
    const { conflicts, omitted, others } = compareWithPublished(bundledSchema(), text);
    const look = `compare them: ${COMMAND} schema diff --url ${url}; if you trust it: ${COMMAND} schema approve --url ${url}, then --schema remote`;
    const refusal = 'a run with --schema bundled refuses to start, because the exchange would read its orders differently';
    if (conflicts.length > 0) return found('fail', `${refusal}: ${conflicts.join('; ')}`, look);
    const differences = [...omitted, ...others];
    if (differences.length > 0) return found('warn', `the exchange's schema differs from the bundled one: ${differences.join('; ')}`, look);
    return found('ok', 'the text differs from the bundled schema, but everything that the bot uses is the same');
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const fix =
      'a run does not start while it cannot be read; if the exchange publishes none, a run uses --schema as it is: check that it is the right one';
    return found('warn', `the exchange's own schema cannot be read: ${messageOf(error)}`, fix);
  }
}
