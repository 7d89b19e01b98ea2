// Schemas, codecs and byte notation that the wire tests share.
import { readFileSync } from 'node:fs';
import { ActionCodec } from '../../../src/venues/wire/codec.ts';
import { bundledSchema, loadSchema } from '../../../src/venues/wire/schema/schema.ts';

export const liveText = readFileSync(new URL('../../fixtures/live.proto', import.meta.url), 'utf8');
export const bundled = new ActionCodec(bundledSchema());
export const live = new ActionCodec(loadSchema(liveText));

/** A schema written from the API document alone. Field numbers that the document does not give are chosen here. */
export const documentText = `
  syntax = "proto3";
  enum Side { ASK = 0; BID = 1; }
  enum FillMode { LIMIT = 0; POST_ONLY = 1; IMMEDIATE_OR_CANCEL = 2; FILL_OR_KILL = 3; }
  enum Error { NONE = 0; INSUFFICIENT_FUNDS = 1; INVALID_SIGNATURE = 2; SESSION_NOT_FOUND = 133; ORDER_NOT_FOUND = 4; }
  message CreateSession { bytes user_pubkey = 1; bytes session_pubkey = 2; int64 expiry_timestamp = 3; }
  message PlaceOrder { uint64 session_id = 1; uint32 market_id = 2; Side side = 3; FillMode fill_mode = 4; uint64 price = 5; uint64 size = 6; }
  message CancelOrder { uint64 session_id = 1; uint64 order_id = 2; }
  message Action {
    uint64 current_timestamp = 11;
    uint64 nonce = 12;
    oneof kind { CreateSession create_session = 13; PlaceOrder place_order = 14; CancelOrder cancel_order = 15; }
  }
  message CreateSessionResult { uint64 session_id = 1; }
  message PlaceOrderResult {}
  message CancelOrderResult {}
  message Receipt {
    uint64 action_id = 1;
    oneof kind {
      Error err = 32;
      CreateSessionResult create_session_result = 33;
      PlaceOrderResult place_order_result = 34;
      CancelOrderResult cancel_order_result = 35;
    }
  }`;

/** Bytes of hex text: `hex('08 07')`. */
export const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s+/g, ''), 'hex'));
/** Bytes of hex text with their length before them; for messages shorter than 128 bytes. */
export const framed = (text: string): Uint8Array => Uint8Array.from([hex(text).length, ...hex(text)]);
export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** What was thrown, or undefined. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return thrown;
  }
}
