// A trader at the hosted API under test: one user, one session, one account, orders of about a hundred dollars.
import { expect, vi } from 'vitest';
import type { ForeignClient, OrderFields, Stamp } from '../foreign/client.ts';
import { type KeyPair, keyNamed } from '../foreign/keys.ts';
import type { Side } from '../foreign/numbering.ts';
import type { Posted, Receipt } from '../foreign/read-receipt.ts';
import { problems, SHAPES, type Shape } from './hosted-shapes.ts';

export const user = keyNamed('contract user');
export const session = keyNamed('contract session');

export interface AccountView {
  readonly updateId: number;
  readonly balances: readonly { readonly token: string; readonly amount: number }[];
  readonly positions: readonly {
    readonly marketId: number;
    readonly openOrders: number;
    readonly perp: { readonly baseSize: number; readonly isLong: boolean } | null;
  }[];
  readonly orders: readonly {
    readonly orderId: number;
    readonly side: string;
    readonly price: number;
    readonly size: number;
    readonly clientOrderId: number | null;
  }[];
  readonly margins: { readonly omf: number; readonly imf: number; readonly pon: number; readonly pn: number; readonly bankruptcy: boolean };
}

/** `away`: distance of the limit price from the best opposite price, in percent; a negative distance crosses. */
export type OrderChanges = Partial<OrderFields> & Partial<Stamp> & { readonly away?: number };

interface MarketView {
  readonly marketId: number;
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

export class HostedTrader {
  readonly client: ForeignClient;
  readonly market: MarketView;
  sessionId = 0n;
  accountId = -1;
  #nonce = 0;

  private constructor(client: ForeignClient, market: MarketView) {
    this.client = client;
    this.market = market;
  }

  static async open(client: ForeignClient): Promise<HostedTrader> {
    const { markets } = await readFrom<{ markets: MarketView[] }>(client, '/info', SHAPES.info);
    const market = markets.find(({ symbol }) => symbol === 'BTCUSDC');
    if (market === undefined) throw new Error('BTCUSDC is not listed');
    const trader = new HostedTrader(client, market);
    const tops = async (): Promise<unknown[]> => [await trader.#best('bid'), await trader.#best('ask')];
    await vi.waitFor(async () => expect(await tops()).not.toContain(undefined), { timeout: 300_000, interval: 100 });
    trader.sessionId = sessionIn(await trader.openSession(session));
    trader.accountId = (await trader.read<{ accountIds: number[] }>(`/user/${user.base58}`, SHAPES.user)).accountIds[0] ?? -1;
    return trader;
  }

  read<T>(path: string, shape: Shape): Promise<T> {
    return readFrom<T>(this.client, path, shape);
  }

  account(): Promise<AccountView> {
    return this.read(`/account/${this.accountId}`, SHAPES.account);
  }

  async stamp(): Promise<Required<Stamp>> {
    return { timestamp: await this.client.engineTime(), nonce: ++this.#nonce };
  }

  /** `life` in seconds. */
  async openSession(key: KeyPair, { life = 3_600 } = {}): Promise<Receipt> {
    const now = await this.stamp();
    return this.client.createSession({ user, session: key, expiry: now.timestamp + life, ...now });
  }

  /** Returns the fields of an order; by default a bid 2 % below the market. */
  async order(changes: OrderChanges = {}): Promise<OrderFields & Stamp> {
    const { away = 2, ...fields } = changes;
    const { marketId, priceDecimals, sizeDecimals } = this.market;
    const side = fields.side ?? 'bid';
    const price = await this.#priceAway(side, away);
    const size = 10n ** BigInt(priceDecimals + sizeDecimals + 2) / price;
    return { sessionId: this.sessionId, marketId, side, fillMode: 'limit', price, size, ...(await this.stamp()), ...fields };
  }

  async place(changes: OrderChanges = {}): Promise<Receipt> {
    return this.client.placeOrder(await this.order(changes), session);
  }

  async cancel(orderId: bigint): Promise<Receipt> {
    return this.client.cancelOrder({ sessionId: this.sessionId, orderId, ...(await this.stamp()) }, session);
  }

  async #priceAway(side: Side, percent: number): Promise<bigint> {
    const best = (await this.#best(side === 'bid' ? 'ask' : 'bid')) ?? Number.NaN;
    const away = side === 'bid' ? -percent : percent;
    return BigInt(Math.round(best * (1 + away / 100) * 10 ** this.market.priceDecimals));
  }

  async #best(side: Side): Promise<number | undefined> {
    const path = `/market/${this.market.marketId}/orderbook`;
    const { bids, asks } = await this.read<{ bids: [number, number][]; asks: [number, number][] }>(path, SHAPES.orderbook);
    return (side === 'bid' ? bids : asks)[0]?.[0];
  }
}

/** Returns the JSON of a GET. Fails if the status or the shape is wrong. */
export async function readFrom<T>(client: ForeignClient, path: string, shape: Shape): Promise<T> {
  const { status, contentType, json } = await client.get(path);
  expect([path, status, contentType.split(';')[0], ...problems(shape, json)]).toEqual([path, 200, 'application/json']);
  return json as T;
}

/** Returns the resting order of a receipt. Throws an error that contains the receipt if there is none. */
export function postedIn(receipt: Receipt): Posted {
  if (receipt.kind !== 'placed' || receipt.posted === undefined) throw new Error(`not resting: ${textOf(receipt)}`);
  return receipt.posted;
}

/** Returns the session id of a receipt. Throws an error that contains the receipt if there is none. */
export function sessionIn(receipt: Receipt): bigint {
  if (receipt.kind !== 'session') throw new Error(`no session: ${textOf(receipt)}`);
  return receipt.sessionId;
}

const textOf = (receipt: Receipt): string =>
  JSON.stringify(receipt, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
