// Cancels all orders of a run's account from outside the run, for `bot kill` and the watchdog.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { rngFrom } from '../../../base/rng.ts';
import { type Key, openKey } from '../../../run/keys/key.ts';
import { openAccountSweeper, outstandingIn } from '../../../run/operate/account-sweeper.ts';
import { type SweepEnd, type SweepOptions, sweep } from '../../../run/operate/sweep.ts';
import type { VenueFacts } from '../../../run/venues/venue-kind.ts';
import type { Host } from '../../host.ts';
import { logTo } from '../../process/logs.ts';
import { passphraseAt } from '../../terminal/passphrase.ts';

/** The run whose account it is. */
interface Account {
  readonly directory: string;
  readonly exchange: VenueFacts;
}

interface Rescue extends Pick<SweepOptions, 'onProgress' | 'forMs' | 'relieved'> {
  readonly host: Pick<Host, 'stdin' | 'stderr' | 'env' | 'venues'>;
  /** Called with the reason if the run's journal cannot be used. */
  readonly damaged: (why: string) => void;
}

/** Returns the result of the sweep; undefined for a run on an embedded exchange, which ends with its process. */
export async function rescue({ directory, exchange }: Account, { host, damaged, ...options }: Rescue): Promise<SweepEnd | undefined> {
  const clock = systemClock;
  const log = logTo({ write: () => undefined }); // problems are reported as progress
  const rng = rngFrom(randomBytes(8).toString('hex'));
  const firstNonce = randomBytes(4).readUInt32LE();
  const { venues } = host;
  const sweeper = await openAccountSweeper({ directory, exchange, venues, clock, rng, log, firstNonce, openKey: keyOpener(host) });
  if (sweeper === undefined) return undefined;
  const disk = nodeDisk(directory);
  const { damage } = outstandingIn(disk);
  if (damage !== undefined) damaged(damage);
  try {
    return await sweep({ clock, sweeper, outstanding: () => outstandingIn(disk), ...options });
  } finally {
    await sweeper.close();
  }
}

/** Reads the key file again at each call, since it may have been restored; but asks a person for a passphrase only once. */
function keyOpener(host: Rescue['host']): (file: string) => Promise<Key> {
  let refused: Promise<Key> | undefined;
  return (file) => {
    if (refused !== undefined) return refused;
    let asked = false;
    const opened = openKey(file, () => {
      asked = true;
      return passphraseAt(host);
    });
    opened.catch(() => {
      if (asked) refused = opened;
    });
    return opened;
  };
}
