// A plain client, for comparison: JSON.parse, protobufjs by reflection, and a key that is parsed for every signature.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { parse, type Type } from 'protobufjs';
import type { BookJson } from './books.ts';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export const privateKeyOf = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });

export class PlainClient {
  readonly #action: Type;
  readonly #secret: Uint8Array;
  #nonce = 0;

  constructor({ schema, secret }: { schema: string; secret: Uint8Array }) {
    this.#action = parse(schema).root.lookupType('Action');
    this.#secret = secret;
  }

  /** Returns signed bids at the best price, without any check or state. */
  answer({ bids }: BookJson, { orders, timestamp }: { orders: number; timestamp: number }): readonly Uint8Array[] {
    const best = bids[0]?.[0] ?? 0;
    return Array.from({ length: orders }, () => {
      const order = { sessionId: 1, marketId: 0, side: 'BID', fillMode: 'POST_ONLY', price: Math.round(best * 10), size: 83 };
      const action = this.#action.fromObject({ currentTimestamp: timestamp, nonce: this.#nonce++, placeOrder: order });
      const framed = this.#action.encodeDelimited(action).finish();
      return Buffer.concat([framed, sign(null, framed, privateKeyOf(this.#secret))]);
    });
  }
}
