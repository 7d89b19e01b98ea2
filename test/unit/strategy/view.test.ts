// The view of the world that an author gets.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { viewer } from '../../../src/bot/strategy/view/view.ts';
import { BTC, calmWorld, ETH, START, WorldBuilder } from '../world-builder.ts';

const btc = (world: WorldBuilder) => world.view().market('BTCUSDC');

describe('a market', () => {
  test('is unknown until its first data', () => {
    const market = btc(new WorldBuilder().account());
    expect(market).toMatchObject({
      bestBid: undefined,
      bestAsk: undefined,
      mid: undefined,
      mark: undefined,
      index: undefined,
      funding: undefined,
    });
    expect(market).toMatchObject({ frozen: false, position: 0, entry: undefined, pnl: { trading: 0, funding: 0 }, tick: 0.1, lot: 0.0001 });
    expect(market.depth).toEqual({ bids: [], asks: [] });
  });

  test('shows best prices, the mid and the depth', () => {
    const world = new WorldBuilder().account().book(
      [
        [59_999.5, 0.2],
        [59_998, 1],
      ],
      [[60_000.5, 0.3]],
    );
    expect(btc(world)).toMatchObject({ bestBid: 59_999.5, bestAsk: 60_000.5, mid: 60_000 });
    expect(btc(world).depth.bids).toEqual([
      { price: 59_999.5, size: 0.2 },
      { price: 59_998, size: 1 },
    ]);
  });

  test('has no mid while a side is empty or the book is crossed', () => {
    const world = new WorldBuilder().account();
    expect(btc(world.book([[60_000, 1]], []))).toMatchObject({ bestBid: 60_000, bestAsk: undefined, mid: undefined });
    expect(btc(world.book([[60_002, 1]], [[60_001, 1]]))).toMatchObject({ bestBid: 60_002, bestAsk: 60_001, mid: undefined });
  });

  test('shows mark, index, funding and whether it is frozen', () => {
    const world = new WorldBuilder().account().info({ price: 60_000.1, fundingRate: 0.0001, nextFunding: START + 5_000, frozen: true });
    expect(btc(world)).toMatchObject({ mark: 60_000.1, index: 60_000.1, frozen: true, funding: { rate: 0.0001, at: START + 5_000 } });
  });

  test('shows finished candles of any resolution in decimals, and refuses an unknown length', () => {
    const minutes = Array.from({ length: 10 }, (_, minute) => 600_000 + minute);
    const world = new WorldBuilder().account();
    world.apply((at) => ({
      kind: 'candlesSeen',
      at,
      asked: at,
      market: 0,
      candles: minutes.map((price, minute) => ({
        start: minute * 60_000,
        open: ticks(price),
        high: ticks(price + 5),
        low: ticks(price - 5),
        close: ticks(price + 1),
        volume: lots(10_000),
      })),
    }));
    expect(btc(world).candles()).toHaveLength(10);
    expect(btc(world).candles()[0]).toEqual({ start: 0, open: 60_000, high: 60_000.5, low: 59_999.5, close: 60_000.1, volume: 1 });
    expect(btc(world).candles('5m')).toEqual([
      { start: 0, open: 60_000, high: 60_000.9, low: 59_999.5, close: 60_000.5, volume: 5 },
      { start: 300_000, open: 60_000.5, high: 60_001.4, low: 60_000, close: 60_001, volume: 5 },
    ]);
    expect(btc(world).candles('1h')).toEqual([]);
    expect([btc(world).averageClose(10), btc(world).averageClose(2, '5m'), btc(world).averageClose(3, '5m')]).toEqual([
      60_000.55,
      60_000.75,
      undefined,
    ]);
    for (const wrong of ['7m', '2d', '0m', '1.5h', 'hour'])
      expect(() => btc(world).candles(wrong as '1h')).toThrow(`"${wrong}" is not a length of candles`);
  });

  test('lists the available candles if the requested ones cannot be built from them', () => {
    const world = new WorldBuilder().account();
    world.apply((at) => ({ kind: 'candlesSeen', at, asked: at, market: 0, candles: [], span: 3_600_000, complete: true }));
    expect(() => btc(world).candles()).toThrow('the data has candles of 1h; candles of 1m cannot be made of them');
    expect(btc(world).candles('4h')).toEqual([]);
  });

  test('shows trades and fills only in the turn that reported them', () => {
    const world = calmWorld({ bid: 59_999, ask: 60_001 }).placed({ side: 'bid', price: 59_000, size: 0.5, id: '7' });
    world.traded({ side: 'ask', price: 59_999, size: 0.1 });
    expect(btc(world).trades).toEqual([{ price: 59_999, size: 0.1, takerSide: 'ask', time: world.world.now }]);
    world.filled('7', 0.2);
    expect(btc(world).trades).toEqual([]);
    expect(btc(world).fills).toEqual([{ price: 59_000, size: 0.2, side: 'bid', role: 'maker', fee: 0, time: world.world.now }]);
    expect(btc(world).orders).toEqual([
      {
        id: '7',
        side: 'bid',
        price: 59_000,
        size: 0.5,
        remaining: 0.3,
        status: 'open',
        placedAt: expect.any(Number) as number,
        missing: false,
      },
    ]);
    expect(btc(world.account()).fills).toEqual([]);
  });

  test('shows an order that the newest account lacks as missing', () => {
    const world = calmWorld({ bid: 59_999, ask: 60_001 }).placed({ side: 'bid', price: 59_000, size: 0.5, id: '7' }).account();
    expect(btc(world.account({}, ['7'])).orders).toMatchObject([{ id: '7', status: 'open', missing: true }]);
    expect(btc(world.account()).orders).toMatchObject([{ id: '7', status: 'open', missing: false }]);
  });

  test('shows our orders of this turn, in a list that the author may change', () => {
    const world = calmWorld({ bid: 59_999, ask: 60_001 }).placed({ side: 'bid', price: 59_000, size: 0.5, id: '7' });
    const viewOf = viewer([BTC]);
    const now = () => viewOf(world.world, new Set([0])).market('BTCUSDC');
    const before = now();
    (before.orders as unknown[]).pop();
    expect(before.orders).toHaveLength(1);
    world.filled('7', 0.2).placed({ side: 'ask', price: 61_000, size: 0.5, id: '8' });
    expect(now().orders.map(({ id, remaining }) => [id, remaining])).toEqual([
      ['7', 0.3],
      ['8', 0.5],
    ]);
    expect(before.orders).toMatchObject([{ id: '7', remaining: 0.5 }]);
  });

  test("shows the account's position: a fill counts when the account contains it", () => {
    const world = calmWorld({ bid: 59_999, ask: 60_001 }).placed({ side: 'bid', price: 59_000, size: 0.5, id: '7' }).filled('7');
    expect(btc(world).position).toBe(0);
    expect(btc(world.account({ position: 0.5, entry: 59_000 }))).toMatchObject({ position: 0.5, entry: 59_000 });
  });
});

describe('a view', () => {
  test('shows the time of the turn and all markets in the order of their ids', () => {
    const view = new WorldBuilder([ETH, BTC]).account().view();
    expect(view.now).toBe(START + 1);
    expect(view.markets.map(({ symbol }) => symbol)).toEqual(['BTCUSDC', 'ETHUSDC']);
  });

  test('shows the account in decimals', () => {
    const { account } = calmWorld({ bid: 59_999, ask: 60_001 }).account({ balance: 1_234.5 }).view();
    expect(account).toMatchObject({
      equity: 1_234.5,
      freeCollateral: 1_234.5,
      balances: { USDC: 1_234.5 },
      margins: { omf: 1_234.5, imf: 0 },
    });
  });

  test('lists the markets if an unknown one is requested', () => {
    const view = new WorldBuilder([BTC, ETH]).account().view();
    expect(() => view.market('BTCUSD')).toThrow('there is no market "BTCUSD"; did you mean "BTCUSDC"?');
    expect(() => view.market('BTCUSD')).toThrow(UserError);
    expect(() => view.market('DOGE')).toThrow('known: BTCUSDC, ETHUSDC');
  });

  test('keeps the values of its own turn', () => {
    const world = calmWorld({ bid: 59_999, ask: 60_001 });
    const before = btc(world);
    world.placed({ side: 'bid', price: 50_000, size: 1 }).book([[1, 1]], [[2, 1]]);
    expect(before.mid).toBe(60_000);
    expect(before.depth.bids).toEqual([{ price: 59_999, size: 1 }]);
    expect(before.orders).toEqual([]);
  });
});

test('hides prices of a market that a gate holds, but shows our own data', () => {
  const builder = calmWorld({ bid: 59_999, ask: 60_001 }).account({ position: 0.5, entry: 59_000 });
  const held = builder.view(new Set()).market('BTCUSDC');
  expect([held.mid, held.bestBid, held.bestAsk, held.mark, held.index]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(held.depth).toEqual({ bids: [], asks: [] });
  expect([held.position, held.entry]).toEqual([0.5, 59_000]);
  expect(builder.view().market('BTCUSDC').mid).toBe(60_000);
});

test('shows the smallest size and the leverage of a market, and the fees of the account', () => {
  const is = calmWorld({ bid: 59_999, ask: 60_001 });
  expect(is.view().market('BTCUSDC')).toMatchObject({ minSize: 0.0001, maxLeverage: 20, fees: undefined });
  const account = is.world.account?.value;
  if (account === undefined) throw new Error('no account');
  const fees = { maker: -0.0001, taker: 0.00035 };
  is.apply((at) => ({ kind: 'accountSeen', at, asked: at, account: { ...account, fees } }));
  expect(is.view().market('BTCUSDC').fees).toEqual(fees);
});
