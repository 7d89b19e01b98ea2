// An independent client of the local API: node:http and JSON. It shares no code with src/.
import { request as httpRequest } from 'node:http';

export type Method = 'GET' | 'POST' | 'DELETE';

/** A response; `json` is undefined if the body is not JSON. */
export interface LocalResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly json: unknown;
}

/** The body of POST /orders. */
export interface OrderBody {
  readonly market: string;
  readonly side: 'buy' | 'sell';
  /** Null for a market order. */
  readonly price: number | null;
  readonly type: 'limit' | 'market';
  readonly size: number;
  readonly reduceOnly?: boolean;
  readonly ioc?: boolean;
  readonly postOnly?: boolean;
  readonly clientId?: string | null;
}

export class ForeignLocalClient {
  readonly url: string;
  readonly #timeoutMs: number;

  constructor({ url, timeoutMs = 600_000 }: { url: string; timeoutMs?: number }) {
    this.url = url;
    this.#timeoutMs = timeoutMs;
  }

  /** Returns the result of a GET. Rejects as `send` does and throws as `resultIn` does. */
  async get<T>(path: string): Promise<T> {
    return resultIn(await this.send('GET', path)) as T;
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return resultIn(await this.send('POST', path, JSON.stringify(body))) as T;
  }

  async delete<T>(path: string): Promise<T> {
    return resultIn(await this.send('DELETE', path)) as T;
  }

  /** Returns any response. Sends `text` as JSON without a check. Rejects if no response comes in time. */
  send(method: Method, path: string, text?: string): Promise<LocalResponse> {
    return new Promise((resolve, reject) => {
      const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const options = { method, headers, signal: AbortSignal.timeout(this.#timeoutMs) };
      const request = httpRequest(`${this.url}${path}`, options, (response) => {
        const chunks: Uint8Array[] = [];
        response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString('utf8');
          const contentType = response.headers['content-type'] ?? '';
          resolve({ status: response.statusCode ?? 0, contentType, text: body, json: jsonIn(body) });
        });
      });
      request.on('error', reject);
      request.end(text);
    });
  }
}

/** Returns the result of a response with status 200 and success. Otherwise throws an error that contains the response. */
export function resultIn({ status, json, text }: LocalResponse): unknown {
  const isSuccess = status === 200 && typeof json === 'object' && json !== null && 'success' in json && json.success === true;
  if (!isSuccess || !('result' in json)) throw new Error(`${status} ${text}`);
  return json.result;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
