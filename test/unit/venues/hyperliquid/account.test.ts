// Positions and orders come in two answers: they are one account only if the positions were the same before and after the orders were read.
import { expect, test } from 'vitest';
import { readAccount } from '../../../../src/venues/hyperliquid/account-snapshot.ts';
import type { AskInfo } from '../../../../src/venues/hyperliquid/requests.ts';

/** Answers with the positions of these sizes one after another, the last one again and again, and with an order for each read of the orders. */
function exchangeWith(...sizes: readonly string[]) {
  const asked: string[] = [];
  const count = (type: string): number => asked.filter((one) => one === type).length;
  const answers: Readonly<Record<string, () => unknown>> = {
    clearinghouseState: () => ({
      assetPositions: [{ position: positionOf(sizes[count('clearinghouseState') - 1] ?? sizes.at(-1)!) }],
      crossMarginSummary: { accountValue: '100', totalMarginUsed: '0', totalNtlPos: '0' },
      crossMaintenanceMarginUsed: '0',
      time: 1_700_000_000_000,
    }),
    frontendOpenOrders: () => [{ coin: 'BTC', side: 'B', limitPx: '60000', sz: '1', origSz: '1', oid: count('frontendOpenOrders') }],
  };
  const ask: AskInfo = async (type, { shape }) => {
    asked.push(type);
    return shape.parse(answers[type]!());
  };
  return { ask, asked };
}

const positionOf = (szi: string) => ({
  coin: 'BTC',
  szi,
  leverage: { type: 'cross', value: 20 },
  unrealizedPnl: '0',
  cumFunding: { allTime: '0' },
});

test('orders that were read while a position changed are read again', async () => {
  const { ask, asked } = exchangeWith('1', '2');
  const { state, orders } = await readAccount(ask, '0x1', []);
  expect(state.assetPositions.map(({ position }) => position.szi)).toEqual([2]);
  expect(orders.map(({ oid }) => oid)).toEqual(['2']);
  expect(asked).toEqual(['clearinghouseState', 'frontendOpenOrders', 'clearinghouseState', 'frontendOpenOrders', 'clearinghouseState']);
});

test('positions that change in each of three tries are no account', async () => {
  const { ask, asked } = exchangeWith('1', '2', '3', '4');
  await expect(readAccount(ask, '0x1', [])).rejects.toMatchObject({ kind: 'shape' });
  expect(asked.length).toBe(7);
});
