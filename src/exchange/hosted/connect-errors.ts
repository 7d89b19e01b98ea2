// Turns failures while connecting to an exchange into messages with hints.
import { AssertionError } from '../../base/assert.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { HostedError } from './client/client.ts';

/** Makes one attempt; its failure becomes a UserError `exchange`. */
export async function orConnectError<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof UserError || error instanceof AssertionError) throw error;
    throw new UserError({ code: 'exchange', message: `connecting to the exchange failed: ${messageOf(error)}`, hint: hintFor(error) });
  }
}

/** Returns what a person can do about an error during the start. */
export function hintFor(error: unknown): string {
  const kind = error instanceof HostedError ? error.kind : undefined;
  if (kind === 'notSent') return 'nothing answers at this address: check --url and the network';
  if (kind === 'notJson' || kind === 'shape' || kind === 'notFound') {
    return 'this does not look like the API of the exchange: check --url; a web page in front of it, or a proxy, answers with HTML';
  }
  return 'try again; if it lasts, the exchange has a problem, or --url is another server';
}
