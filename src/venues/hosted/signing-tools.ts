// What signs actions: the session and its key, and the times to sign with. A run has it, and so have `kill` and the watchdog, which only cancel.
import { Subject } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { Wallet } from '../../base/keys/wallet.ts';
import type { Rng } from '../../base/rng.ts';
import { ED25519, type Signatures } from '../../base/wire/ed25519.ts';
import type { HealthSeen } from '../../bot/domain/event.ts';
import type { Log } from '../../bot/exchange/kit/log.ts';
import { CancelTimes } from '../../bot/exchange/kit/sending/cancel-times.ts';
import type { WriteAhead } from '../../bot/exchange/kit/sending/outgoing.ts';
import { ActionCodec } from '../wire/codec.ts';
import type { ActionSchema } from '../wire/schema/schema.ts';
import { type PublicOptions, tradePages } from './public-client.ts';
import { EngineTime } from './session/engine-time.ts';
import { listSessions, openSession } from './session/open-session.ts';
import { OtherSessions } from './session/other-sessions.ts';
import { Session } from './session/session.ts';
import { nonceCounter } from './session/sign-action.ts';

const SESSION_SECONDS = 86_400;

/** What signing needs. */
export interface SigningOptions extends Pick<PublicOptions, 'client' | 'dates'> {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: Log;
  /** Writes requests for sessions ahead. */
  readonly writeAhead: WriteAhead;
  /** Used only to open a session. */
  readonly wallet: Wallet;
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

/** Returns what signs: the session, its key, and what an action needs beside them. `health` has what is known of the exchange's clock. */
export function signingTools(options: SigningOptions) {
  const { client, clock, rng, log, writeAhead, wallet, onlyCancels = false } = options;
  const codec = new ActionCodec(options.schema);
  const signer = (options.signatures ?? ED25519).signerFrom(options.sessionKey);
  const nextNonce = nonceCounter(options.firstNonce);
  const time = onlyCancels ? EngineTime.assumedBy(clock) : new EngineTime();
  const tools = { client, codec, clock, time, signer, nextNonce, writeAhead, log };
  const { times, health } = cancelTimesOf(time, options);
  const lifeSeconds = options.sessionSeconds ?? SESSION_SECONDS;
  const others = new OtherSessions({ clock, log });
  const opening = { ...tools, wallet, lifeSeconds, granted: { lifeSeconds }, others, times: onlyCancels ? times : undefined };
  const session = new Session({
    ...opening,
    rng: rng.fork('session'),
    secondsAt: (now) => opening.times?.acceptedAt(now) ?? time.estimate(now),
    open: (unwanted) => openSession(opening, unwanted),
    look: () => listSessions(opening),
  });
  return { ...tools, session, times, health };
}

/** Returns the times to sign cancels with, and what they show about the exchange's clock. */
function cancelTimesOf(time: EngineTime, { client, clock, dates, onlyCancels }: SigningOptions) {
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
  return { times, health };
}
