// A customer of the local process under test: one account, orders of about six hundred dollars in BTC-PERP, answers whose shape was checked.
import { expect, vi } from 'vitest';
import type { ForeignLocalClient, LocalResponse, Method, OrderBody } from '../foreign/local/client.ts';
import { LOCAL_SHAPES } from './local-shapes.ts';
import { problems, type Shape } from './shapes.ts';

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

/** `away`: how many hundredths from the best of the other side the limit lies; negative crosses. */
export type OrderChanges = Partial<OrderBody> & { readonly away?: number };

export class LocalCustomer {
  readonly client: ForeignLocalClient;

  private constructor(client: ForeignLocalClient) {
    this.client = client;
  }

  /** Waits until there is something to trade with. */
  static async open(client: ForeignLocalClient): Promise<LocalCustomer> {
    const customer = new LocalCustomer(client);
    await vi.waitFor(() => customer.market(), { timeout: 300_000, interval: 100 });
    return customer;
  }

  read<T>(path: string, shape: Shape): Promise<T> {
    return this.ask('GET', path, { shape });
  }

  /** The result of an answer in the envelope, once its shape was found to be right. */
  async ask<T>(method: Method, path: string, { shape, body }: { shape: Shape; body?: unknown }): Promise<T> {
    const heard = await this.client.send(method, path, body === undefined ? undefined : JSON.stringify(body));
    const { success, result, ...rest } = envelopeIn(heard);
    const found = { status: heard.status, contentType: heard.contentType.split(';')[0], success, problems: problems(shape, result) };
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

  /** What the account came by in fills as a taker, fees paid. */
  async takenIn(fills: readonly FillRow[]): Promise<number> {
    const { takerFee } = await this.account();
    return fills.reduce((sum, { side, price, size }) => sum + price * size * ((side === 'sell' ? 1 : -1) - takerFee), 0);
  }

  /** What is held in BTC-PERP, negative when short. */
  async netSize(): Promise<number> {
    const positions = await this.read<PositionRow[]>('/positions', LOCAL_SHAPES.positions);
    return positions.find(({ future }) => future === MARKET)?.netSize ?? 0;
  }

  /** A bid two hundredths below the market, by default. */
  async order({ away = 2, side = 'buy', market = MARKET, ...fields }: OrderChanges = {}): Promise<OrderBody> {
    const { ask, bid } = await this.market(market);
    const price = side === 'buy' ? Math.round(ask * (1 - away / 100)) : Math.round(bid * (1 + away / 100));
    return { market, side, type: 'limit', price, size: SIZE, ...fields };
  }

  /** The transaction of an order that was taken. */
  async place(changes: OrderChanges = {}): Promise<{ readonly txId: string }> {
    return this.ask('POST', '/orders', { shape: LOCAL_SHAPES.transaction, body: await this.order(changes) });
  }

  /** An order that rests, found again by its client id. */
  async rest(clientId: string, changes: OrderChanges = {}): Promise<OrderRow> {
    await this.place({ ...changes, clientId });
    const order = (await this.orders()).find((open) => open.clientId === clientId);
    if (order === undefined) throw new Error(`no open order has the client id ${clientId}`);
    return order;
  }

  /** Any kind of cancel, which is answered in words. */
  cancel(path: string): Promise<string> {
    return this.ask('DELETE', path, { shape: LOCAL_SHAPES.confirmation });
  }

  /** A market order. */
  async take(side: 'buy' | 'sell', changes: Partial<OrderBody> = {}): Promise<void> {
    const body = { market: MARKET, side, type: 'market', price: null, size: SIZE, ...changes };
    await this.ask('POST', '/orders', { shape: LOCAL_SHAPES.transaction, body });
  }

  /** Until so many orders are open: cancels are queued. */
  async untilOpen(count: number): Promise<void> {
    await expect.poll(() => this.orders(), { timeout: 300_000, interval: 50 }).toHaveLength(count);
  }
}

/** Empty where the answer is no object. */
export function envelopeIn({ json }: LocalResponse): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>) : {};
}
