// Cancels all orders of a run's account from outside the run, for `bot kill` and the watchdog.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../base/clock.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { type Key, openKey } from '../../../base/keys/key.ts';
import { rngFrom } from '../../../base/rng.ts';
import { openAccountCanceller, outstandingIn } from '../../../venues/kind/account-canceller.ts';
import type { VenueFacts } from '../../../venues/kind/venue-kind.ts';
import { type CancelAllEnd, type CancelAllOptions, cancelAll } from '../../../venues/operate/cancel-all.ts';
import type { Host } from '../../host.ts';
import { logTo } from '../../process/logs.ts';
import { passphraseAt } from '../../terminal/passphrase.ts';

/** The run that uses the account. */
interface Account {
  readonly directory: string;
  readonly exchange: VenueFacts;
}

interface CancelAccountOptions extends Pick<CancelAllOptions, 'onProgress' | 'forMs' | 'isSuperseded'> {
  readonly host: Pick<Host, 'stdin' | 'stderr' | 'env' | 'venues'>;
  /** Called with the reason if the run's journal cannot be used. */
  readonly onDamage: (why: string) => void;
}

/** Resolves with whether it is proved that no order is left; undefined for a run on an embedded exchange, which ends with its process. */
export async function cancelAccount(
  { directory, exchange }: Account,
  { host, onDamage, ...options }: CancelAccountOptions,
): Promise<CancelAllEnd | undefined> {
  const clock = systemClock;
  const log = logTo({ write: () => undefined }); // problems are reported as progress
  const rng = rngFrom(randomBytes(8).toString('hex'));
  const firstNonce = randomBytes(4).readUInt32LE();
  const { venues } = host;
  const canceller = await openAccountCanceller({ directory, exchange, venues, clock, rng, log, firstNonce, openKey: keyOpener(host) });
  if (canceller === undefined) return undefined;
  const disk = nodeDisk(directory);
  const { damage } = outstandingIn(disk);
  if (damage !== undefined) onDamage(damage);
  try {
    return await cancelAll({ clock, canceller, outstanding: () => outstandingIn(disk), ...options });
  } finally {
    await canceller.close();
  }
}

/**
 * Returns a function that reads the key file at each call, because the file may have been restored since. It asks for a passphrase only once: after a wrong
 * one, each call fails in the same way.
 */
function keyOpener(host: CancelAccountOptions['host']): (file: string) => Promise<Key> {
  let refused: Promise<Key> | undefined;
  return (file) => {
    if (refused !== undefined) return refused;
    let askedPassphrase = false;
    const opened = openKey(file, () => {
      askedPassphrase = true;
      return passphraseAt(host);
    });
    opened.catch(() => {
      if (askedPassphrase) refused = opened;
    });
    return opened;
  };
}
