// Opens an embedded exchange with its local API, a client of it and one counterparty, in one process.
import { expect } from 'vitest';
import type { HttpRequest } from '../../../../src/base/transport/transport.ts';
import type { Side } from '../../../../src/bot/domain/book.ts';
import { lots, micros, ticks } from '../../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../../src/embedded/exchange/exchange.ts';
import { TOKENS } from '../../../../src/embedded/exchange/state/listing.ts';
import { localApi } from '../../../../src/embedded/server/local/api.ts';

/** A quarter of a second after a full minute, and half an hour before a full hour. */
export const START = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
export const HOUR = 3_600_000;
export const anyNumber = expect.any(Number) as number;
export const anyText = expect.any(String) as string;
export const ISO_8601 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
export const TX_ID = expect.stringMatching(/^action-\d+$/) as string;

type Method = HttpRequest['method'];
const encoder = new TextEncoder();

/** Returns a client of the local API of `account`. */
export function clientOf(exchange: Exchange, account: number) {
  let ticked = 0;
  const handler = localApi({
    exchange,
    account,
    catchUp: () => {
      ticked++;
    },
  });

  const send = (method: Method, path: string, body?: Uint8Array): { status: number; body: Record<string, unknown> } => {
    const reply = handler({ method, path, ...(body === undefined ? {} : { body, contentType: 'application/json' }) });
    expect(reply.contentType).toBe('application/json');
    return { status: reply.status, body: JSON.parse(new TextDecoder().decode(reply.body)) as Record<string, unknown> };
  };

  /** Sends a request. A body that is not text is written as JSON. */
  const ask = (method: Method, path: string, body?: unknown) =>
    send(method, path, body === undefined ? undefined : encoder.encode(typeof body === 'string' ? body : JSON.stringify(body)));

  /** Returns the result of a request, which must succeed. */
  const result = (method: Method, path: string, wanted?: unknown): unknown => {
    const { status, body } = ask(method, path, wanted);
    expect([status, body]).toEqual([200, { success: true, result: expect.anything() as unknown }]);
    return body['result'];
  };

  /** Returns the status and message of a request, which must be refused. */
  const refusal = (method: Method, path: string, wanted?: unknown): [number, string] => {
    const { status, body } = ask(method, path, wanted);
    expect(body).toEqual({ success: false, message: anyText, result: null });
    return [status, body['message'] as string];
  };

  const read = (path: string): unknown => result('GET', path);

  return { send, ask, result, refusal, read, ticks: () => ticked };
}

export interface ShownOrder {
  readonly id: string;
  readonly clientId: string | null;
  readonly size: number;
  readonly remainingSize: number;
  readonly price: number;
  readonly status: string;
}

/** The local account has 100 000 USDC, and in its wallet 5 000 USDC and 20 SOL; the other trader has a million. */
export function openLocalApi({ traders = false, start = START } = {}) {
  const exchange = new Exchange({ seed: 'local desk', start, ...(traders ? {} : { flow: false }) });
  const account = exchange.register('local', micros(100_000e6));
  exchange.wallets.endow({ account, token: 0, amount: 5_000e6 });
  exchange.wallets.endow({ account, token: 3, amount: 20_000 });
  const other = exchange.register('other', micros(1_000_000e6));
  const client = clientOf(exchange, account);

  /** Places an order of the other trader; numbers are decimals. */
  const theirs = (side: Side, size: number, price: number, symbol = 'BTCUSDC'): void => {
    const market = exchange.markets.find((listed) => listed.symbol === symbol)!;
    const outcome = exchange.place({
      account: other,
      market: market.id,
      side,
      fillMode: 'LIMIT',
      price: market.restAt(side, price),
      size: market.lots(size),
    });
    if (outcome.kind === 'refused') throw new Error(outcome.error);
  };

  return {
    ...client,
    exchange,
    account,
    other,
    theirs,
    pass: (span: number): void => exchange.advanceTo(exchange.now() + span),
    index: (price: number): void => exchange.setIndex(0, ticks(price * 10)),
    order: (fields: Record<string, unknown>): unknown => client.result('POST', '/orders', { ...BUY, ...fields }),
    open: (query = '') => client.read(`/orders${query}`) as readonly ShownOrder[],
    /** Returns the position in BTC. */
    held: (): number => exchange.markets[0]!.size(exchange.account(account)!.positions.find(({ market }) => market === 0)?.size ?? lots(0)),
  };
}

export const BUY = { market: 'BTC-PERP', side: 'buy', price: 59_000, type: 'limit', size: 0.1 } as const;
export const symbols = TOKENS.map(({ symbol }) => symbol);
