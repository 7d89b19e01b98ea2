// Where a run trades: the flags that choose it, and the opening of it.
import { UserError } from '../../base/errors.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Wallet } from '../../exchange/hosted/session-opening.ts';
import { httpTransport } from '../../exchange/transport/http.ts';
import { openEmbedded } from '../../run/embedded.ts';
import { openHosted } from '../../run/hosted.ts';
import { walletFromFile } from '../../run/key-file.ts';
import type { OpenVenue, VenueOptions } from '../../run/venue.ts';
import type { RunFlags, RunPlan } from './run-plan.ts';

export interface Hosted {
  readonly url: string;
  readonly wallet: Wallet;
  readonly accountId: AccountId | undefined;
  /** `bundled`, `remote`, or a file. */
  readonly schema: string;
}

/** Undefined for the embedded exchange, which takes none of the flags of a real one. UserError where flags do not fit together. */
export function checkHosted(flags: RunFlags): Hosted | undefined {
  const { exchange, url, key, account, paper, live, schema } = flags;
  if (exchange === 'embedded') {
    const strangers = Object.entries({ url, key, account, paper, live }).filter(([, value]) => value !== undefined);
    const named = [...strangers.map(([name]) => name), ...(schema === 'bundled' ? [] : ['schema'])];
    if (named.length === 0) return undefined;
    throw wrongFlags(`the embedded exchange takes no --${named.join(', --')}`, 'for a real exchange, add --exchange hosted');
  }
  if (exchange === 'local') throw wrongFlags('--exchange local is not there yet', 'there are embedded and hosted');
  if (paper && live) throw wrongFlags('--paper and --live exclude each other', 'give one of them');
  if (!paper && !live)
    throw wrongFlags(
      `--exchange ${exchange} needs --paper or --live`,
      '--live trades with real money; without --exchange nothing real happens',
    );
  if (paper) throw wrongFlags('--paper is not there yet', 'the embedded exchange rehearses without money: leave --exchange out');
  if (url === undefined) throw wrongFlags(`--exchange ${exchange} needs --url`, 'write the exchange as https://host');
  if (key === undefined) throw wrongFlags(`--exchange ${exchange} needs --key`, 'make a key file with: npm run bot -- keys new FILE');
  checkUrl(url);
  return { url, wallet: walletFromFile(key), accountId: account, schema };
}

/** A transport looks at its address when it is made, and sends nothing before it is asked to. */
const checkUrl = (url: string): void => void httpTransport({ origin: url, connections: 1 }).close();

export function openVenue(
  { hosted, facts: { seed } }: RunPlan,
  options: VenueOptions & { readonly onBug: (thrown: unknown) => void },
): Promise<OpenVenue> {
  return hosted === undefined ? openEmbedded({ ...options, seed }) : openHosted({ ...options, ...hosted });
}

const wrongFlags = (message: string, hint: string): UserError => new UserError({ code: 'use', message, hint });
