// `bot kill` on a real file system without a free byte, mounted in a mount namespace of its own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/files/node-disk.ts';
import { KillSwitch } from '../../src/bot/journal/kill-switch.ts';
import { PATIENCE_MS } from '../patience.ts';
import { folderOf } from '../unit/cli/operate/state-folder.ts';
import { BUILT_MAIN } from './program.ts';

const ROOT = new URL('../..', import.meta.url);
const mounts = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m none /mnt']).status === 0;

/** $1: the mount point, $2: the state directory before, $3: a command that runs while kill tries. The rest is the command to test, whose output goes to $SAID. */
const FULL = `
mount -t tmpfs -o size=1m none "$1" && cp -a "$2/." "$1/" && chmod 700 "$1" || exit 99
dd if=/dev/zero of="$1/filler" bs=1k 2>/dev/null
place=$1 meanwhile=$3
shift 3
( eval "$meanwhile" ) &
"$@" > "$SAID"
echo "exit $?"
wait
cat "$SAID"
ls "$place" | sed 's/^/file /'
tr -d ' ' < "$place/latch-reserve" 2>/dev/null | sed 's/^/reserve /'
`;

function killed({ reserve, meanwhile = 'true' }: { reserve: boolean; meanwhile?: string }): { out: string; err: string } {
  const { directory, home } = folderOf({}, { holder: 'dead' });
  if (reserve) new KillSwitch(nodeDisk(directory)).reserve();
  const place = join(mkdtempSync(join(tmpdir(), 'full-')), 'state');
  mkdirSync(place);
  const script = join(home, 'full.sh');
  writeFileSync(script, FULL);
  const command = [process.execPath, BUILT_MAIN, 'kill', '--state', place, '--for', '6s'];
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', script, place, directory, meanwhile, ...command], {
    cwd: ROOT,
    timeout: PATIENCE_MS,
    env: { ...process.env, PLACE: place, SAID: join(home, 'said') },
  });
  return { out: stdout.toString(), err: stderr.toString() };
}

describe.skipIf(!mounts)('a full disk (skipped where no file system can be mounted)', { timeout: 2 * PATIENCE_MS }, () => {
  test('writes the kill switch into its reserve', () => {
    const { out } = killed({ reserve: true });
    expect(out).toContain('kill switch set to cancel-all');
    expect(out).not.toContain('kill switch NOT set');
    expect(out).toMatch(/^reserve .*"reason":"apersontypedtickwrightkill"/m);
  });

  test('without a reserve reports that no kill switch is set, and sets it as soon as there is room', () => {
    const { out, err } = killed({
      reserve: false,
      meanwhile: 'until grep -q "NOT set" "$SAID"; do sleep 0.1; done; rm "$PLACE/filler"',
    });
    expect(out).toContain('kill switch NOT set, so the bot may continue to place orders');
    expect(err).toMatch(/kill switch cannot be set.*ENOSPC|kill switch cannot be set.*no space/i);
    expect(err).toContain('the kill switch is set to cancel-all now');
    expect(out).toContain('file LATCH-cancel-all');
  });

  test('without a reserve and without room never claims that the bot has stopped placing orders', () => {
    const { out } = killed({ reserve: false });
    expect(out).toContain('the kill switch is NOT set');
    expect(out).not.toContain('places nothing');
    expect(out).toContain('exit 1');
  });
});
