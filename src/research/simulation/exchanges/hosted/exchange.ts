// The hosted exchange of a simulated run: its user's keys, its API, and how a process connects to it.

import { createHash } from 'node:crypto';
import type { Clock } from '../../../../base/clock.ts';
import { walletOf } from '../../../../base/keys/key.ts';
import type { Rng } from '../../../../base/rng.ts';
import type { Transport } from '../../../../base/transport/transport.ts';
import { ED25519, publicKeyOf, type Signatures, type Signer, toBase58 } from '../../../../base/wire/ed25519.ts';
import { retriesFor } from '../../../../bot/exchange/kit/connect-feed.ts';
import type { AdapterLog } from '../../../../bot/exchange/port.ts';
import { inheritedOptions, startCheckOption } from '../../../../bot/run/core/venue.ts';
import { hostedClient } from '../../../../venues/client/hosted.ts';
import { hostedCanceller } from '../../../../venues/hosted/canceller.ts';
import { connectHosted } from '../../../../venues/hosted/open.ts';
import { HOSTED_EXCHANGE } from '../../../../venues/hosted/rules.ts';
import { schemaFor } from '../../../../venues/published-schema/for-run.ts';
import { ActionCodec } from '../../../../venues/wire/codec.ts';
import { type ActionSchema, bundledSchema } from '../../../../venues/wire/schema/schema.ts';
import { SESSION_KEY } from '../../environment/disk/state-losses.ts';
import type { PlayedExchange, PlayedOpening } from '../../exchange-api.ts';
import type { Options } from '../../plan/options.ts';
import { hostedFormat } from './format.ts';
import { HostedServer } from './server.ts';

const QUIET = { info: () => undefined, warn: () => undefined };

export function hostedExchange({ options, rng }: PlayedOpening): PlayedExchange {
  const [secret, session] = [bytesOf(rng.fork('wallet')), bytesOf(rng.fork('session'))];
  const wallet = walletOf(secret);
  const signing = signingOf(options, wallet.publicKey);
  const user = toBase58(wallet.publicKey);
  const codec = new ActionCodec(bundledSchema());
  return {
    name: 'hosted',
    api: hostedFormat(codec),
    user,
    secrets: [secret, session],
    listed: (markets) => markets,
    prepare: (disk) => disk.create(SESSION_KEY, session),
    serve: (parts) => new HostedServer({ ...parts, codec, signing }),
    async connect({ options: { polling }, limits, foreign, claim, comparesSchema, ...given }) {
      const { clock, state, rng: drawn, transport, log } = given;
      const carriedOver = inheritedOptions({ clock, state, limits });
      const schema = comparesSchema ? await comparedSchema({ clock, rng: drawn, transport, log }) : bundledSchema();
      return connectHosted({
        ...given,
        rng: drawn.fork('venue'),
        polling,
        ...carriedOver,
        ...startCheckOption({ clock, state, foreign, claim }, { exchange: 'hosted', user }),
        schema,
        wallet,
        signatures: signing,
      });
    },
    canceller: ({ clock, rng: drawn, transport, disk, account, hasTraded }) =>
      hostedCanceller({
        clock,
        rng: drawn,
        transport,
        schema: bundledSchema(),
        trusted: true,
        hasTraded,
        sessionKey: disk.read(SESSION_KEY) ?? new Uint8Array(),
        wallet,
        accountId: account,
        log: QUIET,
        firstNonce: drawn.below(2 ** 32),
      }),
  };
}

function comparedSchema({
  transport,
  ...options
}: {
  clock: Clock;
  rng: Rng;
  transport: Transport;
  log: AdapterLog;
}): Promise<ActionSchema> {
  const retry = retriesFor(HOSTED_EXCHANGE, { ...options, rng: options.rng.fork('schema'), start: undefined });
  return schemaFor({ schema: 'bundled', url: '', log: options.log }, { client: hostedClient({ transport }), retry });
}

const bytesOf = (rng: Rng): Uint8Array => Uint8Array.from({ length: 32 }, () => rng.below(256));

/** 64 bytes that depend on each byte of message and key. Anyone with the public key can make them, which does no harm here. */
const hashOf = (publicKey: Uint8Array, message: Uint8Array): Uint8Array => createHash('sha512').update(publicKey).update(message).digest();

/** Signs with a keyed hash, which is faster to make and to check than a real signature. */
const KEYED_HASH: Signatures = {
  signerFrom(secret) {
    const publicKey = publicKeyOf(secret);
    return { publicKey, sign: (message) => new Uint8Array(hashOf(publicKey, message)) };
  },
  verifierOf: (publicKey) => (message, signature) => Buffer.compare(hashOf(publicKey, message), signature) === 0,
};

/** Each process of a run has the same keys, so signers are cached. The key of `user` signs rarely, and with real signatures in every run. */
export function signingOf({ signatures }: Pick<Options, 'signatures'>, user: Uint8Array): Signatures {
  const scheme = signatures === 'ed25519' ? ED25519 : KEYED_HASH;
  const signers = new Map<string, Signer>();
  const signerFrom = (secret: Uint8Array): Signer => {
    const name = Buffer.from(secret).toString('hex');
    const signer = signers.get(name) ?? scheme.signerFrom(secret);
    signers.set(name, signer);
    return signer;
  };
  return {
    signerFrom,
    verifierOf: (publicKey) => (Buffer.compare(publicKey, user) === 0 ? ED25519 : scheme).verifierOf(publicKey),
  };
}
