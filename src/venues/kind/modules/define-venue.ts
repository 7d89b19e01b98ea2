// An exchange of another author: the object that its module exports by default (`tickwright/venue`).
import type { Clock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Dial, Transport } from '../../../base/transport/transport.ts';
import type { VenueClient } from '../../../bot/exchange/kit/venue-client.ts';

/** The version of this interface. It changes whenever a module for an earlier one would not work. */
export const API_VERSION = 1;

/** What a client is made of; it makes no request of its own accord. */
export interface ClientOptions<K> {
  /** Sends requests to the address that `--url` gave: see `jsonOver`. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly rng: Rng;
  /** What `keyFile.parse` returned; absent for public data. */
  readonly key?: K | undefined;
  /** Opens a socket to a path of the address; absent where nothing is streamed: for checks, `kill` and public data. */
  readonly dial?: ((path: string) => Dial) | undefined;
}

/** The file that `--key` names. */
export interface VenueKeyFile<K> {
  /** What to do if the option is missing: `write the name of your key and its secret into a file`. */
  readonly hint: string;
  /** Returns the key in the text of the file; undefined if there is none. An error must not repeat the text. */
  parse(this: void, text: string): K | undefined;
  /** Returns what `doctor` says about the key, without the secret: `names the account 7`. */
  textOf(this: void, key: K): string;
}

/** What the module of an exchange exports by default, by `defineVenue`. */
export interface VenueDefinition<K = never> {
  /** `API_VERSION` of the program that the module was written for. */
  readonly apiVersion: number;
  /** The name in messages, state directories and the journal: lowercase letters, digits and dashes. It must never change. */
  readonly name: string;
  /** Version of the adapter, for messages. */
  readonly version?: string | undefined;
  /** The exchange in messages: `the third exchange`. */
  readonly who: string;
  /** An example of `--url`: `https://api.example.com`. */
  readonly exampleUrl: string;
  /** Absent if the exchange needs no key. */
  readonly keyFile?: VenueKeyFile<K> | undefined;
  /** Returns the client of an account, or of the public data alone if there is no key. Makes no request. */
  client(this: void, options: ClientOptions<K>): VenueClient;
}

/** Checks a definition as far as it can be checked without the exchange, and returns it. Throws a UserError that says what is wrong with it. */
export function defineVenue<K = never>(definition: VenueDefinition<K>): VenueDefinition<K> {
  requireDefinition(definition);
  return definition;
}

/** Throws a UserError `venue` for anything that is not the definition of an exchange for this version. */
export function requireDefinition(found: unknown): asserts found is VenueDefinition<unknown> {
  const given = (typeof found === 'object' && found !== null ? found : {}) as Readonly<Record<keyof VenueDefinition, unknown>>;
  if (given.apiVersion !== API_VERSION) {
    const version = given.apiVersion === undefined ? 'no apiVersion' : `apiVersion ${JSON.stringify(given.apiVersion)}`;
    throw wrong(
      `it has ${version}, and this program takes ${API_VERSION}`,
      'export default defineVenue({ apiVersion: 1, … }), or install the version of it that fits',
    );
  }
  const { name, who, exampleUrl, client, keyFile } = given;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw wrong(`its name ${JSON.stringify(name)} is no word of lowercase letters, digits and dashes`, 'give it a name such as my-venue');
  if (TAKEN.has(name)) throw wrong(`its name "${name}" belongs to an exchange of the program`, 'give it another name');
  if (typeof who !== 'string' || typeof exampleUrl !== 'string' || !URL.canParse(exampleUrl))
    throw wrong('who or exampleUrl is missing', "for example who: 'the example exchange', exampleUrl: 'https://api.example.com'");
  if (typeof client !== 'function') throw wrong('client is not a function', 'client: (options) => … returns a VenueClient');
  const key = keyFile as Partial<VenueKeyFile<unknown>> | undefined;
  if (key !== undefined && (typeof key.hint !== 'string' || typeof key.parse !== 'function' || typeof key.textOf !== 'function'))
    throw wrong('keyFile lacks hint, parse or textOf', 'leave keyFile out if the exchange needs no key');
}

/** The exchanges of the program itself. */
const TAKEN: ReadonlySet<string> = new Set(['embedded', 'hosted', 'local', 'paper', 'hyperliquid']);

const wrong = (message: string, hint: string): UserError =>
  new UserError({ code: 'venue', message: `not an exchange for this program: ${message}`, hint });
