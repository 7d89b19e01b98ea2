// A program that signs: its input, its answer, and everything that can go wrong.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openKey, plainSecretIn, publicKeyIn } from '../../../../src/base/keys/key.ts';
import { parseSigner, signWith } from '../../../../src/base/keys/signer-command.ts';
import { sessionMessage, signerFrom, toBase58 } from '../../../../src/base/wire/ed25519.ts';
import { FRAMED, fileOf, folder, noWords, PUBLIC, refusalOf, SECRET } from './samples.ts';

const SIGNATURE = signerFrom(SECRET).sign(sessionMessage(FRAMED));
const HEX = Buffer.from(SIGNATURE).toString('hex');
/** A one-line program: `input` is its standard input. */
const node = (body: string): readonly [string, ...string[]] => [
  process.execPath,
  '-e',
  `let input='';process.stdin.on('data',(t)=>{input+=t}).on('end',()=>{${body}})`,
];
const signer = (command: readonly string[], publicKey = toBase58(PUBLIC)): string => fileOf(JSON.stringify({ signer: command, publicKey }));
const say = (text: string): string => `process.stdout.write(${JSON.stringify(text)})`;
const sign = async (body: string): Promise<Uint8Array> => (await openKey(signer(node(body)), noWords)).signSession(FRAMED);

describe('an answer', () => {
  test.each([
    ['hex', HEX],
    ['hex in capitals, with a line end', `${HEX.toUpperCase()}\n`],
    ['base58', ` ${toBase58(SIGNATURE)}\r\n`],
  ])('in %s is accepted', async (_, text) => {
    expect(await sign(say(text))).toEqual(SIGNATURE);
  });

  test('gets the bytes to sign, as lowercase hex and nothing else', async () => {
    const file = join(folder(), 'given');
    await sign(`require('node:fs').writeFileSync(${JSON.stringify(file)},input);${say(HEX)}`);
    expect(readFileSync(file, 'latin1')).toBe('03010203');
  });
});

describe('refused', () => {
  test.each([
    ['no answer', '', 'answered without a signature in hex or base58'],
    ['half of a signature', say(HEX.slice(2)), 'answered without a signature in hex or base58'],
    ['prose', say('signed!'), 'answered without a signature in hex or base58'],
    ['too much output', `process.stdout.write('ab'.repeat(100000))`, 'answered with more than a signature'],
    [
      'an exit code',
      `process.stderr.write('\\n \\x1b[31mlocked\\nmore\\n');process.exitCode=3`,
      'ended with code 3; it said: \\u001b[31mlocked',
    ],
    ['a signal', `process.kill(process.pid,'SIGTERM')`, 'ended with SIGTERM'],
  ])('%s', async (_, body, reason) => {
    expect((await refusalOf(() => sign(body))).message).toContain(reason);
  });

  test('an error message that contains a key is reported without it', async () => {
    const { message } = await refusalOf(() => sign(`process.stderr.write('bad key ${toBase58(SECRET)}');process.exitCode=1`));
    expect(message).toContain('it said: bad key 4wBq');
    expect(message).not.toContain(toBase58(SECRET));
  });

  test('the signature of another key, or of another message', async () => {
    const other = signerFrom(PUBLIC).sign(sessionMessage(FRAMED));
    const elsewhere = signerFrom(SECRET).sign(FRAMED);
    for (const signature of [other, elsewhere])
      expect((await refusalOf(() => sign(say(toBase58(signature))))).message).toContain('the signature is not one of');
  });

  test('a program that does not exist, and one that does not read', async () => {
    const missing = await openKey(signer(['/nowhere/at/all']), noWords);
    expect((await refusalOf(() => missing.signSession(FRAMED))).message).toContain('cannot be started');
    const deaf = await openKey(signer(['/bin/true']), noWords);
    expect((await refusalOf(() => deaf.signSession(FRAMED))).message).toContain('answered without a signature');
  });

  test('a program that takes too long, also if its child keeps the output open', async () => {
    for (const command of [node('setTimeout(()=>{},1e6)'), ['/bin/sh', '-c', 'sleep 30 & sleep 30']]) {
      const parsed = parseSigner({ signer: command, publicKey: toBase58(PUBLIC) }, 'x');
      expect((await refusalOf(() => signWith(parsed, FRAMED, 300))).message).toContain('gave no answer within 0.3 s');
    }
  });

  test('shell syntax is a plain argument', async () => {
    const file = join(folder(), 'made');
    const key = await openKey(signer(['/bin/echo', `; touch ${file}`, `$(touch ${file})`]), noWords);
    await refusalOf(() => key.signSession(FRAMED));
    expect(existsSync(file)).toBe(false);
  });
});

describe('the file', () => {
  test('names the public key, and contains no other key', async () => {
    const file = signer(['/bin/true']);
    expect(publicKeyIn(file)).toEqual(PUBLIC);
    expect((await refusalOf(() => plainSecretIn(file))).message).toContain('is a signer file, which does not contain a plain key');
    expect((await openKey(file, noWords)).renewable).toBe(true);
  });

  test.each([
    ['no command', { signer: [], publicKey: toBase58(PUBLIC) }],
    ['an empty command', { signer: [''], publicKey: toBase58(PUBLIC) }],
    ['a command that is not a list', { signer: 'sign me', publicKey: toBase58(PUBLIC) }],
    ['no public key', { signer: ['/bin/true'] }],
    ['an invalid public key', { signer: ['/bin/true'], publicKey: 'abc' }],
    ['something else', { signer: ['/bin/true'], publicKey: toBase58(PUBLIC), shell: true }],
  ])('with %s is refused', async (_, value) => {
    expect((await refusalOf(() => publicKeyIn(fileOf(JSON.stringify(value))))).message).toContain('is not a signer file');
  });

  test('is refused if others can change it', async () => {
    const text = JSON.stringify({ signer: ['/bin/true'], publicKey: toBase58(PUBLIC) });
    expect((await refusalOf(() => publicKeyIn(fileOf(text, 0o622)))).message).toContain('has mode 0622');
  });
});
