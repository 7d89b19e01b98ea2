// Reads a passphrase from its file or from the terminal, without showing typed characters; and a line that is shown.

import { createInterface } from 'node:readline';
import { UserError } from '../../base/errors.ts';
import { type Asking, nobodyToAsk, type Passphrase, passphraseFrom } from '../../base/keys/passphrase.ts';
import { keyError, secretBytes, secretCopy } from '../../base/keys/private-file.ts';
import type { Host } from '../host.ts';

type PassphraseHost = Pick<Host, 'stdin' | 'stderr' | 'env'>;

const MAX_BYTES = 1024;
/** Minimum length of a passphrase: a shorter one can be found by brute force. */
const MIN_BYTES = 8;
const [END_OF_TEXT, END_OF_INPUT, BACKSPACE, NEW_LINE, RETURN, ERASE_LINE, DELETE] = [0x03, 0x04, 0x08, 0x0a, 0x0d, 0x15, 0x7f];

/** Throws a UserError `key` if no passphrase is available. */
export const passphraseAt = (host: PassphraseHost): Promise<Passphrase> =>
  passphraseFrom({ env: host.env, ask: () => hidden('passphrase of the keystore: ', host) });

/** Reads a new passphrase; a typed one must be typed twice. Throws a UserError `key` if there is none or if it is too short. */
export async function newPassphraseAt(host: PassphraseHost): Promise<Passphrase> {
  const ask: Asking['ask'] = async () => {
    const once = await hidden('passphrase: ', host);
    const again = await hidden('repeat the passphrase: ', host);
    const same = Buffer.from(once).equals(again);
    again.fill(0);
    if (same) return once;
    once.fill(0);
    throw keyError('the two passphrases differ; nothing was written', 'run the command again');
  };
  const passphrase = await passphraseFrom({ env: host.env, ask });
  const bytes = passphrase.read();
  bytes.fill(0);
  if (bytes.length >= MIN_BYTES) return passphrase;
  passphrase.forget();
  throw keyError(
    `a passphrase of ${bytes.length} bytes is too short: it can be guessed`,
    `give at least ${MIN_BYTES} bytes; several words are better`,
  );
}

/** Reads one line without showing it. Throws a UserError `key` if there is no terminal, or at Ctrl-C or end of input. */
async function hidden(question: string, { stdin, stderr }: PassphraseHost): Promise<Uint8Array> {
  if (stdin.isTTY !== true || stdin.setRawMode === undefined) throw nobodyToAsk();
  stderr.write(question);
  stdin.setRawMode(true);
  const bytes = secretBytes(MAX_BYTES + 1);
  try {
    let length = 0;
    for (;;) {
      const chunk = await nextChunk(stdin);
      for (const [index, byte] of (chunk ?? [END_OF_INPUT]).entries()) {
        if (byte === END_OF_TEXT || byte === END_OF_INPUT)
          throw keyError('no passphrase was typed; nothing was done', 'run the command again');
        if (byte === NEW_LINE || byte === RETURN) {
          if (chunk !== undefined && index + 1 < chunk.length) stdin.unshift(Buffer.from(chunk.subarray(index + 1)));
          chunk?.fill(0);
          return secretCopy(bytes.subarray(0, length));
        }
        if (byte === ERASE_LINE) length = 0;
        else if (byte === BACKSPACE || byte === DELETE) length = withoutLast(bytes, length);
        else if (length < bytes.length) bytes[length++] = byte;
      }
      chunk?.fill(0);
    }
  } finally {
    bytes.fill(0);
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

/** Returns the length without the last character, which may have several bytes (UTF-8). */
function withoutLast(bytes: Uint8Array, length: number): number {
  let end = Math.max(0, length - 1);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** Resolves with the next typed bytes; undefined if the input has ended. */
function nextChunk(stdin: Host['stdin']): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    if (stdin.readableEnded || stdin.destroyed) return resolve(undefined);
    const settle = (chunk?: Buffer): void => {
      stdin.off('data', settle).off('end', settle).off('close', settle).pause();
      resolve(chunk);
    };
    stdin.on('data', settle).on('end', settle).on('close', settle).resume();
  });
}

/**
 * Asks a person at a terminal to type a line, and returns it trimmed; undefined if the input ends. A script cannot answer. Throws a UserError `terminal` if
 * input or output is not a terminal, before it asks.
 */
export async function prompt(question: string, { stdin, stdout }: Pick<Host, 'stdin' | 'stdout'>): Promise<string | undefined> {
  if (stdin.isTTY !== true || stdout.isTTY !== true) throw noTerminal();
  stdout.write(question);
  const lines = createInterface({ input: stdin }); // without an output, the terminal itself edits the line and ends the program at Ctrl-C
  const answer = await lines[Symbol.asyncIterator]().next();
  lines.close();
  if (answer.done !== true) return answer.value.trim();
  stdout.write('\n');
  return undefined;
}

const noTerminal = (): UserError =>
  new UserError({
    code: 'terminal',
    message: 'this must be typed by a person at a terminal; nothing was sent',
    hint: 'type the command at a terminal, without a pipe for input or output',
  });
