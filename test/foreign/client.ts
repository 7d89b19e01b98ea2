// An independent client of the hosted API with its own encoder. It shares no code with src/.
import { request as httpRequest } from 'node:http';
import { readJson } from './json.ts';
import { hexText, type KeyPair } from './keys.ts';
import {
  ACTION,
  CANCEL_ORDER,
  CREATE_SESSION,
  FILL_MODES,
  type FillMode,
  type Numbering,
  PLACE_ORDER,
  SIDES,
  type Side,
} from './numbering.ts';
import { frame, implicit, message, type Value } from './protobuf.ts';
import { type Receipt, readReceipt } from './read-receipt.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Timestamp in engine seconds; the nonce distinguishes otherwise equal actions. */
export interface Stamp {
  readonly timestamp: number;
  readonly nonce?: number;
}

export interface OrderFields {
  readonly sessionId: bigint;
  readonly marketId: number;
  readonly side: Side;
  readonly fillMode: FillMode;
  readonly price: bigint;
  readonly size: bigint;
  readonly clientOrderId?: bigint;
  readonly senderAccountId?: number;
}

export interface CancelFields {
  readonly sessionId: bigint;
  readonly orderId: bigint;
  readonly senderAccountId?: number;
}

/** `expiry` in engine seconds. */
export interface SessionFields {
  readonly session: Pick<KeyPair, 'publicKey'>;
  readonly expiry: number;
}

export class ForeignClient {
  readonly url: string;
  readonly #numbering: Numbering;
  /** Error names by number, from the server's schema. */
  #errors: ReadonlyMap<number, string> | undefined;

  constructor({ url, numbering }: { url: string; numbering: Numbering }) {
    this.url = url;
    this.#numbering = numbering;
  }

  /** Returns the JSON of a GET, with integers above 2^53 as text. Throws if the body is not JSON. */
  async get(path: string): Promise<{ status: number; contentType: string; json: unknown }> {
    const { status, contentType, bytes } = await this.fetch('GET', path);
    return { status, contentType, json: readJson(Buffer.from(bytes).toString('utf8')) };
  }

  async engineTime(): Promise<number> {
    return Number((await this.get('/timestamp')).json);
  }

  createSession(by: SessionFields & { user: KeyPair } & Stamp): Promise<Receipt> {
    const framed = sessionFrame(by);
    return this.act(Buffer.concat([framed, by.user.sign(hexText(framed))]));
  }

  placeOrder(order: OrderFields & Stamp, session: KeyPair): Promise<Receipt> {
    const framed = this.orderFrame(order);
    return this.act(Buffer.concat([framed, session.sign(framed)]));
  }

  cancelOrder(cancel: CancelFields & Stamp, session: KeyPair): Promise<Receipt> {
    const framed = cancelFrame(cancel);
    return this.act(Buffer.concat([framed, session.sign(framed)]));
  }

  /** Returns the length prefix and the unsigned action. */
  orderFrame(order: OrderFields & Stamp): Uint8Array {
    return frame(actionMessage(order, [ACTION.placeOrder, orderMessage(order, this.#numbering)]));
  }

  /** Sends a body that includes prefix and signature, and returns the receipt. Throws if there is none. */
  async act(body: Uint8Array): Promise<Receipt> {
    const { status, bytes } = await this.post(body);
    if (status !== 200) throw new Error(`POST /action: ${status} ${Buffer.from(bytes).toString('utf8')}`);
    return this.readReceipt(bytes);
  }

  post(body: Uint8Array, contentType = 'application/octet-stream'): Promise<Answer> {
    return this.fetch('POST', '/action', { body, contentType });
  }

  async readReceipt(bytes: Uint8Array): Promise<Receipt> {
    return readReceipt(bytes, await this.#errorNames());
  }

  fetch(method: string, path: string, sent?: { body: Uint8Array; contentType: string }): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = sent === undefined ? {} : { 'content-type': sent.contentType, 'content-length': sent.body.length };
      const request = httpRequest(`${this.url}${path}`, { method, headers }, (response) => {
        const chunks: Uint8Array[] = [];
        response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        response.on('error', reject);
        const contentType = response.headers['content-type'] ?? '';
        response.on('end', () => resolve({ status: response.statusCode ?? 0, contentType, bytes: Buffer.concat(chunks) }));
      });
      request.on('error', reject);
      request.end(sent?.body);
    });
  }

  async #errorNames(): Promise<ReadonlyMap<number, string>> {
    this.#errors ??= errorsIn(Buffer.from((await this.fetch('GET', '/schema.proto')).bytes).toString('utf8'));
    return this.#errors;
  }
}

/** Returns the length prefix and the unsigned action. */
export const sessionFrame = (by: SessionFields & { user: Pick<KeyPair, 'publicKey'> } & Stamp): Uint8Array =>
  frame(
    actionMessage(by, [
      ACTION.createSession,
      message(
        [CREATE_SESSION.userPubkey, by.user.publicKey],
        [CREATE_SESSION.sessionPubkey, by.session.publicKey],
        [CREATE_SESSION.expiry, implicit(BigInt(by.expiry))],
      ),
    ]),
  );

const cancelFrame = (cancel: CancelFields & Stamp): Uint8Array =>
  frame(
    actionMessage(cancel, [
      ACTION.cancelOrder,
      message(
        [CANCEL_ORDER.sessionId, cancel.sessionId],
        [CANCEL_ORDER.orderId, cancel.orderId],
        [CANCEL_ORDER.senderAccountId, cancel.senderAccountId === undefined ? undefined : BigInt(cancel.senderAccountId)],
      ),
    ]),
  );

function orderMessage(order: OrderFields, numbering: Numbering): Uint8Array {
  const numbers = PLACE_ORDER[numbering];
  return message(
    [numbers.sessionId, order.sessionId],
    [numbers.marketId, implicit(BigInt(order.marketId))],
    [numbers.side, implicit(BigInt(SIDES.indexOf(order.side)))],
    [numbers.fillMode, implicit(BigInt(FILL_MODES.indexOf(order.fillMode)))],
    [numbers.price, implicit(order.price)],
    [numbers.size, implicit(order.size)],
    [numbers.clientOrderId, order.clientOrderId],
    [numbers.senderAccountId, order.senderAccountId === undefined ? undefined : BigInt(order.senderAccountId)],
  );
}

const actionMessage = ({ timestamp, nonce }: Stamp, kind: readonly [number, Value]): Uint8Array =>
  message([ACTION.timestamp, BigInt(timestamp)], [ACTION.nonce, nonce === undefined ? undefined : implicit(BigInt(nonce))], kind);

/** Returns the values of `enum Error` in a proto text, by number. */
function errorsIn(schema: string): ReadonlyMap<number, string> {
  const body = /enum\s+Error\s*\{([^}]*)\}/.exec(schema)?.[1] ?? '';
  return new Map([...body.matchAll(/^\s*(\w+)\s*=\s*(\d+)\s*;/gm)].map(([, name = '', number]) => [Number(number), name]));
}
