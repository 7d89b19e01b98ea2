// A signature made in a thread of its own, which takes everything with it when it ends: the platform keeps copies of a key until its garbage is collected.
import { Worker } from 'node:worker_threads';
import { KEY_BYTES } from '../../wire/signing.ts';
import { secretBytes } from './private-file.ts';

/** What precedes the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const IN_THE_THREAD = `
const { createPublicKey, sign } = require('node:crypto');
const { parentPort, workerData: { der, message } } = require('node:worker_threads');
const key = { key: Buffer.from(der.buffer), format: 'der', type: 'pkcs8' };
const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
const signature = sign(null, message, key);
der.fill(0);
parentPort.postMessage({ publicKey, signature });`;

export interface Signed {
  readonly publicKey: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** Resolves when the thread is gone. Wipes `secret`. */
export function signApart(secret: Uint8Array, message: Uint8Array): Promise<Signed> {
  const der = secretBytes(PKCS8.length + KEY_BYTES);
  der.set(PKCS8);
  der.set(secret, PKCS8.length);
  secret.fill(0);
  const workerData = { der, message };
  const thread = new Worker(IN_THE_THREAD, { eval: true, execArgv: [], env: {}, workerData, transferList: [der.buffer as ArrayBuffer] });
  return new Promise((resolve, reject) => {
    let made: Signed | undefined;
    thread.once('message', ({ publicKey, signature }: Signed) => {
      made = { publicKey: Uint8Array.from(publicKey), signature: Uint8Array.from(signature) };
    });
    thread.once('error', reject);
    thread.once('exit', () => (made === undefined ? reject(new Error('the signing thread ended early')) : resolve(made)));
  });
}
