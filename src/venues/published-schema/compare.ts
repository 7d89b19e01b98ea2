// Compares the action schema in use with the one that the exchange publishes.
import { UserError } from '../../base/errors.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import type { HostedClient } from '../client/hosted.ts';
import { type ActionSchema, type Comparison, compareWithPublished, type WrittenKind } from '../wire/schema/schema.ts';

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
