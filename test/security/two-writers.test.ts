// Two bots with one state directory: the second is refused, also in another process namespace, as in another container.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { inheritedOptionsWithoutSession } from '../../src/bot/run/core/venue.ts';
import { openStateDirectory } from '../../src/bot/run/state/state.ts';
import { BUILT_MAIN } from '../process/program.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const NAMESPACE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'] as const;
const hasNamespaces = spawnSync(NAMESPACE[0], [...NAMESPACE.slice(1), 'true']).status === 0;
const clock = new VirtualClock(0);

function held(): { directory: string; state: ReturnType<typeof openStateDirectory> } {
  const directory = join(mkdtempSync(join(tmpdir(), 'two-')), 'run');
  const state = openStateDirectory(directory, { clock, started: 'first' });
  onTestFinished(() => state.close());
  return { directory, state };
}

test.for([
  { where: 'in the same process namespace', before: [] },
  { where: 'in another process namespace', before: NAMESPACE },
])('a bot is refused $where', async ({ before }, { skip }) => {
  if (before.length > 0 && !hasNamespaces) skip('unshare is not allowed on this machine');
  const { directory } = held();
  const [program, ...args] = [...before, process.execPath, BUILT_MAIN, 'grid', '--for', '1s', '--state', directory, '--json'];
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, said }).toMatchObject({
    code: 2,
    said: expect.stringContaining('another process uses this state directory') as string,
  });
  expect(said).not.toContain('"placed"');
});

test('a bot whose state directory was moved away, or whose lock was removed, places nothing more', () => {
  const { directory, state } = held();
  const permit = inheritedOptionsWithoutSession({ clock, state }).writeAhead([{ action: 'cancel' }]);
  expect(permit()).toBeUndefined();
  renameSync(join(directory, 'lock'), join(directory, 'lock.away'));
  expect(permit()).toContain('the lock of the state directory was removed');
});
