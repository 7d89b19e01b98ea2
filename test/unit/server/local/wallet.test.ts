// Money over the local API: coins, balances, and transfers between the margin account and the wallet.
import { describe, expect, test } from 'vitest';
import { anyText, ISO_8601, openLocalApi, symbols, TX_ID } from './open-api.ts';

type ApiContext = ReturnType<typeof openLocalApi>;
const balanceOf = ({ read }: ApiContext, coin: string) =>
  (read('/wallet/balances') as { coin: string; free: number; total: number }[]).find((balance) => balance.coin === coin)!;
const OPERATION = { coin: 'USDC', status: 'processed', time: ISO_8601, txId: TX_ID };

describe('coins', () => {
  test('are the tokens of the hosted API; a token without a spot market cannot be owned', () => {
    const { read, exchange } = openLocalApi();
    const coin = (id: string, owned: boolean, collateralWeight: number) => ({
      id,
      mint: exchange.tokens.find(({ symbol }) => symbol === id)!.mintAddr,
      canDeposit: owned,
      canWithdraw: owned,
      canConvert: false,
      collateral: owned,
      collateralWeight,
    });
    expect(read('/wallet/coins')).toEqual([
      coin('USDC', true, 1),
      coin('BTC', false, 0.95),
      coin('ETH', false, 0.95),
      coin('SOL', true, 0.9),
    ]);
  });
});

describe('balances', () => {
  test('lists every coin', () => {
    const { read } = openLocalApi();
    const none = { free: 0, spotBorrow: 0, total: 0, usdValue: 0, availableWithoutBorrow: 0 };
    const money = { coin: 'USDC', free: 100_000, spotBorrow: 0, total: 100_000, usdValue: 100_000, availableWithoutBorrow: 100_000 };
    expect(read('/wallet/balances')).toEqual(symbols.map((coin) => (coin === 'USDC' ? money : { coin, ...none })));
  });

  test('free excludes the margin of orders and positions', () => {
    const context = openLocalApi();
    context.order({ size: 1 });
    expect(balanceOf(context, 'USDC')).toMatchObject({ free: 97_000 - 1e-6, total: 100_000 });
    context.order({ market: 'SOL/USDC', price: 140, size: 700 });
    expect(balanceOf(context, 'USDC').free).toBeCloseTo(100_000 - 98_000 * 1.0001, 6);
  });

  test('a loss beyond the quote balance is shown as borrowed', () => {
    const context = openLocalApi();
    context.result('GET', '/wallet/deposits?coin=SOL&size=20');
    context.result('GET', '/wallet/withdrawals?coin=USDC&size=100000');
    context.theirs('ask', 0.1, 60_000);
    context.order({ price: 60_000 });
    const fee = 6_000 * 0.000_35;
    expect(context.read('/wallet/balances')).toMatchObject([
      { total: -fee, spotBorrow: fee, free: 0, usdValue: -fee },
      {},
      {},
      { total: 20 },
    ]);
  });
});

describe('deposits and withdrawals', () => {
  test.each([
    ['GET', (coin: string, size: number) => [`?coin=${coin}&size=${size}`, undefined] as const],
    ['POST', (coin: string, size: number) => ['', { coin, size }] as const],
  ] as const)('by %s, both ways, and back again', (method, asked) => {
    const context = openLocalApi();
    const move = (way: 'deposits' | 'withdrawals', coin: string, size: number): unknown => {
      const [query, body] = asked(coin, size);
      return context.result(method, `/wallet/${way}${query}`, body);
    };
    expect(move('deposits', 'USDC', 1_000.000_001)).toEqual(OPERATION);
    expect(balanceOf(context, 'USDC').total).toBe(101_000.000_001);
    expect(move('deposits', 'SOL', 2.5)).toEqual({ ...OPERATION, coin: 'SOL' });
    expect(balanceOf(context, 'SOL')).toMatchObject({ total: 2.5, free: 2.5, usdValue: 375 });
    expect(move('withdrawals', 'SOL', 2.5)).toEqual({ ...OPERATION, coin: 'SOL' });
    expect(move('withdrawals', 'USDC', 101_000.000_001)).toEqual(OPERATION);
    expect(context.read('/account')).toMatchObject({ collateral: 0, freeCollateral: 0 });
    expect(context.exchange.wallets.amounts(context.account)).toEqual([105_000e6, 0, 0, 20_000]);
    expect(context.read('/wallet/transfers')).toEqual(
      [
        { coin: 'USDC', size: 101_000.000_001, type: 'withdrawal' },
        { coin: 'SOL', size: 2.5, type: 'withdrawal' },
        { coin: 'SOL', size: 2.5, type: 'deposit' },
        { coin: 'USDC', size: 1_000.000_001, type: 'deposit' },
        { coin: 'USDC', size: 100_000, type: 'deposit' }, // with which the account was registered
      ].map((transfer) => ({ ...transfer, status: 'confirmed', time: ISO_8601 })),
    );
  });

  test('the hosted API shows the deposit', () => {
    const { result, exchange, account } = openLocalApi();
    result('GET', '/wallet/deposits?coin=SOL&size=3');
    expect(exchange.account(account)!.balances).toEqual([
      { tokenId: 0, token: 'USDC', amount: 100_000 },
      { tokenId: 3, token: 'SOL', amount: 3 },
    ]);
  });

  test('only the free amount can be withdrawn', () => {
    const context = openLocalApi();
    context.result('GET', '/wallet/deposits?coin=SOL&size=20');
    context.order({ size: 30, price: 60_000 });
    for (const coin of ['SOL', 'USDC']) {
      const { free } = balanceOf(context, coin);
      const step = coin === 'SOL' ? 0.001 : 0.000_001;
      expect(free).toBeGreaterThan(0);
      const [status, message] = context.refusal('POST', '/wallet/withdrawals', { coin, size: Number((free + step).toFixed(6)) });
      expect([status, message]).toEqual([400, expect.stringContaining('INSUFFICIENT_FUNDS')]);
      context.result('POST', '/wallet/withdrawals', { coin, size: free });
    }
    const { omf, imf } = context.exchange.account(context.account)!.margins;
    expect(omf).toBeGreaterThan(imf);
    expect(omf - imf).toBeLessThan(10);
  });

  test('transfers come in pages', () => {
    const { result, read } = openLocalApi();
    for (let size = 1; size <= 51; size++) result('GET', `/wallet/deposits?coin=USDC&size=${size}`);
    expect([(read('/wallet/transfers') as unknown[]).length, read('/wallet/transfers?page=2')]).toEqual([
      50,
      [expect.objectContaining({ size: 1 }), expect.objectContaining({ size: 100_000 })],
    ]);
  });

  test.each([
    [404, '?coin=DOGE&size=1', 'unknown coin'],
    [400, '?coin=BTC&size=1', 'future'],
    [400, '?coin=USDC', 'needed'],
    [400, '?size=1', 'needed'],
    [400, '', 'needed'],
    [400, '?coin=USDC&size=0', 'positive'],
    [400, '?coin=USDC&size=-1', 'positive'],
    [400, '?coin=USDC&size=1e3', 'positive'],
    [400, '?coin=USDC&size=0.0000001', 'multiple of 0.000001'],
    [400, '?coin=SOL&size=0.0001', 'multiple of 0.001'],
    [400, '?coin=USDC&size=99999999999999999999', 'multiple'],
    [400, '?coin=USDC&size=5000.000001', 'INSUFFICIENT_FUNDS'],
    [400, '?coin=SOL&size=21', 'INSUFFICIENT_FUNDS'],
    [400, '?coin=USDC&size=1&amount=1', 'unknown parameter'],
  ])('%i for a deposit of %j', (status, query, part) => {
    const { refusal, exchange } = openLocalApi();
    const before = exchange.lastActionId();
    expect(refusal('GET', `/wallet/deposits${query}`)).toEqual([status, expect.stringContaining(part)]);
    expect(exchange.lastActionId()).toBe(before);
  });

  test.each([
    { coin: 'USDC' },
    { size: 1 },
    { coin: 'USDC', size: '1' },
    { coin: 5, size: 1 },
    { coin: 'USDC', size: 0 },
    { coin: 'USDC', size: 1, to: 'me' },
    [],
    '',
    'null',
  ])('400 for a withdrawal of %j', (body) => {
    const { refusal } = openLocalApi();
    expect(refusal('POST', '/wallet/withdrawals', body)).toEqual([400, anyText]);
  });
});
