// Surface B of the embedded exchange: every endpoint of the hosted API, and the schema of its actions.
import type { Handler } from '../../base/transport.ts';
import type { Micros } from '../../domain/numbers.ts';
import type { Exchange } from '../../simulator/exchange.ts';
import type { ActionCodec } from '../../wire/codec.ts';
import { jsonReply, textReply } from '../reply.ts';
import { route, routed } from '../routing.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { actionEndpoint } from './actions.ts';
import { marketEndpoints } from './market-endpoints.ts';
import { type SessionLimits, Sessions, USUAL_LIMITS } from './sessions.ts';
import { engineSeconds } from './window.ts';

export interface HostedSurfaceOptions {
  readonly exchange: Exchange;
  /** The schema that actions are read by, and whose text is served. */
  readonly codec: ActionCodec;
  /** Quote money for a user unknown so far, on its first session; with 0 it gets USER_NOT_FOUND, as on the real exchange. */
  readonly faucet: Micros;
  /** Brings the exchange to the present; called before each answer. */
  readonly tick: () => void;
  readonly sessionLimits?: SessionLimits | undefined;
}

/** Synchronous. What is malformed is answered with 4xx and JSON, or with an error receipt; nothing that a client sends makes it throw. */
export function hostedSurface({ exchange, codec, faucet, tick, sessionLimits = USUAL_LIMITS }: HostedSurfaceOptions): Handler {
  const sessions = new Sessions(sessionLimits);
  const answer = routed([
    route({ method: 'POST', path: '/action', answer: actionEndpoint({ codec, desk: { exchange, sessions, faucet } }) }),
    route({ path: '/schema.proto', answer: () => textReply(codec.schema.text) }),
    route({ path: '/timestamp', answer: () => jsonReply(engineSeconds(exchange.now())) }),
    ...marketEndpoints(exchange),
    ...accountEndpoints(exchange, sessions),
  ]);
  return (request) => {
    tick();
    return answer(request);
  };
}
