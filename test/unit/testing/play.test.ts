// Test tools for authors: a scripted market, and the embedded exchange on virtual time.
import { defineStrategy } from 'tickwright';
import { marketScript, play } from 'tickwright/testing';
import { describe, expect, test } from 'vitest';

const buyer = defineStrategy({
  name: 'buyer',
  defaults: { market: 'BTCUSDC', position: 0.01 },
  create:
    ({ market, position }) =>
    (view) => [view.market(market).target({ position, maxSlippageBps: 5, bandBps: 0 })],
});

describe('a scripted market', () => {
  test("fills an order that takes from its book, at the book's price", async () => {
    const { fills, summary } = await play(buyer, { market: marketScript().price('0s', 60_000).until('5s') });
    expect(fills.map(({ side, price, size, role }) => [side, price, size, role])).toEqual([['bid', '60000.1', '0.0100', 'taker']]);
    expect(summary.positions).toEqual({ BTCUSDC: '0.0100' });
  });

  test('fills a resting order by a trade of others', async () => {
    const maker = defineStrategy({
      name: 'maker',
      defaults: { market: 'BTCUSDC' },
      create:
        ({ market }) =>
        (view) => [view.market(market).quote({ bids: [{ price: 59_990, size: 0.01 }], asks: [] })],
    });
    const market = marketScript().price('0s', 60_000).trade('3s', { takerSide: 'ask', price: 59_980, size: 5 }).until('6s');
    const { fills } = await play(maker, { market });
    expect(fills.map(({ price, size, role }) => [price, size, role])).toEqual([['59990.0', '0.0100', 'maker']]);
  });

  test('plays several markets at the same time', async () => {
    const markets = ['BTCUSDC', 'ETHUSDC'].map((symbol) =>
      marketScript({ symbol })
        .price('0s', symbol === 'BTCUSDC' ? 60_000 : 3_000)
        .until('4s'),
    );
    const both = defineStrategy({
      name: 'both',
      defaults: { market: 'BTCUSDC', hedgeMarket: 'ETHUSDC' },
      create:
        ({ market, hedgeMarket }) =>
        (view) => [view.market(market).target({ position: 0.01 }), view.market(hedgeMarket).target({ position: -0.1 })],
    });
    expect((await play(both, { market: markets })).summary.positions).toEqual({ BTCUSDC: '0.0100', ETHUSDC: '-0.100' });
  });

  test('has an hourly funding rate, and keeps the prices until its end', async () => {
    const seen: (readonly [number | undefined, number | undefined])[] = [];
    const watcher = defineStrategy({
      name: 'watcher',
      defaults: { market: 'BTCUSDC' },
      create:
        ({ market }) =>
        (view) => {
          const { mark, funding } = view.market(market);
          seen.push([mark, funding?.rate]);
          return [];
        },
    });
    await play(watcher, { market: marketScript().price('0s', 60_000).funding('1s', { rate: 0.0008 }).until('5s') });
    expect(seen.at(-1)).toEqual([60_000, 0.0001]);
  });

  test('shows what a guard cut, and the reason', async () => {
    const market = marketScript().price('0s', 60_000).until('3s');
    const { findings } = await play(buyer, { market, params: { position: 1 }, limits: { position: { maxNotional: 1_000 } } });
    expect(findings.map(({ guard }) => guard)).toContain('position');
  });

  test.each([
    [() => marketScript().price('2 s', 60_000), /"2 s" is not a time/],
    [() => marketScript().price('2s', 60_000).price('1s', 60_000), /before the line before it/],
    [() => marketScript().price('0s', 60_000.05), /not a multiple of its tick/],
    [() => marketScript({ symbol: 'DOGE' }), /no market DOGE/],
  ])('refuses an invalid script: %s', (reported, message) => {
    expect(reported).toThrow(message);
  });
});

describe('the embedded exchange', () => {
  test('gives the same result for the same seed', async () => {
    const [once, again, other] = await Promise.all(['a', 'a', 'b'].map((seed) => play(buyer, { for: '10s', seed })));
    expect(again?.fingerprint).toBe(once?.fingerprint);
    expect(again?.summary.pnl).toBe(once?.summary.pnl);
    expect(other?.summary.pnl).not.toBe(once?.summary.pnl);
  });

  test('rethrows an error of the strategy', async () => {
    const broken = defineStrategy({
      name: 'broken',
      defaults: { market: 'BTCUSDC' },
      create: () => () => {
        throw new Error('no such signal');
      },
    });
    await expect(play(broken, { for: '5s' })).rejects.toThrow('no such signal');
  });

  test('refuses an empty script', async () => {
    await expect(play(buyer, { market: marketScript() })).rejects.toThrow('the script is empty');
  });

  test('refuses an invalid duration', async () => {
    await expect(play(buyer, { for: 'soon' })).rejects.toThrow('"soon" is not a time');
  });
});
