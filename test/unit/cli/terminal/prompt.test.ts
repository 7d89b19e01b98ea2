// A question on the terminal: the typed answer, and input that cannot be asked.
import { expect, test } from 'vitest';
import { prompt } from '../../../../src/program/terminal/passphrase.ts';
import { FakeHost } from '../fake-host.ts';

const [terminal, pipe] = [new FakeHost({ isTTY: true }), new FakeHost()];

test('the answer is the first line, without surrounding spaces', async () => {
  const host = new FakeHost({ isTTY: true });
  host.stdin.write(' 12.5 \r\n13\n');
  expect(await prompt('how much? ', host)).toBe('12.5');
  expect(host.stdout.text).toBe('how much? ');
});

test('the end of the input is no answer', async () => {
  const host = new FakeHost({ isTTY: true });
  host.stdin.end();
  expect(await prompt('how much? ', host)).toBeUndefined();
});

test.each([
  ['input', { stdin: pipe.stdin, stdout: terminal.stdout }],
  ['output', { stdin: terminal.stdin, stdout: pipe.stdout }],
])('piped %s: nothing is asked', async (_, host) => {
  await expect(prompt('how much? ', host)).rejects.toMatchObject({ name: 'UserError', code: 'terminal' });
  expect(host.stdout.text).toBe('');
});
