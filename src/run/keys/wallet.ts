// The user's own key as the session needs it. How it is loaded: `run/keys/key.ts`.

/** The user's own key, which signs only the creation of sessions. */
export interface Wallet {
  readonly publicKey: Uint8Array;
  /** Returns the signature, 64 bytes, of a framed action as written by `sessionMessage`. Rejects if it cannot be made. */
  signSession(framed: Uint8Array): Promise<Uint8Array>;
}
