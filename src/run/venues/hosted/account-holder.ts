// What identifies the account of a run at a hosted exchange: the exchange's address and the user's public key.
import type { Wallet } from '../../../exchange/hosted/session/wallet.ts';
import { toBase58 } from '../../../wire/ed25519.ts';
import type { AccountHolder } from '../../core/start-check.ts';

export const hostedAccountHolder = ({ url, wallet }: { readonly url: string; readonly wallet: Pick<Wallet, 'publicKey'> }) =>
  ({ exchange: 'hosted', url: new URL(url).origin, user: toBase58(wallet.publicKey) }) satisfies AccountHolder;
