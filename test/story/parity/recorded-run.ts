// Creates state directories of runs on virtual time, as a run of the command line leaves them.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '../../../src/base/clock.ts';
import { nodeDisk } from '../../../src/base/files/node-disk.ts';
import { openRecorder } from '../../../src/bot/run/state/turn-recorder.ts';
import { writeFacts } from '../../../src/venues/kind/facts.ts';

/** Writes the lines of a recording, header first, into a new state directory; with `segmentBytes` in several segments. */
export function stateDirectoryOf(recording: readonly string[], { segmentBytes }: { segmentBytes?: number } = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'recorded-'));
  const disk = nodeDisk(directory);
  const clock = new VirtualClock(0);
  const recorder = openRecorder(disk, { name: 'turns-20260105T120000000Z', clock, ...(segmentBytes !== undefined && { segmentBytes }) });
  for (const line of recording) {
    recorder.record(line);
    clock.advanceTo(clock.now() + 100);
  }
  recorder.close();
  writeFacts(disk, {
    version: 1,
    run: 'grid-virtual',
    strategy: 'grid',
    markets: ['BTCUSDC'],
    exchange: { kind: 'embedded' },
    pid: 1,
    started: '2026-01-05T12:00:00.000Z',
    tickwright: '0.0.0',
  });
  return directory;
}
