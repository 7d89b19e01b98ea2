// Signs in a separate process, because the runtime leaves copies of a key in freed memory; they are gone when that process ends.
import { execFile } from 'node:child_process';
import { messageOf } from '../errors.ts';
import { KEY_BYTES } from '../wire/ed25519.ts';
import { SIGNATURE_BYTES } from '../wire/framing.ts';
import { keyError, secretBytes } from './private-file.ts';

/** DER prefix of a 32-byte Ed25519 key (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const DER_BYTES = PKCS8.length + KEY_BYTES;
const PATIENCE_MS = 10_000;

const IN_THE_PROCESS = `
const { createPublicKey, sign } = require('node:crypto');
const input = require('node:fs').readFileSync(0);
const key = { key: input.subarray(0, ${DER_BYTES}), format: 'der', type: 'pkcs8' };
const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-${KEY_BYTES});
process.stdout.write(Buffer.concat([publicKey, sign(null, input.subarray(${DER_BYTES}), key)]));`;

export interface Signed {
  readonly publicKey: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** Signs the message and wipes `secret`. Throws a UserError `key` if the process cannot be started. */
export function signApart(secret: Uint8Array, message: Uint8Array): Promise<Signed> {
  const input = secretBytes(DER_BYTES + message.length);
  input.set(PKCS8);
  input.set(secret, PKCS8.length);
  input.set(message, DER_BYTES);
  secret.fill(0);
  return new Promise((resolve, reject) => {
    const options = { env: {}, encoding: 'buffer', timeout: PATIENCE_MS, windowsHide: true } as const;
    const child = execFile(process.execPath, ['-e', IN_THE_PROCESS], options, (error, answer) => {
      input.fill(0);
      if (error === null && answer.length === KEY_BYTES + SIGNATURE_BYTES) return resolve(signedIn(answer));
      const why = error === null ? 'it gave no signature' : messageOf(error).split('\n')[0];
      reject(keyError(`the signing process failed: ${why}`, 'try again'));
    });
    child.stdin?.on('error', () => undefined); // a process that does not read its input reports the problem when it ends
    child.stdin?.end(input);
  });
}

const signedIn = (answer: Uint8Array): Signed => ({
  publicKey: Uint8Array.from(answer.subarray(0, KEY_BYTES)),
  signature: Uint8Array.from(answer.subarray(KEY_BYTES)),
});
