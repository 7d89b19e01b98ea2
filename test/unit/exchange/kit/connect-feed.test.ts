// The candles before a run: those of the exchange if its client has them, else those built from its public trades.
import { expect, test } from 'vitest';
import { MINUTE } from '../../../../src/base/clock.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import type { Trade } from '../../../../src/bot/domain/order.ts';
import { historyOf } from '../../../../src/bot/exchange/kit/connect-feed.ts';
import type { PublicClient } from '../../../../src/bot/exchange/kit/venue-client.ts';
import type { PastCandles } from '../../../../src/bot/exchange/port.ts';
import { BTC } from '../../world-builder.ts';

const ASKED = { market: BTC, span: MINUTE, count: 2, until: 2 * MINUTE };
const TRADE: Trade = { tradeId: '1', market: BTC.id, takerSide: 'bid', price: ticks(100), size: lots(3), time: 1.5 * MINUTE };
const OLDER: Trade = { ...TRADE, tradeId: '0', price: ticks(90), time: -1 };

const clientWith = (candles?: PublicClient['candles']): PublicClient =>
  ({
    trades: () => ({
      what: 'trades',
      pages: async function* () {
        yield [TRADE, OLDER];
      },
    }),
    ...(candles !== undefined && { candles }),
  }) as Partial<PublicClient> as PublicClient;

test('are built from trades if the exchange has no candles', async () => {
  const { span, candles } = await historyOf(clientWith())(ASKED);
  expect(span).toBe(MINUTE);
  expect(candles.at(-1)).toMatchObject({ start: MINUTE, open: 100, close: 100, volume: 3 });
});

test('are those of the exchange if it has them', async () => {
  const candle = { start: 0, open: ticks(1), high: ticks(4), low: ticks(1), close: ticks(2) };
  const past: PastCandles = { span: MINUTE, candles: [candle] };
  expect(await historyOf(clientWith(async () => past))(ASKED)).toBe(past);
});
