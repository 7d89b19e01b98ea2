// The requests of the hosted exchange: JSON with the kit's `exchange/kit/json-request.ts`, and bytes.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Millis } from '../../../base/clock.ts';
import type { HttpReply, HttpRequest, Transport } from '../../../base/transport.ts';
import type { MarketId } from '../../../domain/ids.ts';
import { type JsonRequest, jsonOver, statusError } from '../../../exchange/kit/json-request.ts';
import { replyTo } from '../../../exchange/kit/reply-to.ts';
import { unframe, WireError } from '../../../wire/framing.ts';
import { account, info, marketsLive, type Orderbook, orderbook, timestamp, tradesPage } from '../../../wire/json/hosted.ts';

const SCHEMA_MAX_BYTES = 1024 * 1024;
const RECEIPT_MAX_BYTES = 128 * 1024;

/** The shapes that a run polls; each has fields that no other one has. */
const POLLED_SHAPES = [account, info, marketsLive, orderbook, timestamp, tradesPage];

export interface Requests {
  readonly json: <S extends z.ZodType>(path: string, shape: S, mismatchIn?: JsonRequest<S>['mismatchIn']) => Promise<z.output<S>>;
  readonly text: (path: string) => Promise<string>;
  readonly action: (body: Uint8Array, timeoutMs: Millis) => Promise<Uint8Array>;
}

export function requestsOver(transport: Transport, readMs: Millis): Requests {
  const ask = jsonOver(transport, { reasonIn: () => undefined, distinct: POLLED_SHAPES });
  const send = async (
    request: HttpRequest,
    { isAnswer, ...limits }: { timeoutMs: Millis; maxBytes: number; isAnswer: (reply: HttpReply) => boolean },
  ): Promise<Uint8Array> => {
    const what = `${request.method} ${request.path}`;
    const reply = await replyTo(transport, request, { what, ...limits });
    if (!isAnswer(reply)) throw statusError(reply, { what });
    return reply.body;
  };
  return {
    json: (path, shape, mismatchIn) => ask({ method: 'GET', path, shape, timeoutMs: readMs, mismatchIn }),
    async text(path) {
      const limits = { timeoutMs: readMs, maxBytes: SCHEMA_MAX_BYTES };
      return new TextDecoder().decode(await send({ method: 'GET', path }, { ...limits, isAnswer: ({ status }) => status === 200 }));
    },
    // Some servers send a receipt with an error status; the receipt is the better evidence.
    action: (body, timeoutMs) =>
      send(
        { method: 'POST', path: '/action', body, contentType: 'application/octet-stream' },
        { timeoutMs, maxBytes: RECEIPT_MAX_BYTES, isAnswer: (reply) => reply.status === 200 || isFrame(reply.body) },
      ),
  };
}

/** Keeps the newest order book of each market. Books of two markets are never equal, because each has its own update id. */
export class NewestBooks {
  readonly #books = new Map<MarketId, Orderbook>();

  /** Keeps the book; returns a text instead if it is the newest one of another market. */
  keep(market: MarketId, book: Orderbook): string | undefined {
    for (const [other, newest] of this.#books)
      if (other !== market && newest.updateId === book.updateId && isDeepStrictEqual(newest, book))
        return 'the order book of another market';
    this.#books.set(market, book);
    return undefined;
  }
}

function isFrame(body: Uint8Array): boolean {
  try {
    unframe(body, { maxLength: RECEIPT_MAX_BYTES, trailing: 'refused' });
    return true;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return false;
  }
}
