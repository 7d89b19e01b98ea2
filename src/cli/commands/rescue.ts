// What every rescue of a run's account from outside shares: the desk, the run's own record, and where its progress is told.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import { nodeDisk } from '../../base/node-disk.ts';
import { rngFrom } from '../../base/rng.ts';
import { openKey } from '../../run/keys/key.ts';
import { type SweepEnd, type SweepOptions, sweep } from '../../run/rescue.ts';
import { openDesk, outstandingIn } from '../../run/rescue-desk.ts';
import type { Host } from '../host.ts';
import { logTo } from '../logs.ts';
import { passphraseAt } from '../terminal/passphrase.ts';
import type { Meant } from './state-meant.ts';

interface Rescue extends Pick<SweepOptions, 'tell' | 'forMs' | 'relieved'> {
  readonly host: Pick<Host, 'stdin' | 'stderr' | 'env'>;
  /** Says why the run's own record is of no use. */
  readonly damaged: (why: string) => void;
}

/** Undefined for a run whose exchange is in its own process. */
export async function rescue({ directory, facts }: Meant, { host, damaged, ...options }: Rescue): Promise<SweepEnd | undefined> {
  const clock = systemClock;
  const log = logTo({ write: () => undefined }); // what goes wrong is told as progress
  const rng = rngFrom(randomBytes(8).toString('hex'));
  const firstNonce = randomBytes(4).readUInt32LE();
  const key = (file: string): ReturnType<typeof openKey> => openKey(file, () => passphraseAt(host));
  const desk = openDesk({ directory, exchange: facts.exchange, clock, rng, log, firstNonce, openKey: key });
  if (desk === undefined) return undefined;
  const disk = nodeDisk(directory);
  const { damage } = outstandingIn(disk);
  if (damage !== undefined) damaged(damage);
  try {
    return await sweep({ clock, desk, outstanding: () => outstandingIn(disk), ...options });
  } finally {
    await desk.close();
  }
}
