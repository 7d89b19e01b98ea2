// Tests of the carry strategy on the embedded exchange with accounts of some age and lost replies.
import { expect, test } from 'vitest';
import { testTools } from '../../../src/testing.ts';
import carry from '../../../strategies/carry.ts';
import { PERP, SPOT, type SpotOptions, SpotStage } from '../spot/spot-stage.ts';

export const ALWAYS = { ...carry.defaults, enterRate: -0.5, exitRate: -1 };

export function testReached(cases: readonly (readonly [string, SpotOptions])[]): void {
  test.each(cases)('reaches its size on both sides and never exceeds it, through restarts: %s', async (_, faults: SpotOptions) => {
    const stage = await SpotStage.open({ markets: [SPOT, PERP], ...faults });
    const meanwhile = (): void => {
      expect(stage.sol).toBeLessThanOrEqual(10);
      expect(stage.perp).toBeLessThanOrEqual(0);
      expect(-stage.perp).toBeLessThanOrEqual(stage.sol);
    };
    await stage.run(carry.create(ALWAYS, testTools()), { seconds: 6, meanwhile });
    await stage.run(carry.create(ALWAYS, testTools()), { seconds: 40, meanwhile });
    expect([stage.sol, stage.perp]).toEqual([10, -10]);
    const { trades } = stage;
    await stage.run(carry.create(ALWAYS, testTools()), { seconds: 15, meanwhile });
    expect([stage.sol, stage.perp, stage.trades]).toEqual([10, -10, trades]);
  });
}
