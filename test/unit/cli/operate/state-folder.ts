// A state directory of a run that has ended, or of one that still holds its lock.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { lockFile } from '../../../../src/base/files/file-lock.ts';
import { nodeDisk } from '../../../../src/base/files/node-disk.ts';
import { takeLock } from '../../../../src/bot/journal/directory-lock.ts';
import type { Now } from '../../../../src/bot/run/core/now.ts';
import { systemProcesses } from '../../../../src/bot/run/state/machine.ts';
import { LOCK_FILE } from '../../../../src/bot/run/state/state.ts';
import { type RunFacts, writeFacts } from '../../../../src/venues/kind/facts.ts';

const FACTS: RunFacts = {
  version: 1,
  run: 'grid-local',
  strategy: 'grid',
  markets: ['BTCUSDC'],
  exchange: { kind: 'local', url: 'http://127.0.0.1:1' },
  pid: 1,
  started: '2026-01-02T03:04:05.678Z',
  tickwright: '0.1.0',
};

export interface Folder {
  /** The directory of all runs. */
  readonly home: string;
  readonly directory: string;
}

/** `holder` of the lock: this process (`living`), one that has ended (`dead`), or none. */
export function folderOf(
  facts: Partial<RunFacts> = {},
  { holder, home = newHome() }: { holder?: 'living' | 'dead'; home?: string } = {},
): Folder {
  const all = { ...FACTS, ...facts };
  const directory = join(home, all.run);
  mkdirSync(directory, { mode: 0o700 });
  const disk = nodeDisk(directory);
  writeFacts(disk, all);
  const { self, alive } = systemProcesses();
  if (holder === 'dead') takeLock(disk, { self: { ...self, started: '1' }, alive: () => false });
  if (holder !== 'living') return { home, directory };
  const lock = takeLock(disk, { self, alive, exclude: () => lockFile(join(directory, LOCK_FILE)) });
  onTestFinished(() => lock.release());
  return { home, directory };
}

const newHome = (): string => mkdtempSync(join(tmpdir(), 'runs-'));

export const NOW: Now = {
  version: 1,
  at: '2026-01-02T03:04:05.678Z',
  pid: 1,
  status: { kind: 'status', at: '2026-01-02T03:04:05.678Z', pnl: '0.00', positions: {}, openOrders: 0 },
  mode: 'active',
  intents: [],
  holding: [],
  unhealthy: [],
  unknown: [],
  alarms: [],
};

export const writeNow = (directory: string, now: Partial<Now>): void =>
  writeFileSync(join(directory, 'now.json'), JSON.stringify({ ...NOW, ...now }));
