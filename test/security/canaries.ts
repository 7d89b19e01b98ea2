// Searches the output and the files of a program for secrets, in every encoding that a careless line could use.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { publicKeyOf, toBase58 } from '../../src/base/wire/ed25519.ts';

/** The same keys in each run. */
const keyNamed = (name: string): Uint8Array => new Uint8Array(createHash('sha256').update(name).digest());
export const wallet = keyNamed('the wallet of the canary');
export const session = keyNamed('the session of the canary');
export const CANARIES = { wallet, session };
export const PAIR = [...wallet, ...publicKeyOf(wallet)];
export const PASSPHRASE = 'a canary of many words';

export interface Spelling {
  readonly name: string;
  readonly bytes: Buffer;
}

const text = (name: string, spelled: string): Spelling => ({ name, bytes: Buffer.from(spelled, 'latin1') });

/** Encodings of a secret of 32 bytes. They contain parts of it, because a leaked part of a key is a leak. */
export function spellingsOf(secret: Uint8Array): readonly Spelling[] {
  const bytes = Buffer.from(secret);
  const [front, back] = [bytes.subarray(0, 16), bytes.subarray(16)];
  const list = [...bytes];
  const spelled = [
    { name: 'raw', bytes: front },
    { name: 'raw, back', bytes: back },
    text('hex', front.toString('hex')),
    text('hex, back', back.toString('hex')),
    text('HEX', front.toString('hex').toUpperCase()),
    text('HEX, back', back.toString('hex').toUpperCase()),
    text('base58', toBase58(secret).slice(0, 20)),
    text('base58, back', toBase58(secret).slice(-20)),
    text('base58 of both halves', toBase58(Buffer.concat([secret, publicKeyOf(secret)])).slice(0, 40)),
    text('JSON', list.slice(0, 16).join(',')),
    text('JSON, back', list.slice(16).join(',')),
    text('JSON with blanks', list.slice(0, 16).join(', ')),
    text('JSON on lines', list.slice(0, 16).join(',\n')),
    text(
      'object',
      list
        .slice(0, 4)
        .map((byte, index) => `"${index}":${byte}`)
        .join(','),
    ),
    text('decimal', BigInt(`0x${bytes.toString('hex')}`).toString()),
  ];
  // The base64 text of a key depends on its offset modulo 3 in the encoded bytes. All three are searched, without the characters that depend on neighbours.
  const shifted = [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, 40);
    return [text(`base64 +${shift}`, encoded), text(`base64url +${shift}`, encoded.replaceAll('+', '-').replaceAll('/', '_'))];
  });
  return [...spelled, ...shifted];
}

export interface Artefact {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The places where a secret was found, as `artefact: spelling`. Gzip files are decompressed. */
export function found(artefacts: readonly Artefact[], secrets: Readonly<Record<string, Uint8Array>>): string[] {
  const sought = Object.entries(secrets).flatMap(([whose, secret]) =>
    spellingsOf(secret).map(({ name, bytes }) => ({ name: `${whose} key in ${name}`, bytes })),
  );
  return artefacts.flatMap(({ name, bytes }) => {
    const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { finishFlush: 2 }) : bytes;
    return sought.filter((spelling) => plain.includes(spelling.bytes)).map((spelling) => `${name}: ${spelling.name}`);
  });
}

/** Every file of a folder, except those that may hold a secret. */
export function artefactsIn(folder: string, except: readonly string[] = []): Artefact[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !except.includes(name) && statSync(join(folder, name)).isFile())
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

export const artefact = (name: string, said: string): Artefact => ({ name, bytes: Buffer.from(said) });
