// Builds what actions are signed with: codec, session key, nonces, and the times to sign with. A run has it, and so have `kill` and the watchdog.
import { Subject } from 'rxjs';
import type { Clock, Millis } from '../../base/clock.ts';
import type { Wallet } from '../../base/keys/wallet.ts';
import type { Rng } from '../../base/rng.ts';
import type { Transport } from '../../base/transport/transport.ts';
import { ED25519, type Signatures, type Signer } from '../../base/wire/ed25519.ts';
import type { HealthSeen } from '../../bot/domain/event.ts';
import { NO_WRITE_AHEAD, type WriteAhead } from '../../bot/exchange/kit/sending/outgoing.ts';
import { DateHeaders } from '../../bot/exchange/kit/streams/date-headers.ts';
import type { AdapterLog } from '../../bot/exchange/port.ts';
import { type HostedClient, hostedClient } from '../client/hosted.ts';
import { CancelTimes } from '../shared/cancel-times.ts';
import { firstPage } from '../shared/cursor-pages.ts';
import { ActionCodec } from '../wire/codec.ts';
import type { ActionSchema } from '../wire/schema/schema.ts';
import { tradePages } from './public-client.ts';
import { EngineTime } from './session/engine-time.ts';

const SESSION_SECONDS = 86_400;
const ACTION_TIMEOUT: Millis = 30_000;

export interface SigningOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: AdapterLog;
  /** Used only to open a session. */
  readonly wallet: Wallet;
  readonly transport: Transport;
  /** How long a connection waits for the answer to an action, also after the gateway's timeout; 30 s by default. */
  readonly actionMs?: Millis | undefined;
  /** Writes actions and requests for sessions ahead; by default nothing is written. */
  readonly writeAhead?: WriteAhead | undefined;
  readonly schema: ActionSchema;
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

export interface SigningContext extends Pick<SigningOptions, 'clock' | 'rng' | 'log' | 'wallet'> {
  readonly client: HostedClient;
  readonly writeAhead: WriteAhead;
  readonly codec: ActionCodec;
  /** The session's key. */
  readonly signer: Signer;
  /** Returns numbers of 32 bits that distinguish equal actions of one second; the last one is followed by 0. */
  readonly nextNonce: () => number;
  readonly lifeSeconds: number;
  readonly time: EngineTime;
  /** The times of cancels, also while the exchange's clock is wrong. */
  readonly times: CancelTimes;
  /** What is known of the exchange's clock. */
  readonly health: Subject<HealthSeen>;
  readonly onlyCancels: boolean;
}

export function signingContextFrom({
  transport,
  schema,
  sessionKey,
  signatures = ED25519,
  firstNonce,
  ...options
}: SigningOptions): SigningContext {
  const { clock, writeAhead = NO_WRITE_AHEAD, actionMs = ACTION_TIMEOUT, onlyCancels = false } = options;
  const { sessionSeconds: lifeSeconds = SESSION_SECONDS } = options;
  const dates = new DateHeaders(clock);
  const client = hostedClient({ transport: dates.over(transport), timeouts: { actionMs } });
  const time = new EngineTime({ client, clock, dates });
  if (onlyCancels) time.assume(clock.now());
  const health = new Subject<HealthSeen>();
  const trades = tradePages({ client, clock, time, query: {}, map: () => undefined });
  const readNewest = async (): Promise<void> => {
    await firstPage(trades.pages(undefined)).catch(() => undefined);
  };
  const times = new CancelTimes({
    clock,
    heard: (now) => time.forCancels(now),
    others: (now) => [dates.at(now), time.byTrades(now)],
    ...(onlyCancels && { readOthers: readNewest }), // a run polls the trades
    report: (reported) => health.next({ kind: 'healthSeen', at: clock.now(), stream: 'clock', ...reported }),
  });
  const signer = signatures.signerFrom(sessionKey);
  let nonce = firstNonce;
  const nextNonce = (): number => nonce++ >>> 0;
  const codec = new ActionCodec(schema);
  return { ...options, client, writeAhead, codec, signer, nextNonce, lifeSeconds, time, times, health, onlyCancels };
}
