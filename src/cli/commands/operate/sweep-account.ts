// What every rescue of a run's account from outside shares: the desk, the run's own record, and where its progress is told.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import { nodeDisk } from '../../../base/node-disk.ts';
import { rngFrom } from '../../../base/rng.ts';
import { type Key, openKey } from '../../../run/keys/key.ts';
import { openAccountSweeper, outstandingIn } from '../../../run/operate/account-sweeper.ts';
import { type SweepEnd, type SweepOptions, sweep } from '../../../run/operate/sweep.ts';
import type { ExchangeFacts } from '../../../run/state/facts.ts';
import type { Host } from '../../host.ts';
import { logTo } from '../../logs.ts';
import { passphraseAt } from '../../terminal/passphrase.ts';

/** Whose account it is. */
interface Account {
  readonly directory: string;
  readonly exchange: ExchangeFacts;
}

interface Rescue extends Pick<SweepOptions, 'tell' | 'forMs' | 'relieved'> {
  readonly host: Pick<Host, 'stdin' | 'stderr' | 'env'>;
  /** Says why the run's own record is of no use. */
  readonly damaged: (why: string) => void;
}

/** Undefined for a run whose exchange is in its own process. */
export async function rescue({ directory, exchange }: Account, { host, damaged, ...options }: Rescue): Promise<SweepEnd | undefined> {
  const clock = systemClock;
  const log = logTo({ write: () => undefined }); // what goes wrong is told as progress
  const rng = rngFrom(randomBytes(8).toString('hex'));
  const firstNonce = randomBytes(4).readUInt32LE();
  const sweeper = openAccountSweeper({ directory, exchange, clock, rng, log, firstNonce, openKey: keyOpener(host) });
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

/** A key file is looked at anew each time, for it may be put back meanwhile; but a person is asked for a passphrase only once. */
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
