// The state of a fleet for a restart: the reference profits of its limits, in `fleet.json`; and the lock of the process that runs the fleet.

import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { lockFile } from '../../base/files/file-lock.ts';
import { nodeDisk } from '../../base/files/node-disk.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { type KeptFleet, NOTHING_KEPT } from './limits.ts';

const FILE = 'fleet.json';
const LOCK = 'held';

const shape = z.object({
  version: z.literal(1),
  day: z.number(),
  peak: z.number(),
  runs: z.record(z.string(), z.object({ pnl: z.number(), first: z.number(), dayBegan: z.number() })),
  acted: z.array(z.enum(['gross-notional', 'daily-loss', 'drawdown'])),
});

export interface FleetState {
  readonly kept: KeptFleet;
  /** Stores the state; durable on return. Throws a DiskError if it cannot be written. */
  keep(kept: KeptFleet): void;
  close(): void;
}

/** Throws a UserError `locked` if another process has the fleet, `state` if its file is damaged. */
export function openFleetState(directory: string): FleetState {
  const disk = nodeDisk(directory);
  const lock = lockFile(join(directory, LOCK));
  if (lock === undefined)
    throw new UserError({
      code: 'locked',
      message: 'another process runs this fleet',
      hint: 'stop it first, or give this fleet another name',
    });
  try {
    const kept = readKept(disk, directory);
    return {
      kept,
      keep: (now) => disk.replace(FILE, new TextEncoder().encode(`${JSON.stringify({ version: 1, ...now })}\n`)),
      close: () => lock.release(),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function readKept(disk: Disk, directory: string): KeptFleet {
  const bytes = disk.read(FILE);
  if (bytes === undefined) return NOTHING_KEPT;
  try {
    return shape.parse(readJson(bytes, JSON_LIMITS.state));
  } catch (error) {
    throw new UserError({
      code: 'state',
      message: `not the state of a fleet: ${error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : messageOf(error)}`,
      place: { file: join(directory, FILE) },
      hint: 'remove the file: its limits then count from the next start',
    });
  }
}
