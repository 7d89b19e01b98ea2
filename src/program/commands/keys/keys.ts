// `bot keys`: makes, encrypts and shows key files; only the public key is ever printed.
import { writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../../../base/errors.ts';
import { plainSecretIn, publicKeyIn } from '../../../base/keys/key.ts';
import { sealKeystore } from '../../../base/keys/keystore.ts';
import { newSecretKey, publicKeyOf, toBase58 } from '../../../base/wire/ed25519.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { newPassphraseAt } from '../../terminal/passphrase.ts';
import type { EncryptFlags } from './command.ts';

/** Writes a new Solana keypair: a JSON array of 64 bytes, the secret half first. */
export async function newKey(file: string, { stdout }: Host): Promise<ExitCode> {
  const secret = newSecretKey();
  const publicKey = publicKeyOf(secret);
  try {
    writeNew(file, `${JSON.stringify([...secret, ...publicKey])}\n`);
  } finally {
    secret.fill(0);
  }
  say(stdout, toBase58(publicKey));
  return 0;
}

export async function showKey(file: string, { stdout }: Host): Promise<ExitCode> {
  say(stdout, toBase58(publicKeyIn(file)));
  return 0;
}

/** Writes a keystore. Keeps the plain file, because only its owner knows whether another copy exists. */
export async function encryptKey(file: string, { out = `${file}.keystore` }: EncryptFlags, host: Host): Promise<ExitCode> {
  const publicKey = publicKeyIn(file);
  const secret = plainSecretIn(file);
  try {
    const passphrase = await newPassphraseAt(host);
    const words = passphrase.read();
    const keystore = await sealKeystore(secret, words).finally(() => words.fill(0));
    passphrase.forget();
    writeNew(out, `${JSON.stringify(keystore, undefined, 2)}\n`);
    say(host.stdout, toBase58(publicKey));
    say(host.stderr, `wrote ${out}; ${file} still holds the key unencrypted: delete it when you have tried the keystore`);
    return 0;
  } finally {
    secret.fill(0);
  }
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new UserError({
      code: 'key',
      message: exists
        ? `${file} exists, and a key file is never overwritten`
        : `the key file ${file} cannot be written: ${messageOf(error)}`,
      hint: exists ? 'choose another name' : 'choose a directory that you can write to',
    });
  }
}
