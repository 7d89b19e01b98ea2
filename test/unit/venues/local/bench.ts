// The local adapter at a fake process, with all events that it emits.
import { rngFrom } from '../../../../src/base/rng.ts';
import type { PlaceOrder } from '../../../../src/bot/domain/action.ts';
import type { Event } from '../../../../src/bot/domain/event.ts';
import type { Venue } from '../../../../src/bot/exchange/port.ts';
import { connectLocal, type LocalConnectOptions } from '../../../../src/venues/local/open.ts';
import { POLLING, placeFrom, START, VenueBench } from '../../exchange/venue-bench.ts';
import { FakeProcess } from './fake-process.ts';

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

export { cancel, POLLING, START } from '../../exchange/venue-bench.ts';
export const place = placeFrom(1_000n);

/** A fake process with one account, and a venue connected to it. */
export class Bench extends VenueBench {
  readonly process = new FakeProcess(this.clock);
  /** The lists that the process returns. */
  orders: object[] = [];
  fills: object[] = [];
  positions: object[] = [];

  constructor() {
    super();
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

  /** Connects and, by default, subscribes to everything. */
  async connect(more: Partial<LocalConnectOptions> = {}): Promise<Venue> {
    const { process: transport, clock, log } = this;
    return this.opened(connectLocal({ transport, clock, rng: rngFrom('test'), polling: POLLING, log, markets: ['BTCUSDC'], ...more }));
  }

  /** The events that say how the placement of an order ended, oldest first. */
  fateOf({ clientOrderId }: PlaceOrder): Event[] {
    return this.events.filter(
      (event) =>
        (event.kind === 'orderOpened' || event.kind === 'orderRejected' || event.kind === 'orderUnknown') &&
        event.clientOrderId === clientOrderId,
    );
  }
}

/** A connected bench in which every stream has emitted once. */
export const connected = async (more: Partial<LocalConnectOptions> = {}): Promise<Bench> => {
  const bench = new Bench();
  await bench.connect(more);
  await bench.run(100);
  return bench;
};
