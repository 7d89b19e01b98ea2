// The rules of the embedded exchange's Hyperliquid API: who may sign, nonces and expiry, and what becomes of orders.
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY, VirtualClock } from '../../../../src/base/clock.ts';
import type { Handler } from '../../../../src/base/transport/transport.ts';
import { micros } from '../../../../src/bot/domain/numbers.ts';
import type { Embedded } from '../../../../src/embedded/server/embedded.ts';
import type { HyperliquidAction } from '../../../../src/venues/wire/hyperliquid/actions.ts';
import { signAction, type Unsigned } from '../../../../src/venues/wire/hyperliquid/sign.ts';
import { AGENT, AGENT_SECRET, approvalBody, approveAgent, MASTER, post } from '../../../hyperliquid/agent.ts';
import { embeddedOn, ONE_MARKET, START } from '../../../replay/virtual-run.ts';

let clock: VirtualClock;
let embedded: Embedded;
let api: Handler;
let nonce: number;

beforeEach(async () => {
  clock = new VirtualClock(START);
  embedded = await embeddedOn(clock, { seed: 'hyperliquid', markets: ONE_MARKET });
  api = embedded.hyperliquid;
  nonce = START + 1;
});

const info = (type: string, more: object = {}): unknown => post(api, '/info', { type, user: MASTER, ...more });

function act(action: HyperliquidAction, more: Partial<Unsigned> & { secret?: Uint8Array } = {}): unknown {
  const { secret = AGENT_SECRET, ...fields } = more;
  const unsigned = { action, nonce: nonce++, ...fields };
  const signature = signAction(unsigned, { secret, network: 'testnet' });
  return post(api, '/exchange', { ...unsigned, signature, vaultAddress: unsigned.vaultAddress ?? null });
}

const order = (more: object = {}): HyperliquidAction => ({
  type: 'order',
  orders: [{ a: 0, b: true, p: '59000', s: '0.01', r: false, t: { limit: { tif: 'Gtc' } }, ...more }],
  grouping: 'na',
});
const statusOf = (answer: unknown): unknown => (answer as { response: { data: { statuses: unknown[] } } }).response.data.statuses[0];
const NOOP: HyperliquidAction = { type: 'noop' };
const DONE = { status: 'ok', response: { type: 'default' } };

describe('keys', () => {
  test('an agent that was not approved is an account of its own', () => {
    act(NOOP);
    expect(info('userRole', { user: AGENT })).toEqual({ role: 'user' });
    expect(info('userRole')).toEqual({ role: 'missing' });
  });

  test('an agent acts for its master', () => {
    approveAgent(api, clock);
    expect(info('userRole', { user: AGENT })).toEqual({ role: 'agent', data: { user: MASTER } });
    expect(statusOf(act(order()))).toHaveProperty('resting.oid');
    expect(info('openOrders')).toHaveLength(1);
    expect(info('openOrders', { user: AGENT })).toEqual([]);
  });

  test('an agent whose time has ended is unknown', () => {
    post(api, '/exchange', approvalBody({ nonce: START, agentName: `bot valid_until ${START + 1_000}` }));
    expect(act(NOOP)).toEqual(DONE);
    clock.advanceTo(START + 1_000);
    expect(act(NOOP)).toEqual({ status: 'err', response: `User or API Wallet ${AGENT} does not exist.` });
  });

  test('without a faucet an unknown address is refused', async () => {
    api = (await embeddedOn(clock, { seed: 'empty', markets: ONE_MARKET, faucet: micros(0) })).hyperliquid;
    expect(act(NOOP)).toEqual({ status: 'err', response: `User or API Wallet ${AGENT} does not exist.` });
  });
});

describe('nonces and expiry', () => {
  test('a nonce is used up once, also by an action that is refused', () => {
    expect(act(order({ p: '59000.1' }), { nonce: START + 500 })).toMatchObject({ status: 'ok' });
    expect(act(NOOP, { nonce: START + 500 })).toEqual({ status: 'err', response: `Invalid nonce: duplicate nonce ${START + 500}` });
  });

  test('an action with the nonce of one that never came uses it up, so that the other is refused', () => {
    const lost = START + 700;
    expect(act(NOOP, { nonce: lost })).toEqual(DONE);
    expect(act(order(), { nonce: lost })).toEqual({ status: 'err', response: `Invalid nonce: duplicate nonce ${lost}` });
  });

  test('a nonce below the hundred newest is refused, in any order', () => {
    for (let count = 0; count < 100; count++) expect(act(NOOP, { nonce: START + 1_000 + count })).toEqual(DONE);
    const answer = act(NOOP, { nonce: START + 999 });
    expect(answer).toEqual({ status: 'err', response: `Invalid nonce: nonce too low ${START + 999} < ${START + 1_001}` });
  });

  test.each([
    ['too low', START - 2 * DAY],
    ['too high', START + DAY],
  ])('a nonce far from the time of the exchange is %s', (text, wrong) => {
    expect(act(NOOP, { nonce: wrong })).toMatchObject({ status: 'err', response: expect.stringContaining(`nonce ${text} ${wrong}`) });
  });

  test('an action that has expired is refused, and its nonce is used up', () => {
    const late = { nonce: START + 5, expiresAfter: START - 1 };
    expect(act(order(), late)).toEqual({ status: 'err', response: 'Action already expired' });
    expect(act(order(), { nonce: START + 5 })).toMatchObject({ response: expect.stringContaining('duplicate') });
    expect(info('openOrders')).toEqual([]);
  });
});

const best = (): { bid: number; ask: number } => {
  const { levels } = info('l2Book', { coin: 'BTC' }) as { levels: { px: string }[][] };
  return { bid: Number(levels[0]![0]!.px), ask: Number(levels[1]![0]!.px) };
};

describe('orders', () => {
  test('prices of the book have five significant figures, and no level occurs twice', () => {
    const { levels } = info('l2Book', { coin: 'BTC' }) as { levels: { px: string }[][] };
    const prices = levels.flat().map(({ px }) => px);
    expect(prices.length).toBeGreaterThan(10);
    for (const price of prices) expect(price).toMatch(/^\d{5}(\.0)?$/);
    expect(new Set(prices).size).toBe(prices.length);
    expect(best().bid).toBeLessThan(best().ask);
  });

  test.each([
    ['more than five figures', { p: '59000.1' }, 'Price must be divisible by tick size. asset=0'],
    ['less than 10 USDC', { s: '0.0001' }, 'Order must have minimum value of $10. asset=0'],
    ['a size off the lot', { s: '0.00001' }, 'Order has invalid size. asset=0'],
    ['a trigger', { t: { trigger: { isMarket: true, triggerPx: '1', tpsl: 'sl' } } }, 'Invalid TP/SL price. asset=0'],
    ['an unknown asset', { a: 9 }, 'Asset does not exist.'],
    ['nothing to reduce', { r: true }, 'Reduce only order would increase position. asset=0'],
    ['nothing to take', { t: { limit: { tif: 'Ioc' } } }, 'Order could not immediately match against any resting orders. asset=0'],
  ])('refuses an order with %s', (_case, more, error) => {
    expect(statusOf(act(order(more)))).toEqual({ error });
  });

  test('a taker has an oid and its cloid in the fills', () => {
    const cloid = `0x${'ab'.repeat(16)}`;
    const answer = statusOf(act(order({ p: String(best().ask + 100), t: { limit: { tif: 'Ioc' } }, c: cloid })));
    expect(answer).toMatchObject({ filled: { totalSz: '0.0100', cloid } });
    const { oid } = (answer as { filled: { oid: number } }).filled;
    const fills = info('userFills', { user: AGENT }) as { sz: string }[];
    for (const fill of fills) expect(fill).toMatchObject({ oid, cloid, crossed: true, feeToken: 'USDC' });
    expect(fills.reduce((sum, { sz }) => sum + Number(sz), 0)).toBeCloseTo(0.01, 9);
    expect(info('orderStatus', { user: AGENT, oid: cloid })).toMatchObject({ status: 'order', order: { status: 'filled' } });
  });

  test('a self-trade cancels the resting order', () => {
    const { ask } = best();
    act(order({ b: false, p: String(ask), s: '0.01', t: { limit: { tif: 'Alo' } } }));
    const before = info('openOrders', { user: AGENT }) as unknown[];
    act(order({ p: String(ask), s: '5', t: { limit: { tif: 'Ioc' } } }));
    expect(before).toHaveLength(1);
    expect(info('openOrders', { user: AGENT })).toEqual([]);
    const fills = info('userFills', { user: AGENT }) as { crossed: boolean }[];
    expect(fills.every(({ crossed }) => crossed)).toBe(true);
  });

  test('behind an order of ours that is cancelled for it, a self-trade cancels the next one too', () => {
    const { ask } = best();
    for (const p of [ask, ask + 1]) act(order({ b: false, p: String(p), s: '5', t: { limit: { tif: 'Alo' } } }));
    const before = info('openOrders', { user: AGENT }) as unknown[];
    act(order({ p: String(ask + 1), s: '5', t: { limit: { tif: 'Ioc' } } }));
    expect(before).toHaveLength(2);
    expect(info('openOrders', { user: AGENT })).toEqual([]);
  });

  test('an order is cancelled by its oid or its cloid, once', () => {
    const cloid = `0x${'0'.repeat(31)}7`;
    const gone = { error: 'Order was never placed, already canceled, or filled.' };
    const { oid } = (statusOf(act(order())) as { resting: { oid: number } }).resting;
    act(order({ c: cloid }));
    expect(statusOf(act({ type: 'cancel', cancels: [{ a: 0, o: oid }] }))).toBe('success');
    expect(statusOf(act({ type: 'cancelByCloid', cancels: [{ asset: 0, cloid }] }))).toBe('success');
    expect(statusOf(act({ type: 'cancel', cancels: [{ a: 0, o: oid }] }))).toEqual(gone);
    expect(statusOf(act({ type: 'cancelByCloid', cancels: [{ asset: 0, cloid }] }))).toEqual(gone);
  });
});

test.each([{}, { type: 'no such question' }, { type: 'l2Book' }, [1], 'text', null])(
  'a body that is no question is answered with 422: %j',
  (body) => {
    const reply = api({ method: 'POST', path: '/info', contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) });
    expect(reply.status).toBe(422);
  },
);

test('an unknown coin is answered with null', () => {
  expect(info('l2Book', { coin: 'NONE' })).toBeNull();
});

const used = () => info('userRateLimit') as { nRequestsUsed: number; nRequestsCap: number };
const cancelOf = (o: number): unknown => act({ type: 'cancel', cancels: [{ a: 0, o }] });

describe('the quota of an address', () => {
  beforeEach(async () => {
    embedded = await embeddedOn(clock, { seed: 'hyperliquid', markets: ONE_MARKET, hyperliquidQuota: 3 });
    api = embedded.hyperliquid;
    approveAgent(api, clock);
  });
  test('counts each order and cancel, and refuses further orders with words', () => {
    for (let count = 0; count < 3; count++) act(order());
    expect(used()).toMatchObject({ nRequestsUsed: 3, nRequestsCap: 3 });
    expect(act(order())).toMatchObject({ status: 'err', response: expect.stringContaining('Too many cumulative requests sent (3 > 3)') });
    expect(info('openOrders')).toHaveLength(3);
  });

  test('leaves cancels, up to twice as many', () => {
    const oids = [0, 1, 2].map(() => (statusOf(act(order())) as { resting: { oid: number } }).resting.oid);
    expect(oids.map((oid) => statusOf(cancelOf(oid)))).toEqual(['success', 'success', 'success']);
    expect(cancelOf(oids[0]!)).toMatchObject({ status: 'err' });
  });

  test('grows by one for each USDC that is traded', () => {
    act(order({ p: '61000', s: '0.1' }));
    expect(used().nRequestsCap).toBeGreaterThan(5_000);
    expect(statusOf(act(order()))).toHaveProperty('resting.oid');
  });
});

test('an account is valued at the mark price, as `metaAndAssetCtxs` shows it', () => {
  approveAgent(api, clock);
  act(order({ p: '61000', s: '0.5', t: { limit: { tif: 'Ioc' } } }));
  clock.advanceTo(START + 30_000);
  const [, [context]] = info('metaAndAssetCtxs') as [unknown, [{ markPx: string; oraclePx: string }]];
  const { assetPositions, marginSummary } = info('clearinghouseState') as AccountShown;
  const { entryPx, szi, positionValue, unrealizedPnl } = assetPositions[0]!.position;
  const mark = Number(context.markPx);
  expect(mark, 'the two prices differ').not.toBe(Number(context.oraclePx));
  expect(Number(positionValue)).toBeCloseTo(mark * 0.5, 6);
  expect(Number(unrealizedPnl)).toBeCloseTo((mark - Number(entryPx)) * Number(szi), 3);
  expect(Number(marginSummary.totalNtlPos)).toBeCloseTo(mark * 0.5, 6);
  expect(Number(marginSummary.accountValue)).toBeCloseTo(Number(marginSummary.totalRawUsd) + mark * Number(szi), 3);
});

interface AccountShown {
  readonly assetPositions: readonly {
    readonly position: Readonly<Record<'entryPx' | 'szi' | 'positionValue' | 'unrealizedPnl', string>>;
  }[];
  readonly marginSummary: Readonly<Record<'accountValue' | 'totalNtlPos' | 'totalRawUsd', string>>;
}
