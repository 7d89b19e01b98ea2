import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import type { LocalConnectOptions } from '../../../../src/venues/local/open.ts';
import { deadAfter } from '../../../../src/venues/local/rules.ts';
import { ACCOUNT, Bench, BOOK, MARKETS, orderPage, positionPage } from './bench.ts';

const marketsOf = async (options: Partial<LocalConnectOptions>, prepare: (bench: Bench) => void = () => undefined) => {
  const bench = new Bench();
  prepare(bench);
  const { feed, gateway } = await bench.connect(options);
  return { specs: feed.markets.map(({ spec }) => spec), tokens: feed.tokens, account: gateway.account, logged: bench.logged };
};

describe('a market', () => {
  test.each([
    ['BTC-PERP', 0, 'perp'],
    ['BTCUSDC', 0, 'perp'],
    ['BTCUSD', 0, 'perp'],
    ['SOLUSDC', 1, 'perp'],
    ['SOL/USDC', 2, 'spot'],
    ['SOLUSDC-SPOT', 2, 'spot'],
  ] as const)('%s is found, and keeps its name', async (symbol, id, kind) => {
    const { specs } = await marketsOf({ markets: [symbol] });
    expect(specs).toMatchObject([{ symbol, id, kind }]);
  });

  test.each([
    [['BTC-PREP'], /no market "BTC-PREP"/, /BTC-PERP/],
    [['BTCUSDC', 'BTC-PERP'], /same market/, /once/],
  ])('%s is reported as an error', async (markets, message, hint) => {
    const wrong = marketsOf({ markets });
    await expect(wrong).rejects.toThrow(message);
    await expect(wrong).rejects.toMatchObject({ code: 'market', hint: expect.stringMatching(hint) });
  });

  test('whose type contradicts its name is refused', async () => {
    const rows = MARKETS.map((row) => (row.name === 'BTC-PERP' ? { ...row, type: 'spot' } : row));
    const wrong = marketsOf({ markets: ['BTC-PERP'] }, ({ process }) => process.pages.set('/markets', () => rows));
    await expect(wrong).rejects.toMatchObject({
      code: 'market',
      message: expect.stringContaining('lists BTC-PERP as a spot market') as string,
    });
  });

  test('that matches two is refused', async () => {
    const twins = [...MARKETS, { name: 'BTC-PERP-2', type: 'future', underlying: 'BTC', enabled: true }];
    const ambiguous = marketsOf({}, ({ process }) => process.pages.set('/markets', () => twins));
    await expect(ambiguous).rejects.toThrow('"BTCUSDC" could be BTC-PERP or BTC-PERP-2');
  });

  test('is in the coins of the process, also in coins that it does not list', async () => {
    const { specs, tokens } = await marketsOf({ markets: ['BTC-PERP', 'SOL/USDC'] });
    expect(tokens).toMatchObject([
      { tokenId: 0, symbol: 'USDC', weightBps: 10_000 },
      { tokenId: 1, symbol: 'BTC', weightBps: 9_500 },
      { tokenId: 2, symbol: 'SOL', weightBps: 0 },
    ]);
    expect(specs).toMatchObject([
      { baseTokenId: 1, quoteTokenId: 0 },
      { baseTokenId: 2, quoteTokenId: 0 },
    ]);
  });
});

const seen = (book: object, more: { trades?: object[]; orders?: object[]; positions?: object[] } = {}) =>
  marketsOf({}, (bench) => {
    bench.process.pages.set('/markets/BTC-PERP/orderbook', () => book);
    bench.process.pages.set('/markets/BTC-PERP/trades', () => more.trades ?? []);
    bench.orders = more.orders ?? [];
    bench.positions = more.positions ?? [];
  });

const trade = { price: 100.25, side: 'buy', size: 0.001, time: '2025-11-20T10:00:00Z' };

describe('decimals', () => {
  test('are the most that appear in the book, without the errors of sums', async () => {
    const { specs, logged } = await seen(BOOK);
    expect(specs).toMatchObject([{ priceDecimals: 1, sizeDecimals: 4 }]);
    expect(logged).toEqual([]);
    const noisy = { asks: [[100.10000000000001, 0.30000000000000004]], bids: [[99.9, 1e-7]] };
    expect((await seen(noisy)).specs).toMatchObject([{ priceDecimals: 1, sizeDecimals: 7 }]);
  });

  test('may come from trades, our orders and our positions, but not from the current price, which need not be on the tick', async () => {
    const round = { asks: [[101, 1]], bids: [[99, 2]] };
    expect((await seen(round)).specs).toMatchObject([{ priceDecimals: 0, sizeDecimals: 0 }]);
    expect((await seen(round, { trades: [trade] })).specs).toMatchObject([{ priceDecimals: 2, sizeDecimals: 3 }]);
    expect((await seen(round, { orders: [orderPage()] })).specs).toMatchObject([{ priceDecimals: 1, sizeDecimals: 3 }]);
    expect((await seen(round, { positions: [positionPage()] })).specs).toMatchObject([{ priceDecimals: 0, sizeDecimals: 1 }]);
  });

  test('derived from few values cause a warning', async () => {
    const { logged } = await seen({ asks: [[101, 1]], bids: [[99, 2.5]] });
    expect(logged).toEqual([expect.stringMatching(/^BTC-PERP: its sizes seem to have 1 decimals, derived from few/)]);
  });

  test('cannot be derived without values', async () => {
    await expect(seen({ asks: [], bids: [] })).rejects.toThrow(/cannot be derived: its book is empty/);
  });

  test('can be given instead', async () => {
    const { specs } = await marketsOf({ decimals: { BTCUSDC: { price: 3, size: 5 } } });
    expect(specs).toMatchObject([{ priceDecimals: 3, sizeDecimals: 5 }]);
  });

  test('need no trade list', async () => {
    const { specs } = await marketsOf({}, ({ process }) => process.pages.delete('/markets/BTC-PERP/trades'));
    expect(specs).toMatchObject([{ priceDecimals: 1, sizeDecimals: 4 }]);
  });
});

const fractions = async (account: object, positions: object[] = []) => {
  const given = (bench: Bench): void => {
    bench.process.pages.set('/account', () => ({ ...ACCOUNT, initialMarginRequirement: 0, maintenanceMarginRequirement: 0, ...account }));
    bench.positions = positions;
  };
  const [spec] = (await marketsOf({}, given)).specs;
  return [spec?.imf, spec?.cmf, spec?.mmf];
};

describe('margin fractions', () => {
  const required = { initialMarginRequirement: '0.08', maintenanceMarginRequirement: 0.06 };

  test('are those of our position in the market', async () => {
    expect(await fractions({}, [positionPage(required), positionPage({ future: 'SOL-PERP' })])).toEqual([0.08, 0.07, 0.06]);
  });

  test('are those of the account as a whole, else its highest leverage, else conservative ones', async () => {
    expect(await fractions({ initialMarginRequirement: 0.2, maintenanceMarginRequirement: 0.1 })).toEqual([0.2, expect.closeTo(0.15), 0.1]);
    expect(await fractions({ leverage: 10 })).toEqual([0.1, expect.closeTo(0.075), 0.05]);
    expect(await fractions({ leverage: undefined })).toEqual([0.1, expect.closeTo(0.075), 0.05]);
  });
});

describe('connecting', () => {
  test('reports the account', async () => {
    expect((await marketsOf({})).account).toBe(7);
    const named = await marketsOf({}, ({ process }) => process.pages.set('/account', () => ({ ...ACCOUNT, username: 'F3b…' })));
    expect(named.account).toBe(0);
  });

  test.each([
    [{ makerFee: 0, takerFee: 0.001 }, 1],
    [{ makerFee: 0, takerFee: 0.0004 }, 0],
    [{ makerFee: 0.0001, takerFee: 0.001 }, 0],
    [{ makerFee: undefined, takerFee: undefined }, 0],
  ])('warns of fees that the process states for everybody: %o', async (fees, warnings) => {
    const { logged } = await marketsOf({}, ({ process }) => process.pages.set('/account', () => ({ ...ACCOUNT, ...fees })));
    expect(logged.filter((line) => /reports a maker fee of 0 .* may differ from the charged fees/.test(line))).toHaveLength(warnings);
  });

  test.each([
    ['nothing answers', { refused: true }, /connection refused/, /start the local process/],
    ['a web page answers', { reply: { body: '<html>' } }, /HTML/, /does not look like the local signing process/],
    ['it is another API', { reply: { body: '{"markets": []}' } }, /without \{success, result\}/, /does not look like/],
    ['it refuses', { reply: { body: '{"success": false, "message": "no wallet"}' } }, /was refused: no wallet/, /try again/],
    ['it fails', { reply: { status: 500, body: '{"message": "no RPC"}' } }, /no RPC/, /try again/],
  ])('if %s for a minute, a UserError says so', async (_, fault, message, hint) => {
    const failing = marketsOf({}, ({ process }) => {
      process.fault = () => fault;
    });
    await expect(failing).rejects.toThrow(UserError);
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toMatchObject({ code: 'exchange', hint: expect.stringMatching(hint) });
    await expect(failing).rejects.toThrow(/failed for 60 s/);
  });

  test('retries every request of it', async () => {
    const failed = new Set<string>();
    const { account } = await marketsOf({}, ({ process }) => {
      process.fault = ({ path }) => {
        const question = decodeURIComponent(path).replace(/\?.*/, '');
        if (failed.has(question)) return undefined;
        failed.add(question);
        return { reply: { status: 502, body: '<html>' } };
      };
    });
    expect(account).toBe(7);
    expect([...failed]).toEqual(expect.arrayContaining(['/markets', '/wallet/coins', '/account', '/positions', '/orders']));
    expect([...failed]).toEqual(expect.arrayContaining(['/markets/BTC-PERP/orderbook', '/orders/history']));
  });
});

test('an order can come about for as long as the process holds it and the exchange then accepts it', async () => {
  const { rules } = await new Bench().connect({});
  expect(rules).toEqual({ orderLife: deadAfter(0), absence: 'accounts' });
});
