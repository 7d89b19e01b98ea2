// A whole run in this process that is ended from outside, other than by its own stop.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { type RunFlags, run } from '../../../../src/program/commands/run/run.ts';
import { PATIENCE } from '../../../patience.ts';
import { FakeHost } from '../fake-host.ts';

function started(): { host: FakeHost; state: string; over: Promise<number> } {
  const host = new FakeHost();
  const state = mkdtempSync(join(tmpdir(), 'run-'));
  const flags: RunFlags = { strategy: 'grid', exchange: 'embedded', schema: 'bundled', seed: 'x', state, json: true };
  return { host, state, over: run(flags, host) };
}

function thrownAt(message: string, file: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}\n    at decide (${file}:3:7)`;
  return error;
}

describe.concurrent('ended from outside', () => {
  test('by a bug: orders are cancelled first, then it is reported, with exit code 70', async () => {
    const { host, state, over } = started();
    await vi.waitFor(() => expect(host.stdout.text).toContain('"status":"open"'), PATIENCE);
    host.throws(thrownAt('nobody expected this', fileURLToPath(new URL('../../../../src/bot/run/core/run.ts', import.meta.url))));
    host.throws(new Error('and this comes with it')); // in the same turn of the event loop
    expect(await over).toBe(70);
    expect(JSON.parse(host.stdout.lines.at(-1) ?? '')).toMatchObject({ kind: 'summary', orders: { unknown: 0, openAtExit: 0 } });
    expect(host.stderr.text).toContain('bug: nobody expected this\n');
    expect(readFileSync(join(state, 'bug.log'), 'utf8')).toContain('Error: nobody expected this\n');
  });

  test("by an unhandled rejection in the strategy's code: the same, with its file and line, and exit code 1", async () => {
    const { host, over } = started();
    await vi.waitFor(() => expect(host.stdout.text).toContain('"status":"open"'), PATIENCE);
    host.throws(thrownAt('no price', '/home/me/mine.ts'));
    expect(await over).toBe(1);
    expect(JSON.parse(host.stdout.lines.at(-1) ?? '')).toMatchObject({ kind: 'summary', orders: { unknown: 0, openAtExit: 0 } });
    expect(host.stderr.text).toContain('error: strategy grid failed at /home/me/mine.ts:3:7: no price\n');
    expect(host.stderr.text).not.toContain('bug:');
  });

  test('before it has begun: nothing was sent, and nothing has failed', async () => {
    const { host, over } = started();
    await vi.waitFor(() => expect(host.stderr.text).toContain('seed x'), { ...PATIENCE, interval: 1 });
    host.signal('SIGINT');
    expect(await over).toBe(0);
    expect(host.stdout.text).toBe('');
    expect(host.stderr.text).toContain('stopped before any order was sent\n');
  });
});
