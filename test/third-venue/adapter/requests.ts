// Sends requests to the third exchange: public ones, and ones signed with the secret of a key.
import { createHmac } from 'node:crypto';
import { type HttpRequest, type JsonRequest, jsonOver, type Transport, type z } from 'tickwright/venue';
import * as shapes from './shapes.ts';

export interface ThirdKey {
  /** Name of the account. */
  readonly name: string;
  readonly secret: string;
}

const READ_MS = 3_000;
const ACT_MS = 15_000;

/** Returns the HMAC-SHA256 of the bytes, in hex. */
export const signature = ({ secret }: ThirdKey, text: string | Uint8Array): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** Returns a function that signs the method, the path and the bytes of the body. */
const signer =
  (key: ThirdKey) =>
  ({ method, path, body = new Uint8Array() }: HttpRequest) => ({
    'x-key': key.name,
    'x-signature': signature(key, Buffer.concat([Buffer.from(`${method} ${path} `), body])),
  });

/** Books and tickers are asked for by a POST with a JSON body. */
const READS = ['/v1/info'];

const reasonIn = (body: unknown): string | undefined => shapes.refusal.safeParse(body).data?.error;

type Question<S extends z.ZodType> = Pick<JsonRequest<S>, 'shape' | 'mismatchIn' | 'body'>;

export function requestsOver(transport: Transport, key: ThirdKey) {
  const unsigned = jsonOver(transport, { reasonIn, reads: READS });
  const signed = jsonOver(transport, { reasonIn, sign: signer(key) });
  return {
    read: <S extends z.ZodType>(path: string, question: Question<S>) =>
      unsigned({ method: 'GET', path: `/v1/${path}`, timeoutMs: READ_MS, ...question }),
    ask: <S extends z.ZodType>(body: object, question: Pick<JsonRequest<S>, 'shape' | 'mismatchIn'>) =>
      unsigned({ method: 'POST', path: '/v1/info', timeoutMs: READ_MS, body, ...question }),
    readOwn: <S extends z.ZodType>(path: string, question: Question<S>) =>
      signed({ method: 'GET', path: `/v1/${path}`, timeoutMs: READ_MS, ...question }),
    act: <S extends z.ZodType>(method: 'POST' | 'DELETE', path: string, question: Question<S>) =>
      signed({ method, path: `/v1/${path}`, timeoutMs: ACT_MS, ...question }),
  };
}
