// Surface B of the embedded exchange: every endpoint of the hosted API, and the schema of its actions.
import type { Millis } from '../../base/clock.ts';
import type { Handler } from '../../base/transport.ts';
import type { Micros } from '../../domain/numbers.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import type { ActionCodec } from '../../wire/codec.ts';
import { ED25519, type Signatures } from '../../wire/signing.ts';
import { jsonReply, textReply } from '../reply.ts';
import { route, routed } from '../routing.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { actionEndpoint } from './actions.ts';
import { marketEndpoints } from './market-endpoints.ts';
import { type SessionLimits, Sessions, USUAL_LIMITS } from './sessions.ts';
import { ActionWindow, engineSeconds, type Taken } from './window.ts';

export interface HostedSurfaceOptions {
  readonly exchange: Exchange;
  /** The schema that actions are read by, and whose text is served. */
  readonly codec: ActionCodec;
  /** Quote money for a user unknown so far, on its first session; with 0 it gets USER_NOT_FOUND, as on the real exchange. */
  readonly faucet: Micros;
  /** Brings the exchange to the present; called before each answer. */
  readonly tick: () => void;
  readonly sessionLimits?: SessionLimits | undefined;
  /** Engine time as it is told and held against timestamps and expiries; the exchange's own unless told. */
  readonly engineTime?: (() => Millis) | undefined;
  /** In place of those that the surface would make for itself: for whoever meddles with them. */
  readonly sessions?: Sessions | undefined;
  readonly window?: Taken | undefined;
  /** Ed25519 unless told. */
  readonly signatures?: Signatures | undefined;
}

/** Synchronous. What is malformed is answered with 4xx and JSON, or with an error receipt; nothing that a client sends makes it throw. */
export function hostedSurface({ exchange, codec, faucet, tick, ...given }: HostedSurfaceOptions): Handler {
  const { sessionLimits = USUAL_LIMITS, engineTime = () => exchange.now() } = given;
  const { sessions = new Sessions(sessionLimits), window = new ActionWindow(), signatures = ED25519 } = given;
  const seconds = (): number => engineSeconds(engineTime());
  const answer = routed([
    route({
      method: 'POST',
      path: '/action',
      answer: actionEndpoint({ codec, context: { exchange, sessions, faucet }, window, seconds, signatures }),
    }),
    route({ path: '/schema.proto', answer: () => textReply(codec.schema.text) }),
    route({ path: '/timestamp', answer: () => jsonReply(seconds()) }),
    ...marketEndpoints(exchange),
    ...accountEndpoints(exchange, { sessions, seconds }),
  ]);
  return (request) => {
    tick();
    return answer(request);
  };
}
