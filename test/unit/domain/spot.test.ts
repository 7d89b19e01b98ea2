// Spot markets that one run may not trade together, because a trade in one changes the position in the other.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import { checkSpotMarkets } from '../../../src/bot/domain/accounting/spot.ts';
import type { Market } from '../../../src/bot/domain/market.ts';
import { limitsSchema } from '../../../src/bot/risk/rules.ts';
import { startTrading } from '../../../src/bot/run/core/trading.ts';
import { memoryState } from '../../memory-state.ts';
import { FakeVenue } from '../run/fake-venue.ts';
import { BTC, marketOf, START } from '../world-builder.ts';

const [USDC, SOL, ETH, USDT] = [0, 3, 2, 9];
const spot = (id: number, symbol: string, [baseTokenId, quoteTokenId]: readonly [number, number]): Market =>
  marketOf({ id, symbol, kind: 'spot', baseTokenId, quoteTokenId });

const SOLUSDC = spot(3, 'SOLUSDC-SPOT', [SOL, USDC]);
const SOLUSDT = spot(4, 'SOLUSDT-SPOT', [SOL, USDT]);
const ETHSOL = spot(5, 'ETHSOL-SPOT', [ETH, SOL]);
const ETHUSDC = spot(6, 'ETHUSDC-SPOT', [ETH, USDC]);
const SOLPERP = marketOf({ id: 2, symbol: 'SOLUSDC', baseTokenId: SOL });

const REFUSED = [
  ['that share a base token', [SOLUSDC, SOLUSDT], 'SOLUSDC-SPOT and SOLUSDT-SPOT share a base token'],
  [
    'whose second one is priced in the base token of the first',
    [SOLUSDC, ETHSOL],
    'ETHSOL-SPOT is priced in the base token of SOLUSDC-SPOT',
  ],
  [
    'whose first one is priced in the base token of the second',
    [ETHSOL, SOLUSDC],
    'ETHSOL-SPOT is priced in the base token of SOLUSDC-SPOT',
  ],
] as const;

function startedWith(markets: readonly Market[]): void {
  const clock = new VirtualClock(START);
  startTrading({
    clock,
    venue: new FakeVenue(clock, markets),
    state: memoryState(),
    decide: () => [],
    limits: limitsSchema.parse({}),
    params: {},
    seed: 'seed',
    name: { run: 'r', strategy: 's', exchange: 'fake' },
  });
}

describe('two spot markets', () => {
  test.each(REFUSED)('%s are refused, also with others between them', (_, [one, other], why) => {
    const error = new UserError({
      code: 'market',
      message: `${why}: a trade in one changes the position in the other`,
      hint: 'trade them in two runs, each on an account of its own',
    });
    expect(() => checkSpotMarkets([one, other])).toThrow(error);
    expect(() => checkSpotMarkets([BTC, one, SOLPERP, other])).toThrow(error);
    expect(() => startedWith([one, other])).toThrow(error);
  });

  test('that share only the quote token are traded together, and so are a spot market and the perpetual of its token', () => {
    expect(() => startedWith([SOLUSDC, ETHUSDC, SOLPERP])).not.toThrow();
  });
});
