// What signs actions: the codec and the keys, and the times to sign with. A run has it, and so have `kill` and the watchdog, which only cancel.
import { Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { Wallet } from '../../base/keys/wallet.ts';
import type { Rng } from '../../base/rng.ts';
import { ED25519, type Signatures, type Signer } from '../../base/wire/ed25519.ts';
import type { HealthSeen } from '../../bot/domain/event.ts';
import type { Log } from '../../bot/exchange/kit/log.ts';
import { CancelTimes } from '../../bot/exchange/kit/sending/cancel-times.ts';
import type { WriteAhead } from '../../bot/exchange/kit/sending/outgoing.ts';
import type { VenueClock } from '../../bot/exchange/kit/venue-client.ts';
import type { HostedClient } from '../client/hosted.ts';
import { ActionCodec } from '../wire/codec.ts';
import type { ActionSchema } from '../wire/schema/schema.ts';
import { tradePages } from './public-client.ts';
import { EngineTime } from './session/engine-time.ts';

const SESSION_SECONDS = 86_400;

interface SigningParts {
  readonly client: HostedClient;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Log;
  /** Writes actions and requests for sessions ahead. */
  readonly writeAhead: WriteAhead;
  /** Used only to open a session. */
  readonly wallet: Wallet;
}

export interface SigningOptions extends SigningParts {
  readonly schema: ActionSchema;
  /** The Date headers of the answers; absent if they are not compared with the exchange's clock. */
  readonly dates?: VenueClock['dates'];
  /** Secret key of the session, 32 bytes; with the same key a restart continues the session that is still alive. */
  readonly sessionKey: Uint8Array;
  /** Ed25519 by default: only a simulated exchange accepts another. */
  readonly signatures?: Signatures | undefined;
  /** Requested life of a session; a day by default. The exchange may shorten it. */
  readonly sessionSeconds?: number | undefined;
  /** 32 bits; must differ from the nonces of a run that ended within the last minutes. */
  readonly firstNonce: number;
  /** For a process that only cancels: it signs also with a time that was assumed, or that the exchange's clock does not show. */
  readonly onlyCancels?: true | undefined;
}

export interface Signing extends SigningParts {
  readonly codec: ActionCodec;
  /** The session's key. */
  readonly signer: Signer;
  readonly nextNonce: () => number;
  readonly lifeSeconds: number;
  readonly time: EngineTime;
  /** The times of cancels, also while the exchange's clock is wrong. */
  readonly times: CancelTimes;
  /** What is known of the exchange's clock. */
  readonly health: Subject<HealthSeen>;
  readonly onlyCancels: boolean;
}

export function signingWith({ schema, dates, sessionKey, signatures = ED25519, firstNonce, ...options }: SigningOptions): Signing {
  const { client, clock, sessionSeconds: lifeSeconds = SESSION_SECONDS, onlyCancels = false } = options;
  const time = new EngineTime({ client, clock, dates });
  if (onlyCancels) time.assume(clock.now());
  const health = new Subject<HealthSeen>();
  const trades = tradePages({ client, clock, time, query: {}, map: () => undefined });
  const readNewest = async (): Promise<void> => {
    const newest = trades.pages(undefined)[Symbol.asyncIterator]();
    await newest.next().catch(() => undefined);
  };
  const times = new CancelTimes({
    clock,
    heard: (now) => time.forCancels(now),
    others: (now) => [dates?.at(now), time.byTrades(now)],
    ...(onlyCancels && { readOthers: readNewest }), // a run polls the trades
    report: (reported) => health.next({ kind: 'healthSeen', at: clock.now(), stream: 'clock', ...reported }),
  });
  const signer = signatures.signerFrom(sessionKey);
  const nextNonce = nonceCounter(firstNonce);
  return { ...options, codec: new ActionCodec(schema), signer, nextNonce, lifeSeconds, time, times, health, onlyCancels };
}

/** Returns numbers of 32 bits that distinguish equal actions of one second; the last one is followed by 0. */
export function nonceCounter(first: number): () => number {
  let next = first;
  return () => {
    const nonce = next >>> 0;
    next = nonce + 1;
    return nonce;
  };
}
