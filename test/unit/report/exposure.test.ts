// Exposure and margin figures, against values computed by hand.
import { expect, test } from 'vitest';
import { exposureFigures, marginFigures } from '../../../src/research/report/figures/exposure.ts';
import { ReportCollector } from '../../../src/research/report/figures/report-collector.ts';
import { marketOf } from '../world-builder.ts';
import { accountTurn, NO_ORDERS, seriesOf, T0, timerTurn, turn } from './turns.ts';

// Flat for 1 s, 3 000 held for 2 s, 1 000 for 1 s, flat for 1 s: 7 000 money seconds in 5 s, 3 of them with a position.
const { account, to } = seriesOf([
  accountTurn(0, { mf: 500 }),
  accountTurn(1_000, { mf: 500, omf: 480, pn: 3_000, imf: 160, cmf: 120, mmf: 75 }),
  accountTurn(3_000, { mf: 300, omf: 300, pn: 1_000, imf: 150, cmf: 40, mmf: 25 }),
  accountTurn(4_000, { mf: 500 }),
  timerTurn(5_000),
]);

test('exposure is averaged over time', () => {
  expect(exposureFigures(account, to)).toEqual({
    share: { value: 0.6 },
    average: { value: 1_400 },
    largest: { value: 3_000 },
    // 6 for 2 s and 10 / 3 for 1 s, of 5 s.
    leverage: { average: { value: expect.closeTo((12 + 10 / 3) / 5, 12) }, largest: { value: 6 } },
  });
});

test('each margin is compared with its own requirement, at the lowest ratio', () => {
  expect(marginFigures(account, to)).toEqual({
    opening: { value: 2, at: T0 + 3_000 },
    orders: { value: 4, at: T0 + 1_000 },
    positions: { value: 500 / 75, at: T0 + 1_000 },
    // A third for 2 s and a half for 1 s, of 5 s.
    use: { value: expect.closeTo((2 / 3 + 0.5) / 5, 12) },
  });
});

test('without an account or a position, the figures are missing', () => {
  const none = seriesOf([timerTurn(0)]).account;
  expect(exposureFigures(none, T0)).toEqual({
    share: { missing: 'no account was seen' },
    average: { missing: 'no account was seen' },
    largest: { missing: 'no account was seen' },
    leverage: { average: { missing: 'no account was seen' }, largest: { missing: 'no account was seen' } },
  });
  const flat = seriesOf([accountTurn(0, { mf: 500 })]).account;
  expect(marginFigures(flat, T0).positions).toEqual({ missing: 'no margin was required' });
});

test('spot holdings count at the index price, beside perpetuals', () => {
  const spot = marketOf({ kind: 'spot', symbol: 'BTC/USDC' });
  const collector = new ReportCollector({ markets: [spot] });
  const info = { market: 0, index: spot.ticksNear(60_000), frozen: false };
  const turns = [
    turn({ kind: 'infoSeen', at: T0, asked: T0, infos: [info] }),
    accountTurn(0, { mf: 500 }),
    accountTurn(2_000, { mf: 500, pn: 1_000, position: 0.1 }),
    timerTurn(4_000),
  ];
  for (const one of turns) collector.see(one, NO_ORDERS);
  const series = collector.collected();
  expect(exposureFigures(series.account, series.to)).toEqual({
    share: { value: 0.5 },
    average: { value: 3_500 },
    largest: { value: 7_000 },
    leverage: { average: { value: 7 }, largest: { value: 14 } },
  });
});
