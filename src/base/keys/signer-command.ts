// A key held by another program, which signs the bytes that open a session.
import { spawn } from 'node:child_process';
import { z } from 'zod';
import { systemClock } from '../clock.ts';
import { messageOf, type UserError } from '../errors.ts';
import { withoutKeys } from '../text/secrets.ts';
import { printable } from '../text/visible.ts';
import { fromBase58, KEY_BYTES } from '../wire/ed25519.ts';
import { SIGNATURE_BYTES } from '../wire/framing.ts';
import { keyError } from './private-file.ts';

const PATIENCE_MS = 10_000;
const MAX_ANSWER = 1024;
const MAX_COMPLAINT = 4096;

const signerShape = z.strictObject({
  /** The program and its arguments, started without a shell. */
  signer: z.tuple([z.string().min(1)], z.string()),
  publicKey: z.string().refine((text) => fromBase58(text)?.length === KEY_BYTES),
});
export type SignerCommand = z.infer<typeof signerShape>;

/** Throws a UserError `key` if the file is not a signer file. */
export function parseSigner(value: unknown, file: string): SignerCommand {
  const { data } = signerShape.safeParse(value);
  if (data !== undefined) return data;
  throw keyError(`${file} is not a signer file`, 'write {"signer": ["command", "argument"], "publicKey": "base58"}');
}

/**
 * Runs the command, which reads the bytes to sign from its standard input and prints the signature in hex or base58. Returns its 64 bytes.
 * Throws a UserError `key` if the command fails or takes longer than `patienceMs`.
 */
export function signWith(
  { signer: [program, ...args] }: SignerCommand,
  message: Uint8Array,
  patienceMs = PATIENCE_MS,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(signerError(program, reason));
    const child = spawn(program, args, { stdio: 'pipe', shell: false });
    const stopTimer = systemClock.at(systemClock.now() + patienceMs, () =>
      end(() => fail(`gave no answer within ${patienceMs / 1_000} s`)),
    );
    const end = (say: () => void): void => {
      stopTimer();
      child.kill('SIGKILL');
      for (const stream of child.stdio) stream?.destroy();
      say();
    };
    let [answer, complaint] = ['', ''];
    child.stdin.on('error', () => undefined); // a command that does not read its input reports the problem when it ends
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
      if (answer.length > MAX_ANSWER) end(() => fail('answered with more than a signature'));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = `${complaint}${text}`.slice(0, MAX_COMPLAINT);
    });
    child.once('error', (error) => end(() => fail(`cannot be started: ${messageOf(error)}`)));
    child.once('close', (code, signal) => {
      const signature = code === 0 ? signatureIn(answer.trim()) : undefined;
      if (signature !== undefined) return end(() => resolve(signature));
      const outcome = code === 0 ? 'answered without a signature in hex or base58' : `ended with ${signal ?? `code ${code}`}`;
      end(() => fail(`${outcome}${oneLine(complaint)}`));
    });
    child.stdin.end(message);
  });
}

function signatureIn(text: string): Uint8Array | undefined {
  const bytes = /^[0-9a-f]{128}$/i.test(text) ? Uint8Array.from(Buffer.from(text, 'hex')) : fromBase58(text);
  return bytes?.length === SIGNATURE_BYTES ? bytes : undefined;
}

/** The first line of its standard error, which may contain anything. */
function oneLine(complaint: string): string {
  const line = withoutKeys(complaint.split('\n').find((text) => text.trim() !== '') ?? '');
  return line === '' ? '' : `; it said: ${printable(line.trim())}`;
}

export const signerError = (program: string, reason: string): UserError =>
  keyError(`the signer ${printable(program)} ${reason}`, 'run the command of the signer file by hand, with text on its standard input');
