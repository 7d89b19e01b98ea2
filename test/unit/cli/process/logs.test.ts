// The log contains no secrets.
import { expect, test } from 'vitest';
import { logTo } from '../../../../src/program/process/logs.ts';

test('secrets are masked by their names, on each of three levels', () => {
  const written: string[] = [];
  const log = logTo({ write: (line) => void written.push(line) });
  log.info({ secret: 'S1', wallet: { secretKey: 'S2', publicKey: 'P' }, run: { session: { sessionKey: 'S3' } } }, 'hello');
  log.warn('a word of warning');
  expect(written.join('')).not.toMatch(/S[123]/);
  const [first, second] = written.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(first).toMatchObject({ msg: 'hello', secret: '[redacted]', wallet: { publicKey: 'P' } });
  expect(second).toMatchObject({ level: 40, msg: 'a word of warning', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string });
});
