// A passphrase at the terminal: typed unseen, corrected, cancelled; and input that cannot be asked.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { newPassphraseAt, passphraseAt } from '../../../../src/program/terminal/passphrase.ts';
import { FakeHost } from '../fake-host.ts';

/** A host at a terminal where these pieces are typed. */
function typing(...pieces: readonly string[]) {
  const host = new FakeHost({ isTTY: true });
  const raw: boolean[] = [];
  const stdin = Object.assign(host.stdin, { setRawMode: (on: boolean) => raw.push(on) });
  for (const piece of pieces) stdin.write(piece);
  return { host: { stdin, stderr: host.stderr, env: {} }, raw };
}
const typed = async (...pieces: readonly string[]): Promise<string> =>
  Buffer.from((await passphraseAt(typing(...pieces).host)).read()).toString();
const refusal = async (work: Promise<unknown>): Promise<UserError> => {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof UserError) return error;
  throw new Error('it was not refused');
};

describe('typed', () => {
  test.each<[string, readonly string[], string]>([
    ['in one piece', ['my words\r'], 'my words'],
    ['one character at a time', ['m', 'y', ' ', 'w', 'o', 'r', 'd', 's', '\n'], 'my words'],
    ['corrected with backspace', ['my\x7f\x7f\x7fyour wordz\bs\r'], 'your words'],
    ['corrected in a letter of two bytes', ['Fü\x7f', 'u\r'], 'Fu'],
    ['started over', ['wrong\x15right\r'], 'right'],
  ])('%s', async (_, pieces, expected) => {
    expect(await typed(...pieces)).toBe(expected);
  });

  test('unseen: the terminal does not show it, and shows later input again', async () => {
    const { host, raw } = typing('my words\r');
    await passphraseAt(host);
    expect(raw).toEqual([true, false]);
    expect(host.stderr.text).toBe('passphrase of the keystore: \n');
  });

  test.each([
    ['Ctrl-C', 'my w\x03'],
    ['Ctrl-D', '\x04'],
  ])('cancelled with %s', async (_, text) => {
    const { host, raw } = typing(text);
    expect((await refusal(passphraseAt(host))).message).toContain('no passphrase was typed');
    expect(raw).toEqual([true, false]);
  });

  test('cancelled by the end of the input', async () => {
    const { host } = typing('my w');
    host.stdin.end();
    expect((await refusal(passphraseAt(host))).message).toContain('no passphrase was typed');
  });
});

describe('a new one', () => {
  test('is typed twice, also in one piece', async () => {
    const passphrase = await newPassphraseAt(typing('long enough\rlong enough\r').host);
    expect([Buffer.from(passphrase.read()).toString(), passphrase.lasting]).toEqual(['long enough', false]);
  });

  test('must be the same both times, and not too short', async () => {
    expect((await refusal(newPassphraseAt(typing('long enough\r', 'long enouhg\r').host))).message).toContain(
      'differ; nothing was written',
    );
    expect((await refusal(newPassphraseAt(typing('short\rshort\r').host))).message).toContain('of 5 bytes is too short');
  });
});

test('a pipe is not asked: one message says where a passphrase can come from', async () => {
  const host = new FakeHost();
  const { message, hint } = await refusal(passphraseAt(host));
  expect(message).toBe('the keystore needs its passphrase, and there is no terminal to type it on');
  expect(hint).toMatch(/TICKWRIGHT_PASSPHRASE_FILE.*0600.*TICKWRIGHT_PASSPHRASE_FD/);
  expect(host.stderr.text).toBe('');
});
