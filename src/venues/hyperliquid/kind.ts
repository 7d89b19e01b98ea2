// Hyperliquid: perpetuals of the first dex with cross margin, and spot. What is special about it, and why:
//   reads are POST requests          one path only reads, the other only acts                      requests.ts
//   orders end by themselves         each is signed with its expiry, which the exchange enforces   client.ts
//   answers name no order            refusals and cancels count once the order's status agrees     placing.ts
//   an agent signs                   a key that can trade and cannot withdraw                      key.ts, start-check.ts
//   an account in two answers        it is read again until no position changed between them       account-snapshot.ts
//   fees of spot purchases           are taken from the tokens, whose balances are finer than orders  snapshots.ts
//   five significant figures         beside the tick, and a least value of orders                  snapshots.ts
import { clientKind } from '../kind/client-kind.ts';
import { type HyperliquidKey, KEY_HINT, readKey } from './key.ts';
import { ADDRESSES } from './rules.ts';

export const HYPERLIQUID = clientKind<HyperliquidKey>({
  name: 'hyperliquid',
  about: 'perpetuals and spot of Hyperliquid',
  exampleUrl: ADDRESSES.mainnet,
  addresses: ADDRESSES,
  streams: true,
  who: 'Hyperliquid',
  hint: 'the key file names the account',
  keyFile: { hint: KEY_HINT, read: readKey, textOf: ({ agent, master }) => `is of the agent ${agent}, for the account ${master}` },
  code: async () => (await import('./open.ts')).HYPERLIQUID_CODE,
});
