// The hosted adapter at a fake exchange, with all events that it emits.
import { vi } from 'vitest';
import { rngFrom } from '../../../../src/base/rng.ts';
import { sessionMessage, signerFrom, toBase58 } from '../../../../src/base/wire/ed25519.ts';
import type { Venue } from '../../../../src/bot/exchange/port.ts';
import { connectHosted, type HostedConnectOptions } from '../../../../src/venues/hosted/open.ts';
import { ActionCodec, type WireAction } from '../../../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { POLLING, placeFrom, VenueBench } from '../../exchange/venue-bench.ts';
import { FakeExchange } from './fake-exchange.ts';

const WALLET = new Uint8Array(32).fill(1);
export const SESSION_KEY = new Uint8Array(32).fill(2);
export const walletSigner = signerFrom(WALLET);
export const USER = toBase58(walletSigner.publicKey);
export const INFO = {
  markets: [
    {
      marketId: 0,
      symbol: 'BTCUSDC',
      baseTokenId: 1,
      quoteTokenId: 0,
      priceDecimals: 1,
      sizeDecimals: 4,
      imf: 0.05,
      cmf: 0.04,
      mmf: 0.025,
    },
    { marketId: 1, symbol: 'SOLUSDC', baseTokenId: 2, quoteTokenId: 0, priceDecimals: 3, sizeDecimals: 2, imf: 0.1, cmf: 0.08, mmf: 0.05 },
  ],
  tokens: [
    { tokenId: 0, symbol: 'USDC', decimals: 6, mintAddr: 'x', weightBps: 10_000 },
    { tokenId: 2, symbol: 'SOL', decimals: 9, mintAddr: 'y', weightBps: 9_000 },
  ],
};

export const MARGINS = { omf: 1000.5, mf: 1000.5, imf: 10, cmf: 8, mmf: 5, pon: 200, pn: 100, bankruptcy: false };

export const bookPage = (updateId: number | string, bids = [[99.5, 1]], asks = [[100.5, 1]]): unknown => ({ updateId, bids, asks });
export const accountPage = (updateId: number | string, more: object = {}): unknown => ({
  updateId,
  balances: [{ tokenId: 0, token: 'USDC', amount: 1000.5 }],
  positions: [],
  orders: [],
  margins: MARGINS,
  ...more,
});

const SPOT_ID = 1;
export const livePage = (more: object = {}): unknown => ({
  markets: INFO.markets.map(({ marketId }) => ({
    marketId,
    indexPrice: 100.02,
    indexPriceConf: 0.04,
    frozen: false,
    markPrice: 100.04,
    projectedFundingRate: marketId === SPOT_ID ? null : 0.0001,
    nextFundingTime: '2025-11-20T11:00:00Z',
    openInterest: 12.5,
    ...more,
  })),
});

/** Makes every codec encode a changed action until mocks are restored. */
export function tamper(change: (action: WireAction) => WireAction): void {
  const honest = new ActionCodec(bundledSchema());
  const encode = honest.encode.bind(honest);
  vi.spyOn(ActionCodec.prototype, 'encode').mockImplementation((action) => encode(change(action)));
}

export { cancel, POLLING, START } from '../../exchange/venue-bench.ts';
export const place = placeFrom(9_100_000_000_000_000_000n);

/** A fake exchange with one user, and a venue connected to it. */
export class Bench extends VenueBench {
  readonly exchange: FakeExchange;
  walletUses = 0;

  constructor(schema = bundledSchema()) {
    super();
    this.exchange = new FakeExchange(this.clock, schema);
    const { pages, users } = this.exchange;
    let updates = 0;
    users.set(USER, [7]);
    pages.set('/info', () => INFO);
    pages.set('/markets/live', () => livePage());
    pages.set('/market/0/stats', () => ({ perpStats: { mark_price: 100 } }));
    pages.set('/market/1/stats', () => ({ indexPrice: 100.02, perpStats: null }));
    for (const { marketId } of INFO.markets) pages.set(`/market/${marketId}/orderbook`, () => bookPage(++updates));
    pages.set('/account/7', () => accountPage(++updates));
    pages.set('/account/7/fee/tier', () => 1);
    pages.set('/fee/brackets/info', () => [0, 1].map((tier) => [tier, { maker_fee_ppm: 100 - 50 * tier, taker_fee_ppm: 350 - 50 * tier }]));
    pages.set('/trades', () => ({ items: [], nextStartInclusive: null }));
  }

  /** Connects and, by default, subscribes to everything. */
  async connect(more: Partial<HostedConnectOptions> = {}): Promise<Venue> {
    const connecting = connectHosted({
      transport: this.exchange,
      clock: this.clock,
      rng: rngFrom('test'),
      wallet: {
        publicKey: walletSigner.publicKey,
        signSession: async (framed) => {
          this.walletUses += 1;
          return walletSigner.sign(sessionMessage(framed));
        },
      },
      schema: bundledSchema(),
      polling: POLLING,
      sessionKey: SESSION_KEY,
      log: this.log,
      firstNonce: 1,
      markets: ['BTCUSDC'],
      ...more,
    });
    return this.opened(connecting);
  }
}

/** A connected bench in which every stream has emitted once. */
export const connected = async (): Promise<Bench> => {
  const bench = new Bench();
  await bench.connect();
  await bench.run(100);
  return bench;
};
