// Measures building and signing one order: from its values to the bytes that the exchange accepts.
import { createHash, sign as signBare } from 'node:crypto';
import * as noble from '@noble/ed25519';
import { newSecretKey, signerFrom } from '../src/base/wire/ed25519.ts';
import { ActionCodec, type WireAction } from '../src/venues/wire/codec.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { seal } from '../src/venues/wire/sign-action.ts';
import { type Bench, contest, type Row, type Spread, spreadText, times } from './measure.ts';
import { privateKeyOf } from './plain-client.ts';

noble.hashes.sha512 = (message) => new Uint8Array(createHash('sha512').update(message).digest());

const AIM = 50;

export const sign: Bench = async () => {
  const codec = new ActionCodec(bundledSchema());
  const secret = newSecretKey();
  const signer = signerFrom(secret);
  const key = privateKeyOf(secret);
  const bytes = codec.encode(orderOf(0));
  let nonce = 0;
  const took = await contest(
    {
      ours: () => () => signer.sign(codec.encode(orderOf(nonce++))),
      sealed: () => () => seal(orderOf(nonce++), { codec, signer }),
      noble: () => () => noble.sign(bytes, secret),
      bare: () => () => signBare(null, bytes, key),
    },
    { rounds: 7, calls: 500 },
  );
  return [
    rowOf('sign: encode, frame, sign', took.ours, { what: 'noble, signing alone', spread: took.noble }),
    rowOf('sign: the same, read back and compared', took.sealed, { what: 'node:crypto, signing alone', spread: took.bare }),
  ];
};

const rowOf = (name: string, ours: Spread, { what, spread }: { what: string; spread: Spread }): Row => ({
  name,
  figure: spreadText(ours),
  baseline: `${what} ${spreadText(spread)}`,
  ratio: times(spread.p50 / ours.p50),
  aim: `at most ${AIM} µs`,
  met: ours.p50 <= AIM,
});

const orderOf = (nonce: number): Extract<WireAction, { readonly kind: 'placeOrder' }> => ({
  kind: 'placeOrder',
  timestamp: 1_760_000_000,
  nonce,
  sessionId: '9007199254740993',
  marketId: 0,
  side: 'bid',
  fillMode: 'POST_ONLY',
  price: 600_001n,
  size: 83n,
  clientOrderId: '1845493760000000',
  senderAccountId: 42,
});
