// `bot schema`: shows, compares and approves the action schema of an exchange.
import { messageOf, UserError } from '../../../base/errors.ts';
import { visible } from '../../../base/text/visible.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import { httpTransport } from '../../../base/transport/http.ts';
import { hostedClient } from '../../../venues/client/hosted.ts';
import { approvedSchema, approveSchema, differencesText, hashOf, type SchemaApproval } from '../../../venues/published-schema/approvals.ts';
import { bundledSchema, schemaDifferences } from '../../../venues/wire/schema/schema.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import type { UrlFlags } from './command.ts';

/** Prints only the text on standard output, so that it can be saved to a file; the hash goes to standard error. */
export async function show({ url }: UrlFlags, { stdout, stderr }: Host): Promise<ExitCode> {
  const text = await readSchemaText(url);
  const shown = visible(text.replaceAll('\r\n', '\n'));
  stdout.write(shown);
  const note = shown === text ? '' : ' of the text as served; in the text above, control characters are escaped';
  say(stderr, `sha256 ${hashOf(text)}${note}`);
  return 0;
}

export async function diff({ url }: UrlFlags, { stdout }: Host): Promise<ExitCode> {
  const text = await readSchemaText(url);
  const approved = approvedSchema({ url });
  say(stdout, differencesFrom('the bundled schema', bundledSchema(), text));
  say(
    stdout,
    approved === undefined ? 'no schema of this exchange has been approved yet' : differencesFrom('the approved schema', approved, text),
  );
  return 0;
}

export async function approve({ url }: UrlFlags, { stdout }: Host): Promise<ExitCode> {
  const text = await readSchemaText(url);
  const before = approvedSchema({ url });
  say(stdout, differencesFrom(before === undefined ? 'the bundled schema' : 'the schema approved before', before ?? bundledSchema(), text));
  const { sha256 } = approveSchema({ url, text });
  say(stdout, `approved: sha256 ${sha256}`);
  return 0;
}

/** Returns the differences between a known schema and the text of the exchange. */
function differencesFrom(what: string, known: Pick<SchemaApproval, 'text'>, text: string): string {
  if (known.text === text) return `against ${what}: the same text`;
  return `against ${what}:\n${differencesText(schemaDifferences(known, { text }), Number.POSITIVE_INFINITY)}`; // all of them
}

/** Reads the text of the schema from the exchange. Throws a UserError if that fails. */
async function readSchemaText(url: string): Promise<string> {
  const transport = httpTransport({ origin: url, connections: 1 });
  try {
    return await hostedClient({ transport }).schemaText();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new UserError({ code: 'exchange', message: `the schema of ${url} cannot be read: ${messageOf(error)}`, hint: 'check --url' });
  } finally {
    await transport.close();
  }
}
