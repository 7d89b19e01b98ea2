// The user's key, the file that `--key` names (docs/security.md): a plain file (key-text.ts), a keystore with a passphrase (keystore.ts,
// passphrase.ts), or a signer command (signer-command.ts). private-file.ts reads files that only their owner may read; sign-apart.ts signs in a
// separate process. Keys in messages and logs are masked by `base/text/secrets.ts`.

import { type UserError, unreachable } from '../errors.ts';
import { COMMAND } from '../package.ts';
import { JSON_LIMITS, readJson } from '../text/json.ts';
import { fromBase58, publicKeyOf, sessionMessage, signerFrom, toBase58, verify } from '../wire/ed25519.ts';
import { firstNonBlank, type PlainKey, plainKeyIn } from './key-text.ts';
import { type Keystore, openKeystore, parseKeystore } from './keystore.ts';
import type { Passphrase } from './passphrase.ts';
import { keyError, readPrivate, secretBytes } from './private-file.ts';
import { signApart } from './sign-apart.ts';
import { parseSigner, signWith } from './signer-command.ts';
import type { Wallet } from './wallet.ts';

/** The user's wallet. How long its secret half is in memory: see the function that returns the key. */
export interface Key extends Wallet {
  /** True if it can sign after `forget`; false if its passphrase cannot be read again. */
  readonly renewable: boolean;
  /** Erases the passphrase if it is kept in memory. */
  forget(): void;
}

const KEY_FILE = { what: 'key file', hint: `make one with: ${COMMAND} keys new FILE` };
const BRACE = 0x7b;
const NOTHING = new Uint8Array();

/**
 * Returns the public key of any kind of key file, without opening a keystore. Only for a process that ends soon: traces of a plain key stay in memory
 * until garbage collection. Throws a UserError `key` if the file is not a key file.
 */
export function publicKeyIn(file: string): Uint8Array {
  const source = sourceOf(file);
  if (source.kind !== 'plain') return statedKey(source.publicKey);
  const publicKey = publicKeyOf(source.secret);
  source.secret.fill(0);
  return paired(source, publicKey, file);
}

/** Returns the secret half of a plain key file; the caller wipes it. Throws a UserError `key` if it is not a plain key file. */
export function plainSecretIn(file: string): Uint8Array {
  const source = sourceOf(file);
  if (source.kind === 'plain') return source.secret;
  throw keyError(`${file} is a ${source.kind} file, which does not contain a plain key`, 'give a plain key file');
}

/**
 * Opens a key file. Its secret half is in memory only while it signs.
 * - A plain key file is read now, and again for each signature.
 * - A keystore is read once and stays in memory, encrypted. Its passphrase is asked for, and checked by opening it once; it is opened for each signature.
 * - A signer file is read once. Its command runs for each signature.
 * Throws a UserError `key` if anything is wrong.
 */
export async function openKey(file: string, passphrase: () => Promise<Passphrase>): Promise<Key> {
  const source = sourceOf(file);
  switch (source.kind) {
    case 'signer':
      return keyOf(statedKey(source.publicKey), (message) => signWith(source.command, message));
    case 'plain': {
      const { publicKey } = await signApart(source.secret, NOTHING);
      return keyOf(paired(source, publicKey, file), async (message) => (await signApart(plainSecretIn(file), message)).signature);
    }
    case 'keystore':
      return keystoreKey(source.keystore, await passphrase());
    default:
      return unreachable(source);
  }
}

async function keystoreKey(keystore: Keystore, words: Passphrase): Promise<Key> {
  try {
    (await secretOf(keystore, words)).fill(0);
  } catch (error) {
    words.forget();
    throw error;
  }
  const key = keyOf(
    statedKey(keystore.publicKey),
    async (message) => (await signApart(await secretOf(keystore, words), message)).signature,
  );
  return { ...key, renewable: words.lasting, forget: () => words.forget() };
}

/** Returns a key that was made for one run only. Its secret half stays in memory for the whole run. */
export function walletOf(secret: Uint8Array): Key {
  const signer = signerFrom(secret);
  return keyOf(signer.publicKey, async (message) => signer.sign(message));
}

/** Checks each signature before returning it. */
function keyOf(publicKey: Uint8Array, sign: (message: Uint8Array) => Promise<Uint8Array>): Key {
  return {
    publicKey,
    async signSession(framed) {
      const message = sessionMessage(framed);
      const signature = await sign(message);
      if (verify({ publicKey, message, signature })) return signature;
      throw notItsSignature(publicKey);
    },
    renewable: true,
    forget: () => undefined,
  };
}

type KeySource =
  | ({ readonly kind: 'plain' } & PlainKey)
  | { readonly kind: 'keystore'; readonly publicKey: string; readonly keystore: Keystore }
  | { readonly kind: 'signer'; readonly publicKey: string; readonly command: ReturnType<typeof parseSigner> };

function sourceOf(file: string): KeySource {
  const text = readPrivate(file, KEY_FILE);
  if (text[firstNonBlank(text)] !== BRACE) return { kind: 'plain', ...plainKeyIn(text, file) };
  const value = parsed(text);
  text.fill(0);
  if (typeof value === 'object' && value !== null && 'signer' in value) {
    const command = parseSigner(value, file);
    return { kind: 'signer', publicKey: command.publicKey, command };
  }
  const keystore = parseKeystore(value, file);
  return { kind: 'keystore', publicKey: keystore.publicKey, keystore };
}

/** Returns the parsed JSON; undefined for text that is not JSON. The parser's own error is not used because it would quote the text. */
function parsed(text: Uint8Array): unknown {
  try {
    return readJson(text, JSON_LIMITS.file);
  } catch {
    return undefined;
  }
}

async function secretOf(keystore: Keystore, words: Passphrase): Promise<Uint8Array> {
  const passphrase = words.read();
  try {
    return await openKeystore(keystore, passphrase);
  } finally {
    passphrase.fill(0);
  }
}

function paired({ stated }: PlainKey, publicKey: Uint8Array, file: string): Uint8Array {
  if (stated === undefined || Buffer.from(publicKey).equals(stated)) return publicKey;
  throw keyError(`${file}: the public half does not belong to the secret half`, 'export the keypair again');
}

/** Returns an empty key, which verifies no signature, for text that is not base58. */
const statedKey = (publicKey: string): Uint8Array => fromBase58(publicKey) ?? secretBytes(0);

const notItsSignature = (publicKey: Uint8Array): UserError =>
  keyError(`the signature is not one of ${toBase58(publicKey)}`, 'check that the public key belongs to this key');
