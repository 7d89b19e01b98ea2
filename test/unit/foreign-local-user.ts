// A user of the foreign local process for tests, with a clock that the test advances.
import { onTestFinished } from 'vitest';
import { ForeignLocalClient, type OrderBody } from '../foreign/local/client.ts';
import { type ForeignProcess, type ProcessOptions, startForeignProcess } from '../foreign/local/process.ts';

/** A bid far below the market, which rests; `TAKING_BID` is far above it and takes. */
export const RESTING_BID = { market: 'BTC-PERP', side: 'buy', type: 'limit', price: 50_000, size: 0.01 } as const satisfies OrderBody;
export const MARKET_BID = { ...RESTING_BID, type: 'market', price: null } as const satisfies OrderBody;
export const TAKING_BID = { ...RESTING_BID, price: 70_000 } as const satisfies OrderBody;

export interface OrderJson {
  readonly id: number | string;
  readonly clientId: string | null;
  readonly price: number;
  readonly size: number;
  readonly status: string;
}

export interface PositionJson {
  readonly future: string;
  readonly netSize: number;
  readonly entryPrice: number;
  readonly initialMarginRequirement: number | string;
}

export interface AccountJson {
  readonly collateral: number;
  readonly freeCollateral: number;
  readonly totalAccountValue: number;
  readonly positions: readonly PositionJson[];
}

export class LocalUser {
  readonly foreign: ForeignProcess;
  readonly client: ForeignLocalClient;
  readonly pass: (ms: number) => void;

  constructor({ foreign, pass }: { foreign: ForeignProcess; pass: (ms: number) => void }) {
    this.foreign = foreign;
    this.client = new ForeignLocalClient({ url: foreign.url });
    this.pass = pass;
  }

  place(order: Partial<OrderBody> = {}): Promise<{ txId: string }> {
    return this.client.post('/orders', { ...RESTING_BID, ...order });
  }

  /** Places an order that must rest. Returns the newest order. */
  async rest(order: Partial<OrderBody> = {}): Promise<OrderJson> {
    await this.place(order);
    const newest = (await this.orders()).at(-1);
    if (newest === undefined) throw new Error('nothing rests');
    return newest;
  }

  orders(): Promise<OrderJson[]> {
    return this.client.get('/orders');
  }

  account(): Promise<AccountJson> {
    return this.client.get('/account');
  }

  /** The HTTP status of the reply to a request. */
  async status(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<number> {
    return (await this.client.send(method, path, body === undefined ? undefined : JSON.stringify(body))).status;
  }
}

/** 16 minutes before a full hour. */
const START = Date.parse('2026-03-05T09:44:00Z');

export async function localUser(options: ProcessOptions): Promise<LocalUser> {
  let wallMs = START;
  const foreign = await startForeignProcess({ now: () => wallMs, ...options });
  onTestFinished(() => foreign.close());
  return new LocalUser({
    foreign,
    pass: (ms) => {
      wallMs += ms;
    },
  });
}
