// Sends questions and signed actions to Hyperliquid: one path for each, both by POST.
import type { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import { type JsonRequest, jsonOver } from '../../base/transport/json-request.ts';
import type { Transport } from '../../base/transport/transport.ts';
import { type HyperliquidNetwork, signAction, type Unsigned } from '../wire/hyperliquid/sign.ts';
import type { HyperliquidKey } from './key.ts';

const READ_MS: Millis = 5_000;
/** The exchange answers an action after its block, and a taker later than others. */
const ACT_MS: Millis = 15_000;

export type HyperliquidQuestion<S extends z.ZodType> = Pick<JsonRequest<S>, 'shape' | 'mismatchIn' | 'ownConnection'>;
export type AskInfo = <S extends z.ZodType>(type: string, question: HyperliquidQuestion<S>, more?: object) => Promise<z.output<S>>;
export interface Actions {
  /**
   * Returns a nonce that is higher than all before, also those of earlier processes: milliseconds of the exchange's time. It refuses nonces that are lower
   * than its hundred highest, or far from its time, so that our clock, which may be days off, is not used.
   */
  nextNonce(this: void): number;
  /** Signs an action and sends it once. `expiresAfter` in exchange milliseconds. */
  act<S extends z.ZodType>(
    this: void,
    signed: Pick<Unsigned, 'action' | 'nonce' | 'expiresAfter'>,
    question: HyperliquidQuestion<S>,
  ): Promise<z.output<S>>;
}

export function questionsOver(transport: Transport): AskInfo {
  const send = jsonOver(transport, { reasonIn: () => undefined, reads: ['/info'] });
  return (type, question, more = {}) =>
    send({ method: 'POST', path: '/info', body: { type, ...more }, timeoutMs: READ_MS, what: `POST /info ${type}`, ...question });
}

export interface ActionsOptions {
  readonly transport: Transport;
  /** The exchange's time now, as far as it is known. */
  readonly exchangeTime: () => Millis;
  /** The highest nonce that an earlier process may have used. */
  readonly lastNonce?: number | undefined;
  readonly key: HyperliquidKey;
  readonly network: HyperliquidNetwork;
}

export function actionsOver({ transport, exchangeTime, lastNonce = 0, key, network }: ActionsOptions): Actions {
  let last = lastNonce;
  const send = jsonOver(transport, { reasonIn: () => undefined });
  return {
    nextNonce: () => (last = Math.max(last + 1, Math.floor(exchangeTime()))),
    act({ action, nonce, expiresAfter }, question) {
      const signature = signAction({ action, nonce, expiresAfter }, { secret: key.secret, network });
      const body = { action, nonce, signature, vaultAddress: null, expiresAfter: expiresAfter ?? null };
      return send({ method: 'POST', path: '/exchange', body, timeoutMs: ACT_MS, what: `POST /exchange ${action.type}`, ...question });
    },
  };
}

/** Texts that prove nothing: another copy of the action may have been executed. */
const MAYBE_DONE = /nonce|expired|cloid/i;
const GONE = /never placed, already canceled, or filled/i;

/** Returns the error for a text with which the exchange refused an action, or one order of it. */
export function refusalOf(what: string, reason: string): ClientError {
  if (MAYBE_DONE.test(reason)) return unproved(what, reason);
  const kind = GONE.test(reason) ? 'notFound' : 'refused';
  return new ClientError({ kind, status: 200, reason, message: `${what}: ${reason}` });
}

/** The error for a refusal that proves nothing about the order. */
export const unproved = (what: string, reason: string): ClientError =>
  new ClientError({ kind: 'http', status: 200, reason, message: `${what}: ${reason}` });
