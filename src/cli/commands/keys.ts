// `bot keys`: key files, made and looked at; only the public half is ever shown.
import { writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../../base/errors.ts';
import { walletFromFile } from '../../run/key-file.ts';
import { newSecretKey, publicKeyOf, toBase58 } from '../../wire/signing.ts';
import { type ExitCode, type Host, say } from '../host.ts';

/** A Solana keypair: a JSON array of 64 bytes, the secret half first. */
export async function newKey(file: string, { stdout }: Host): Promise<ExitCode> {
  const secret = newSecretKey();
  const publicKey = publicKeyOf(secret);
  try {
    writeFileSync(file, `${JSON.stringify([...secret, ...publicKey])}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new UserError({
      code: 'key',
      message: exists
        ? `${file} exists, and a key file is never overwritten`
        : `the key file ${file} cannot be written: ${messageOf(error)}`,
      hint: exists ? 'choose another name' : 'choose a place that you may write to',
    });
  } finally {
    secret.fill(0);
  }
  say(stdout, toBase58(publicKey));
  return 0;
}

export async function showKey(file: string, { stdout }: Host): Promise<ExitCode> {
  say(stdout, toBase58(walletFromFile(file).publicKey));
  return 0;
}
