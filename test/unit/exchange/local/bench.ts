// A local venue against a fake process, and everything it says.
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../../../src/domain/action.ts';
import type { Event } from '../../../../src/domain/event.ts';
import { lots, ticks } from '../../../../src/domain/numbers.ts';
import { type ConnectOptions, connectLocal } from '../../../../src/exchange/local/connect.ts';
import type { Venue } from '../../../../src/exchange/port.ts';
import { FakeProcess } from './fake-process.ts';

export const START = 1_763_632_800_000;
export const POLLING = {
  orderBookMs: 250,
  accountMs: 500,
  fillsMs: 500,
  tradesMs: 500,
  liveMs: 1_000,
  timeMs: 1_000,
  requestsPerSecond: 1_000,
};

export const MARKETS = [
  { name: 'BTC-PERP', type: 'future', underlying: 'BTC', enabled: true, ask: 100.5, bid: 99.5, price: 100.04 },
  { name: 'SOL-PERP', type: 'future', underlying: 'SOL', enabled: true, ask: 10.5, bid: 9.5, price: 10 },
  { name: 'SOL/USDC', type: 'spot', enabled: true, ask: 10.5, bid: 9.5, price: 10 },
];
export const COINS = [
  { id: 'USDC', mint: 'x', collateralWeight: 1 },
  { id: 'BTC', mint: 'y', collateralWeight: 0.95 },
];
export const ACCOUNT = {
  collateral: 1_000.5,
  freeCollateral: 990.5,
  initialMarginRequirement: 0.05,
  maintenanceMarginRequirement: 0.025,
  makerFee: 0.0001,
  takerFee: 0.0004,
  marginFraction: 10.005,
  openMarginFraction: 5.0025,
  totalAccountValue: 1_000.5,
  totalPositionSize: 100,
  username: '7',
  leverage: 20,
  positions: [],
};
export const BOOK = {
  asks: Array.from({ length: 10 }, (_, level) => [100.5 + level / 10, 1.0001]),
  bids: Array.from({ length: 10 }, (_, level) => [99.5 - level / 10, 1.0001]),
};

export const orderPage = (more: object = {}): object => ({
  id: '18446744073709551615',
  market: 'BTC-PERP',
  type: 'limit',
  side: 'buy',
  price: 99.5,
  size: 0.002,
  status: 'open',
  remainingSize: 0.002,
  ...more,
});

export const fillPage = (more: object = {}): object => ({
  market: 'BTC-PERP',
  liquidity: 'maker',
  price: 99.5,
  size: 0.002,
  side: 'buy',
  time: new Date(START + 500).toISOString(),
  ...more,
});

export const positionPage = (more: object = {}): object => ({
  future: 'BTC-PERP',
  netSize: 0.5,
  size: 0.5,
  side: 'buy',
  entryPrice: 98.123,
  unrealizedPnl: 0.9,
  ...more,
});

let placed = 0;
export const place = (more: Partial<PlaceOrder> = {}): PlaceOrder => ({
  kind: 'place',
  clientOrderId: String(1_000 + ++placed),
  market: 0,
  side: 'bid',
  price: ticks(995),
  size: lots(20),
  fillMode: 'POST_ONLY',
  ...more,
});

export const cancel = (more: Partial<CancelOrder> = {}): CancelOrder => ({
  kind: 'cancel',
  clientOrderId: '5',
  market: 0,
  orderId: '18446744073709551615',
  ...more,
});

/** One fake process with one account, and what a venue at it says. */
export class Bench {
  readonly clock = new VirtualClock(START);
  readonly process = new FakeProcess(this.clock);
  readonly events: Event[] = [];
  readonly logged: string[] = [];
  /** What the process lists. */
  orders: object[] = [];
  fills: object[] = [];
  positions: object[] = [];
  failure: unknown;
  #venue: Venue | undefined;

  constructor() {
    const { pages } = this.process;
    pages.set('/markets', () => MARKETS);
    for (const { name } of MARKETS) {
      pages.set(`/markets/${name}/orderbook`, () => BOOK);
      pages.set(`/markets/${name}/trades`, () => []);
      pages.set(`/markets/${name}/candles`, () => []);
    }
    pages.set('/wallet/coins', () => COINS);
    pages.set('/wallet/balances', () => [{ coin: 'USDC', total: '1000.5' }]);
    pages.set('/account', () => ACCOUNT);
    pages.set('/positions', () => this.positions);
    pages.set('/orders', () => this.orders);
    pages.set('/orders/history', (query) => (query.get('page') === '0' ? this.fills : []));
  }

  get venue(): Venue {
    if (this.#venue === undefined) throw new Error('not connected');
    return this.#venue;
  }

  /** Connects and, unless told otherwise, looks at everything. */
  async connect(more: Partial<ConnectOptions> = {}): Promise<Venue> {
    const log = { info: (line: string) => this.logged.push(line), warn: (line: string) => this.logged.push(line) };
    const { process: transport, clock } = this;
    const connecting = connectLocal({ transport, clock, rng: rngFrom('test'), polling: POLLING, log, markets: ['BTCUSDC'], ...more });
    let settled = false;
    const done = (): void => {
      settled = true;
    };
    connecting.then(done, done);
    await this.clock.drive(this.clock.now() + 120_000, () => settled);
    const venue = await connecting;
    this.#venue = venue;
    const fail = (error: unknown): void => {
      this.failure = error;
    };
    venue.gateway.events.subscribe({ next: (event) => this.events.push(event), error: fail });
    venue.feed.events.subscribe({ next: (event) => this.events.push(event), error: fail });
    return venue;
  }

  async run(ms: number): Promise<void> {
    await this.clock.drive(this.clock.now() + ms);
  }

  /** Sends, and runs until the usual answer is there. */
  async submit(actions: readonly Action[], ms = 50): Promise<void> {
    this.venue.gateway.submit(actions);
    await this.run(ms);
  }

  of<K extends Event['kind']>(kind: K): Extract<Event, { kind: K }>[] {
    return this.events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);
  }

  /** What became of one order, its kinds in order. */
  fateOf({ clientOrderId }: PlaceOrder): Event[] {
    return this.events.filter(
      (event) =>
        (event.kind === 'orderOpened' || event.kind === 'orderRejected' || event.kind === 'orderUnknown') &&
        event.clientOrderId === clientOrderId,
    );
  }

  /** A stream's changes of health, oldest first. */
  health(stream: string): boolean[] {
    return this.of('healthSeen')
      .filter((event) => event.stream === stream)
      .map(({ healthy }) => healthy);
  }
}

/** Connected, and every stream seen once. */
export const connected = async (more: Partial<ConnectOptions> = {}): Promise<Bench> => {
  const bench = new Bench();
  await bench.connect(more);
  await bench.run(100);
  return bench;
};
