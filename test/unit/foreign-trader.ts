// A trader on the foreign exchange for tests: a key, an open session, and a clock that the test advances.
import { onTestFinished } from 'vitest';
import { ForeignClient, type OrderFields, type Stamp } from '../foreign/client.ts';
import { type ForeignExchange, type ForeignOptions, startForeignExchange } from '../foreign/exchange.ts';
import { keyNamed } from '../foreign/keys.ts';
import type { Receipt } from '../foreign/read-receipt.ts';

export const user = keyNamed('user');
export const session = keyNamed('session');
export const RESTING_BID = { marketId: 0, side: 'bid', fillMode: 'limit', price: 500_000n, size: 100n } as const;
export const TAKING_BID = { ...RESTING_BID, fillMode: 'immediateOrCancel', price: 700_000n } as const;

export interface AccountJson {
  updateId: number;
  balances: { amount: number }[];
  positions: {
    marketId: number;
    openOrders: number;
    perp: { baseSize: number; price: number; isLong: boolean; tradingPnl: number } | null;
  }[];
  orders: { orderId: number | string; size: number; clientOrderId: number | string | null }[];
  margins: { omf: number; imf: number; mf: number; pon: number };
}

export interface BookJson {
  updateId: number;
  bids: [number, number][];
  asks: [number, number][];
}

/** A trader with an open session, on an exchange whose wall clock the test advances. */
export class Trader {
  readonly exchange: ForeignExchange;
  readonly client: ForeignClient;
  readonly pass: (ms: number) => void;
  sessionId = 0n;
  #nonce = 0;

  constructor({ exchange, client, pass }: { exchange: ForeignExchange; client: ForeignClient; pass: (ms: number) => void }) {
    this.exchange = exchange;
    this.client = client;
    this.pass = pass;
  }

  async stamp(): Promise<Stamp> {
    return { timestamp: await this.client.engineTime(), nonce: ++this.#nonce };
  }

  async openSession(): Promise<Receipt> {
    const stamp = await this.stamp();
    const receipt = await this.client.createSession({ user, session, expiry: stamp.timestamp + 3_600, ...stamp });
    if (receipt.kind === 'session') this.sessionId = receipt.sessionId;
    return receipt;
  }

  async place(order: Partial<OrderFields> = {}, stamp?: Stamp): Promise<Receipt> {
    return this.client.placeOrder({ sessionId: this.sessionId, ...RESTING_BID, ...(stamp ?? (await this.stamp())), ...order }, session);
  }

  /** Places an order that must rest. Returns its order id. */
  async rest(order: Partial<OrderFields> = {}): Promise<bigint> {
    const receipt = await this.place(order);
    if (receipt.kind !== 'placed' || receipt.posted === undefined) throw new Error(`not resting: ${receipt.kind}`);
    return receipt.posted.orderId;
  }

  async cancel(orderId: bigint, sender: { senderAccountId?: number } = {}): Promise<Receipt> {
    return this.client.cancelOrder({ sessionId: this.sessionId, orderId, ...sender, ...(await this.stamp()) }, session);
  }

  async read<T>(path: string): Promise<T> {
    return (await this.client.get(path)).json as T;
  }

  account(id = 4): Promise<AccountJson> {
    return this.read(`/account/${id}`);
  }
}

export async function trader(options: ForeignOptions = {}): Promise<Trader> {
  let wallMs = 1_800_000_000_000;
  const exchange = await startForeignExchange({ now: () => wallMs, ...options });
  onTestFinished(() => exchange.close());
  const client = new ForeignClient({ url: exchange.url, numbering: options.numbering ?? 'document' });
  const opened = new Trader({
    exchange,
    client,
    pass: (ms) => {
      wallMs += ms;
    },
  });
  await opened.openSession();
  return opened;
}
