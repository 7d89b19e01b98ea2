// Checks the options that choose the exchange of a run, before anything is opened.
import { UserError } from '../../base/errors.ts';
import type { VenueFlags, VenueKind } from './venue-kind.ts';

type Name = 'url' | 'key' | 'account' | 'paper' | 'live' | 'schema';

/** Throws a UserError if one of the options `of` was given. */
export function requireNone(flags: VenueFlags, { of, who, hint }: { of: readonly Name[]; who: string; hint: string }): void {
  // --schema has the default `bundled`.
  const given = of.filter((name) => flags[name] !== (name === 'schema' ? 'bundled' : undefined));
  if (given.length > 0) throw wrongFlags(`${who} does not take --${given.join(', --')}`, hint);
}

/** Throws a UserError unless `--live` was given: the exchange moves real money. Not called for a paper run. */
export function requireLive({ exchange, live }: VenueFlags): void {
  if (live) return;
  const hint =
    '--paper trades a simulated account on its data, without a key; --live trades with real money; without --exchange the embedded exchange is used';
  throw wrongFlags(`--exchange ${exchange} needs --paper or --live`, hint);
}

/** Returns the address that was given, or that of the network. Rejects with a UserError if it is missing, or if the exchange has no networks. */
export async function requireUrl(
  { name, exampleUrl, addresses, address }: Pick<VenueKind, 'name' | 'exampleUrl' | 'addresses' | 'address'>,
  { url, network }: { readonly url?: string | undefined; readonly network?: VenueFlags['network'] | undefined },
): Promise<string> {
  if (network !== undefined && addresses === undefined)
    throw wrongFlags(`--exchange ${name} does not take --network`, 'give its address with --url');
  if (network !== undefined && url !== undefined) throw wrongFlags('--network and --url exclude each other', 'give one of them');
  if (url === undefined && addresses !== undefined) return addresses[network ?? 'mainnet'];
  const own = await address?.(); // it also checks the name of the exchange
  if (url === undefined && own !== undefined) return own;
  if (url === undefined) throw wrongFlags(`--exchange ${name} needs --url`, `as in --url ${exampleUrl}`);
  return url;
}

/** Throws a UserError for an invalid address. Sends nothing. */
export async function checkAddress(origin: string): Promise<void> {
  const { httpTransport } = await import('../../base/transport/http.ts');
  await httpTransport({ origin, connections: 1 }).close();
}

/** Returns the UserError for options that contradict each other, or that an exchange does not take. */
export const wrongFlags = (message: string, hint: string): UserError => new UserError({ code: 'use', message, hint });
