// A trader at the local API under test: one account, orders of about six hundred dollars in BTC-PERP. It checks the shape of every answer.
import { expect, vi } from 'vitest';
import type { ForeignLocalClient, LocalResponse, Method, OrderBody } from '../foreign/local/client.ts';
import { problems, type Shape } from './hosted-shapes.ts';
import { LOCAL_SHAPES } from './local-shapes.ts';

export const MARKET = 'BTC-PERP';
const SIZE = 0.01;

export interface OrderRow {
  readonly id: number | string;
  readonly market: string;
  readonly side: string;
  readonly price: number | string;
  readonly size: number | string;
  readonly status: string;
  readonly clientId?: string | null;
}

export interface PositionRow {
  readonly future: string;
  readonly netSize: number;
  readonly size: number;
  readonly side: string;
  readonly cost: number;
  readonly entryPrice: number;
  readonly longOrderSize: number;
  readonly shortOrderSize: number;
  readonly openSize: number;
}

export interface AccountRow {
  readonly username: string;
  readonly collateral: number;
  readonly freeCollateral: number;
  readonly totalAccountValue: number;
  readonly totalPositionSize: number;
  readonly marginFraction: number;
  readonly openMarginFraction: number;
  readonly takerFee: number;
  readonly positions: readonly PositionRow[];
}

export interface FillRow {
  readonly liquidity: string;
  readonly market: string;
  readonly side: string;
  readonly price: number;
  readonly size: number;
  readonly time: string;
}

export interface MarketRow {
  readonly name: string;
  readonly type: string;
  readonly underlying?: string;
  readonly ask: number;
  readonly bid: number;
  readonly price: number;
}

/** `away`: distance of the limit price from the best opposite price, in percent; a negative distance crosses. */
export type OrderChanges = Partial<OrderBody> & { readonly away?: number };

export class LocalTrader {
  readonly client: ForeignLocalClient;

  private constructor(client: ForeignLocalClient) {
    this.client = client;
  }

  /** Resolves when the market has a book. */
  static async open(client: ForeignLocalClient): Promise<LocalTrader> {
    const trader = new LocalTrader(client);
    await vi.waitFor(() => trader.market(), { timeout: 300_000, interval: 100 });
    return trader;
  }

  read<T>(path: string, shape: Shape): Promise<T> {
    return this.request('GET', path, { shape });
  }

  /** Returns the result of an answer. Fails if the status, the envelope or the shape is wrong. */
  async request<T>(method: Method, path: string, { shape, body }: { shape: Shape; body?: unknown }): Promise<T> {
    const response = await this.client.send(method, path, body === undefined ? undefined : JSON.stringify(body));
    const { success, result, ...rest } = envelopeIn(response);
    const found = { status: response.status, contentType: response.contentType.split(';')[0], success, problems: problems(shape, result) };
    expect([path, found]).toEqual([path, { status: 200, contentType: 'application/json', success: true, problems: [] }]);
    expect([path, rest]).toEqual([path, path.startsWith('/orders/history') ? { hasMoreData: expect.any(Boolean) } : {}]);
    return result as T;
  }

  market(name = MARKET): Promise<MarketRow> {
    return this.read(`/markets/${name}`, LOCAL_SHAPES.market);
  }

  account(): Promise<AccountRow> {
    return this.read('/account', LOCAL_SHAPES.account);
  }

  orders(): Promise<OrderRow[]> {
    return this.read('/orders', LOCAL_SHAPES.openOrders);
  }

  fills(): Promise<FillRow[]> {
    return this.read(`/orders/history?market=${MARKET}&page=1`, LOCAL_SHAPES.fills);
  }

  /** Returns the proceeds of taker fills, net of fees. */
  async netProceeds(fills: readonly FillRow[]): Promise<number> {
    const { takerFee } = await this.account();
    return fills.reduce((sum, { side, price, size }) => sum + price * size * ((side === 'sell' ? 1 : -1) - takerFee), 0);
  }

  /** Returns the position in BTC-PERP; negative for a short position. */
  async netSize(): Promise<number> {
    const positions = await this.read<PositionRow[]>('/positions', LOCAL_SHAPES.positions);
    return positions.find(({ future }) => future === MARKET)?.netSize ?? 0;
  }

  /** Returns the body of an order; by default a bid 2 % below the market. */
  async order({ away = 2, side = 'buy', market = MARKET, ...fields }: OrderChanges = {}): Promise<OrderBody> {
    const { ask, bid } = await this.market(market);
    const price = side === 'buy' ? Math.round(ask * (1 - away / 100)) : Math.round(bid * (1 + away / 100));
    return { market, side, type: 'limit', price, size: SIZE, ...fields };
  }

  /** Places an order that must be accepted, and returns its transaction. */
  async place(changes: OrderChanges = {}): Promise<{ readonly txId: string }> {
    return this.request('POST', '/orders', { shape: LOCAL_SHAPES.transaction, body: await this.order(changes) });
  }

  /** Places a resting order and returns it as listed, found by its client id. */
  async rest(clientId: string, changes: OrderChanges = {}): Promise<OrderRow> {
    await this.place({ ...changes, clientId });
    const order = (await this.orders()).find((open) => open.clientId === clientId);
    if (order === undefined) throw new Error(`no open order has the client id ${clientId}`);
    return order;
  }

  /** Sends a cancel of any kind and returns the confirmation text. */
  cancel(path: string): Promise<string> {
    return this.request('DELETE', path, { shape: LOCAL_SHAPES.confirmation });
  }

  /** Places a market order. */
  async take(side: 'buy' | 'sell', changes: Partial<OrderBody> = {}): Promise<void> {
    const body = { market: MARKET, side, type: 'market', price: null, size: SIZE, ...changes };
    await this.request('POST', '/orders', { shape: LOCAL_SHAPES.transaction, body });
  }

  /** Resolves when `count` orders are open. Cancels are queued, so this takes a while. */
  async untilOpen(count: number): Promise<void> {
    await expect.poll(() => this.orders(), { timeout: 300_000, interval: 50 }).toHaveLength(count);
  }
}

/** Returns the JSON object of a response; an empty object if it is not one. */
export function envelopeIn({ json }: LocalResponse): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
}
