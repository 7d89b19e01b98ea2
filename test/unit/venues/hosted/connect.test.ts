// Connecting: what is requested, which account is used, and errors in an address, a key or a market.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import type { HttpReply, Transport } from '../../../../src/base/transport/transport.ts';
import { bundledSchema, loadSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { Bench, livePage, POLLING, START, USER } from './bench.ts';

const refusal = async (bench: Bench, more: Parameters<Bench['connect']>[0] = {}): Promise<UserError> => {
  const thrown = await bench.connect(more).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(UserError);
  return thrown as UserError;
};

describe('a venue', () => {
  test('has the requested markets, perpetual and spot distinguished by funding', async () => {
    const bench = new Bench();
    const { feed, gateway } = await bench.connect({ markets: ['SOLUSDC', 'BTCUSDC'] });
    expect(feed.markets.map(({ symbol, spec }) => [symbol, spec.kind])).toEqual([
      ['SOLUSDC', 'spot'],
      ['BTCUSDC', 'perp'],
    ]);
    expect(feed.tokens).toEqual([
      { tokenId: 0, symbol: 'USDC', decimals: 6, weightBps: 10_000 },
      { tokenId: 2, symbol: 'SOL', decimals: 9, weightBps: 9_000 },
    ]);
    expect(gateway.account).toBe(7);
  });

  test('polls nothing until it is subscribed, and nothing after it was closed', async () => {
    const bench = new Bench();
    const { gateway } = await bench.connect();
    await bench.run(2_000);
    await gateway.close();
    const asked = bench.exchange.requests.length;
    await bench.run(200_000);
    expect(bench.exchange.requests).toHaveLength(asked);
    expect(bench.exchange.openings()).toHaveLength(1);
  });

  test('polls each kind at its own interval, and only what is traded', async () => {
    const bench = new Bench();
    await bench.connect();
    await bench.run(10_000);
    const count = (path: string): number => bench.exchange.requests.filter((asked) => asked.startsWith(path)).length;
    expect(count('/market/0/orderbook')).toBe(41);
    expect(count('/account/7')).toBe(22); // one of them for its fee tier
    expect(count('/markets/live')).toBe(12); // one of them for the kind of the market
    expect(count('/market/1/')).toBe(0);
  });

  test('polls the books less often, and the account as often as configured, if the request budget is short', async () => {
    const bench = new Bench();
    await bench.connect({ polling: { ...POLLING, requestsPerSecond: 6 } });
    bench.exchange.requests.length = 0;
    await bench.run(14_000);
    const count = (path: string): number => bench.exchange.requests.filter((asked) => asked.startsWith(path)).length;
    // 5 requests a second are for the account, its trades and the time; 1 is left for 4 books, 2 lists of trades and 1 live info
    expect(Math.abs(count('/market/0/orderbook') - 14_000 / (7 * 250))).toBeLessThanOrEqual(1);
    expect(count('/account/7')).toBeGreaterThanOrEqual(20);
  });

  test('is a UserError, before a session is opened, if the request budget leaves nothing for books', async () => {
    const bench = new Bench();
    await expect(bench.connect({ polling: { ...POLLING, requestsPerSecond: 5 } })).rejects.toThrow('leave none for order books');
    expect(bench.exchange.requests).toEqual([]);
  });

  test('of a user that the exchange does not know yet: the session registers it', async () => {
    const bench = new Bench();
    bench.exchange.users.clear();
    bench.exchange.createsUsers = true;
    expect((await bench.connect()).gateway.account).toBe(7);
  });
});

const kindOf = async (bench: Bench, symbol: string): Promise<string> =>
  (await bench.connect({ markets: [symbol] })).feed.markets.map(({ spec }) => spec.kind).join();

describe('the kind of a market', () => {
  const NULLS = { indexPrice: 100.02, perpStats: null };

  test('of a perpetual is not guessed if its statistics are missing once', async () => {
    const bench = new Bench();
    let looks = 0;
    bench.exchange.pages.set('/market/0/stats', () =>
      looks++ === 0 ? { indexPrice: null, perpStats: null } : { perpStats: { mark_price: 100 } },
    );
    expect(await kindOf(bench, 'BTCUSDC')).toBe('perp');
  });

  test('is perpetual if the live row shows funding and the statistics do not', async () => {
    const bench = new Bench();
    bench.exchange.pages.set('/market/0/stats', () => NULLS);
    expect(await kindOf(bench, 'BTCUSDC')).toBe('perp');
  });

  test('is perpetual if the second look shows funding', async () => {
    const bench = new Bench();
    let looks = 0;
    bench.exchange.pages.set('/market/0/stats', () => NULLS);
    bench.exchange.pages.set('/markets/live', () => livePage(looks++ === 0 ? { projectedFundingRate: null } : {}));
    expect(await kindOf(bench, 'BTCUSDC')).toBe('perp');
  });

  test('is correct although a connection answers statistics with the reply to the request before', async () => {
    const bench = new Bench();
    let [shifts, before]: [number, HttpReply | undefined] = [2, undefined];
    const transport: Transport = {
      async request(request, limits) {
        const reply = await bench.exchange.request(request, limits);
        const shown = request.path.endsWith('/stats') && shifts-- > 0 ? before : reply;
        before = reply;
        return shown ?? reply;
      },
      close: () => Promise.resolve(),
    };
    const { feed } = await bench.connect({ markets: ['BTCUSDC', 'SOLUSDC'], transport });
    expect(feed.markets.map(({ spec }) => spec.kind)).toEqual(['perp', 'spot']);
  });

  test('is unknown while no data shows it: the start requests it again, and then gives up', async () => {
    const bench = new Bench();
    bench.exchange.pages.set('/market/1/stats', () => ({ indexPrice: null, perpStats: null }));
    const error = await refusal(bench, { markets: ['SOLUSDC'] });
    expect([error.message, ...bench.logged].join('\n')).toContain('it is not known whether it is a perpetual or a spot market');
    expect(error.code).toBe('exchange');
    expect(bench.exchange.openings()).toHaveLength(0);
  });

  test('is refused if the base token of an apparent spot market is not listed', async () => {
    const bench = new Bench();
    bench.exchange.pages.set('/market/0/stats', () => NULLS);
    bench.exchange.pages.set('/markets/live', () => livePage({ projectedFundingRate: null }));
    const error = await refusal(bench, { markets: ['BTCUSDC'] });
    expect(error).toMatchObject({ code: 'market', message: expect.stringContaining('shows BTCUSDC as a spot market') as string });
  });
});

describe('the fee', () => {
  test('is that of the tier of the account', async () => {
    const bench = new Bench();
    await bench.connect();
    await bench.run(1_000);
    expect(bench.of('accountSeen')[0]?.account).toMatchObject({ feeRate: 0.0003, fees: { taker: 0.0003 } });
  });

  test.each([
    ['a tier that is not listed', '/account/7/fee/tier', () => 9],
    ['rates in another unit', '/fee/brackets/info', () => [[1, { maker_fee_ppm: 0, taker_fee_ppm: 300_000 }]]],
    ['nothing', '/account/7/fee/tier', () => null],
  ])('is unknown if the exchange reports %s, and a warning says so', async (_, path, page) => {
    const bench = new Bench();
    bench.exchange.pages.set(path, page);
    await bench.connect();
    await bench.run(1_000);
    expect(bench.of('accountSeen')[0]?.account).not.toHaveProperty('feeRate');
    expect(bench.logged.join()).toContain('the guards use limits.margin.feeRate');
  });
});

describe('the account', () => {
  test('is the first by default', async () => {
    const bench = new Bench();
    bench.exchange.users.set(USER, [3, 7]);
    expect((await bench.connect()).gateway.account).toBe(3);
    const second = new Bench();
    second.exchange.users.set(USER, [3, 7]);
    expect((await second.connect({ accountId: 7 })).gateway.account).toBe(7);
  });

  test('of another user is refused before a session is opened', async () => {
    const bench = new Bench();
    const error = await refusal(bench, { accountId: 8 });
    expect(error).toMatchObject({ code: 'account', hint: 'its accounts: 7' });
    expect(bench.exchange.openings()).toHaveLength(0);
  });

  test('that is not the first needs a schema with an account field', async () => {
    const schema = loadSchema(bundledSchema().text.replaceAll(/^.*sender_account_id.*$/gm, ''));
    const bench = new Bench(schema);
    bench.exchange.users.set(USER, [3, 7]);
    expect((await refusal(bench, { schema, accountId: 7 })).message).toContain('sender_account_id');
    expect((await bench.connect({ schema, accountId: 3 })).gateway.account).toBe(3);
  });
});

describe('an error that the user has to fix', () => {
  test('suggests the nearest market', async () => {
    expect(await refusal(new Bench(), { markets: ['BTCUSD'] })).toMatchObject({ code: 'market', hint: 'did you mean "BTCUSDC"?' });
  });

  test('names a key that the exchange does not know', async () => {
    const bench = new Bench();
    bench.exchange.users.clear();
    const error = await refusal(bench);
    expect(error).toMatchObject({ code: 'session' });
    expect(error.message).toContain(USER);
    expect(error.hint).toContain('deposit');
  });

  test.each([
    ['an HTML page', { reply: { body: '<html>' } }, /--url/],
    ['an invalid time', { reply: { body: '12345' } }, /--url/],
    ['nothing listens', { refused: true }, /network/],
    ['no answer', { lost: 'reply' }, /try again/],
    ['a server that fails', { reply: { status: 502, body: '<html>' } }, /try again/],
  ] as const)('names %s, after a minute', async (_, fault, hint) => {
    const bench = new Bench();
    bench.exchange.fault = () => fault;
    const error = await refusal(bench);
    expect(error).toMatchObject({ code: 'exchange', hint: expect.stringMatching(hint) });
    expect(error.message).toMatch(/^connecting to the exchange failed for 60 s; the last reason: /);
    expect(bench.clock.now() - START).toBeGreaterThan(54_000);
    expect(bench.clock.now() - START).toBeLessThanOrEqual(60_000);
  });

  test('reports another server at once', async () => {
    const bench = new Bench();
    bench.exchange.fault = () => ({ reply: { status: 404, body: 'nothing here' } });
    expect(await refusal(bench)).toMatchObject({ code: 'exchange', hint: expect.stringMatching(/--url/) });
    expect(bench.clock.now() - START).toBeLessThan(100);
  });
});

describe('a start retries', () => {
  test.each([
    ['502', { reply: { status: 502, body: '<html>' } }],
    ['a lost reply', { lost: 'reply' }],
  ] as const)('every request of it but those for fees after %s, and opens one session', async (_, fault) => {
    const bench = new Bench();
    const failed = new Set<string>();
    bench.exchange.fault = ({ method, path }) => {
      const question = method === 'POST' ? 'session' : path.replace(/\?.*/, '');
      if (failed.has(question)) return undefined;
      failed.add(question);
      return fault;
    };
    expect((await bench.connect()).gateway.account).toBe(7);
    const fees = ['/account/7/fee/tier', '/fee/brackets/info']; // requested once: if they fail, the guards use higher fees
    const retried = ['/info', '/market/0/stats', '/markets/live', '/timestamp', '/trades', `/user/${USER}`, 'session'];
    expect([...failed].sort()).toEqual([...fees, ...retried]);
    expect(bench.exchange.sessions.size).toBe(1);
  });

  test('until the timeout', async () => {
    const bench = new Bench();
    const { clock } = bench;
    bench.exchange.fault = () => ({ refused: true });
    expect((await refusal(bench, { start: { timeoutMs: 10_000, log: bench.log } })).message).toContain('failed for 10 s');
    expect(clock.now() - START).toBeLessThanOrEqual(10_000);
  });

  test('but a session without an answer does not extend it', async () => {
    const bench = new Bench();
    bench.exchange.fault = ({ method }) => (method === 'POST' ? { lost: 'request' } : undefined);
    expect((await refusal(bench)).code).toBe('exchange');
    expect(bench.clock.now() - START).toBeLessThanOrEqual(60_000);
  });

  test('after maintenance', async () => {
    const bench = new Bench();
    const refusal = bench.exchange.codec.encodeReceipt(bench.exchange.error('MAINTENANCE'));
    bench.exchange.fault = ({ method }) =>
      method === 'POST' && bench.clock.now() < START + 20_000 ? { reply: { body: refusal } } : undefined;
    expect((await bench.connect()).gateway.account).toBe(7);
  });

  test('but not after a refused key', async () => {
    const bench = new Bench();
    bench.exchange.users.clear();
    await refusal(bench);
    expect(bench.clock.now() - START).toBeLessThan(100);
    expect(bench.exchange.openings()).toHaveLength(1);
  });
});
