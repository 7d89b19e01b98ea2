// Reads the envelope of an answer: returns a validated result, or throws with the server's reason.
import { z } from 'zod';
import { JSON_LIMITS } from '../../../base/text/json.ts';
import { printable } from '../../../base/text/visible.ts';
import { ClientError, type ClientErrorKind, redirectText, retryAfterMsIn } from '../../../base/transport/client-error.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import { WireError } from '../../../base/wire/framing.ts';
import { parseJson } from '../../../base/wire/json.ts';
import {
  cancelConfirmation,
  envelope,
  localAccount,
  localBalances,
  localMarkets,
  localOrderbook,
  localOrders,
  localPositions,
  localTrades,
  readAs,
} from '../../wire/json/local.ts';

export interface EnvelopeResult<T> {
  readonly result: T;
  readonly hasMoreData: boolean | undefined;
}

/** Throws a ClientError unless it is a status of 2xx with `{success: true, result}`; the error names the request, `what`. */
export function openEnvelope<T>(reply: HttpReply, { what, shape }: { what: string; shape: z.ZodType<T> }): EnvelopeResult<T> {
  const { status, body } = reply;
  const { value, fault } = attempt(() => parseJson(body, JSON_LIMITS.reply));
  const failure = (kind: ClientErrorKind, how: string): ClientError => {
    const reason = errorTextIn(value);
    const words = reason ?? pageText(body);
    const message = words === undefined ? `${what} ${how}` : `${what} ${how}: ${words}`;
    return new ClientError({ kind, status, reason, message, retryAfterMs: retryAfterMsIn(reply) });
  };
  if (status < 200 || status > 299) throw failure(statusKind(status, value), `answered ${status}${redirectText(status)}`);
  if (fault !== undefined) throw failure('notJson', `was not answered: ${fault}`);
  const answer = envelope.safeParse(value);
  if (!answer.success) throw isRefusal(value) ? failure('refused', 'was refused') : failure('shape', 'answered without {success, result}');
  const result = attempt(() => readAs(shape, answer.data.result, 'the result'));
  if (result.fault !== undefined) throw new ClientError({ kind: 'shape', status, message: `${what}: ${result.fault}` });
  return { result: result.value, hasMoreData: answer.data.hasMoreData };
}

const EMPTY: readonly unknown[] = [];
/** The shapes of all polled answers, and of the answers to orders and cancels. */
const ALL_SHAPES = [
  localAccount,
  localMarkets,
  localOrderbook,
  localOrders,
  localPositions,
  localTrades,
  localBalances,
  cancelConfirmation,
];

/** True if a reply that does not fit its request is a valid answer to another one, for example because a proxy is one answer behind. */
export function answersAnotherRequest({ status, body }: HttpReply): boolean {
  if (status !== 200) return false;
  const { value } = attempt(() => parseJson(body, JSON_LIMITS.reply));
  const answer = envelope.safeParse(value);
  if (!answer.success || JSON.stringify(answer.data.result) === JSON.stringify(EMPTY)) return false;
  return ALL_SHAPES.some((shape) => shape.safeParse(answer.data.result).success);
}

type Attempt<T> = { readonly value: T; readonly fault?: undefined } | { readonly value?: undefined; readonly fault: string };

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { fault: error.message };
  }
}

const refusal = z.object({ success: z.literal(false) });
const refusalOrReason = z.object({ success: z.literal(false).optional() });

/** True for a refusal in the envelope, or for a reason without an envelope. */
const isRefusal = (value: unknown): boolean =>
  refusal.safeParse(value).success || (refusalOrReason.safeParse(value).success && errorTextIn(value) !== undefined);

function statusKind(status: number, value: unknown): ClientErrorKind {
  if (status === 404) return 'notFound';
  return refusal.safeParse(value).success ? 'refused' : 'http';
}

/** Only this part of a body that is not JSON is used. */
const MAX_BYTES = 8_192;

/** Returns the text under `message`, `error` or `result`, however deep they are nested; undefined if there is none. */
export function errorTextIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : printable(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, result } = value as Readonly<Record<string, unknown>>;
  return errorTextIn(message) ?? errorTextIn(error) ?? errorTextIn(result);
}

/** Returns the text of a page without its tags; undefined if there is none. */
export function pageText(body: Uint8Array): string | undefined {
  const start = new TextDecoder().decode(body.subarray(0, MAX_BYTES));
  const text = start
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : printable(text);
}
