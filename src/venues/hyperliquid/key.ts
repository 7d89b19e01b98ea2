// The key file: one line with the secret key of an agent and the address of the account that approved it.
import { UserError } from '../../base/errors.ts';
import { readPrivate, secretCopy } from '../../base/keys/private-file.ts';

export interface HyperliquidKey {
  /** 32 bytes. */
  readonly secret: Uint8Array;
  /** Of the key, in lower case. */
  readonly agent: string;
  /** Of the account, in lower case. */
  readonly master: string;
}

export const KEY_HINT =
  "write the key of an agent (API wallet) and the address of your account into it, in one line: 0x… 0x…; never the account's own key";

/** Rejects with a UserError if the file cannot be read, can be read by others, or holds no key. */
export async function readKey(file: string): Promise<HyperliquidKey> {
  const bytes = readPrivate(file, { what: 'key file', hint: KEY_HINT });
  const refused = (what: string): UserError => new UserError({ code: 'key', message: `the key file ${file} ${what}`, hint: KEY_HINT });
  const [, digits, master] = /^\s*0x([0-9a-fA-F]{64})\s+(0x[0-9a-fA-F]{40})\s*$/.exec(new TextDecoder().decode(bytes)) ?? [];
  bytes.fill(0);
  if (digits === undefined || master === undefined) throw refused('does not have a key of 64 hex digits and an address of 40');
  const secret = secretCopy(Buffer.from(digits, 'hex'));
  const { addressOf } = await import('../wire/hyperliquid/typed-data.ts'); // loads the curve, which the start of other commands would wait for
  let agent: string;
  try {
    agent = addressOf(secret);
  } catch {
    throw refused('has digits that are no key');
  }
  if (agent === master.toLowerCase()) throw refused("has the account's own key: an agent's key cannot withdraw, this one can");
  return { secret, agent, master: master.toLowerCase() };
}
