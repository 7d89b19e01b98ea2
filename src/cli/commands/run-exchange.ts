// Where a run trades, from the flags that choose it.
import { UserError } from '../../base/errors.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Wallet } from '../../exchange/hosted/session-opening.ts';
import type { RunFlags } from './run-plan.ts';

export interface Hosted {
  readonly url: string;
  readonly wallet: Wallet;
  readonly accountId: AccountId | undefined;
  /** `bundled`, `remote`, or a file. */
  readonly schema: string;
}

/** Undefined for the embedded exchange, which takes none of the flags of a real one. UserError where flags do not fit together. */
export async function hostedBy(flags: RunFlags): Promise<Hosted | undefined> {
  const { exchange, url, key, account, paper, live, schema } = flags;
  if (exchange === 'embedded') return onlyEmbedded(flags);
  if (exchange === 'local') throw wrongFlags('--exchange local is not there yet', 'there are embedded and hosted');
  if (paper && live) throw wrongFlags('--paper and --live exclude each other', 'give one of them');
  if (paper) throw wrongFlags('--paper is not there yet', 'the embedded exchange rehearses without money: leave --exchange out');
  if (!live) {
    const hint = '--live trades with real money; without --exchange nothing real happens';
    throw wrongFlags(`--exchange ${exchange} needs --paper or --live`, hint);
  }
  if (url === undefined) throw wrongFlags(`--exchange ${exchange} needs --url`, 'write the exchange as https://host');
  if (key === undefined) throw wrongFlags(`--exchange ${exchange} needs --key`, 'make a key file with: npm run bot -- keys new FILE');
  await checkAddress(url);
  const { walletFromFile } = await import('../../run/key-file.ts');
  return { url, wallet: walletFromFile(key), accountId: account, schema };
}

function onlyEmbedded({ url, key, account, paper, live, schema }: RunFlags): undefined {
  const strangers = Object.entries({ url, key, account, paper, live }).filter(([, value]) => value !== undefined);
  const named = [...strangers.map(([name]) => name), ...(schema === 'bundled' ? [] : ['schema'])];
  if (named.length > 0)
    throw wrongFlags(`the embedded exchange takes no --${named.join(', --')}`, 'for a real exchange, add --exchange hosted');
}

/** A transport looks at its address when it is made, and sends nothing before it is asked to. */
async function checkAddress(origin: string): Promise<void> {
  const { httpTransport } = await import('../../exchange/transport/http.ts');
  await httpTransport({ origin, connections: 1 }).close();
}

const wrongFlags = (message: string, hint: string): UserError => new UserError({ code: 'use', message, hint });
