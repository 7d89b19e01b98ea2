// The user's own key as the session needs it. How it is loaded: `base/keys/key.ts`.
import { UserError } from '../errors.ts';
import { toBase58 } from '../wire/ed25519.ts';

/** The user's own key, which signs only the creation of sessions. */
export interface Wallet {
  readonly publicKey: Uint8Array;
  /** Returns the signature, 64 bytes, of a framed action as written by `sessionMessage`. Rejects if it cannot be made. */
  signSession(framed: Uint8Array): Promise<Uint8Array>;
}

/** Returns a wallet that opens the key file only to sign. */
export function walletOnDemand(publicKey: Uint8Array, open: () => Promise<Wallet>): Wallet {
  return {
    publicKey,
    async signSession(framed) {
      const wallet = await open();
      if (Buffer.from(wallet.publicKey).equals(publicKey)) return wallet.signSession(framed);
      throw new UserError({
        code: 'key',
        message: `the key file now holds another key than the one this run trades with: ${toBase58(wallet.publicKey)}`,
        hint: `put the key of ${toBase58(publicKey)} back`,
      });
    },
  };
}
