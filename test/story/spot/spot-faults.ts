// Tests of purchases on a spot market while accounts are old and replies are lost: nothing is bought twice.
import { describe, expect, test } from 'vitest';
import type { Summary } from '../../../src/bot/accounting/summary.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import type { View } from '../../../src/bot/strategy/view/view.ts';
import { HELD, PERP, SPOT, type SpotOptions, SpotStage } from './spot-stage.ts';

/** `parts`: the last case of each list, which has all the faults of the others, or the others. */
export function testPurchases(apis: readonly ('hosted' | 'local')[], parts: readonly ('last' | 'others')[]): void {
  const partOf = <T>(cases: readonly T[]): readonly T[] =>
    parts.flatMap((part) => (part === 'last' ? cases.slice(-1) : cases.slice(0, -1)));

  describe.each(apis)('a target of 1 SOL on the %s API', (api) => {
    const cases = [
      ['is reached exactly', {}],
      ['with an account that is 10 s old', { lagMs: 10_000 }],
      ['with an account that is 1 s old', { lagMs: 1_000 }],
      ['with the first three replies lost', { lost: 3 }],
      ['with an old account and lost replies', { lagMs: 5_000, lost: 3 }],
    ] as const;
    test.each(partOf(cases))('%s', async (_, faults) => {
      const stage = await SpotStage.open({ api, ...faults });
      const summary = await stage.run((view) => [view.market(SPOT).target({ position: 1 })], { seconds: 30 });
      expect(stage.sol).toBe(1);
      expect(summary.positions).toEqual(HELD);
    });
  });

  describe.each(apis)('a carry of 2 000 USDC on the %s API', (api) => {
    /** Buys spot for 2 000 and sells the perpetual for the same. Neither position ever exceeds its target. */
    async function carry(faults: SpotOptions, seconds: number): Promise<{ stage: SpotStage; summary: Summary }> {
      const stage = await SpotStage.open({ api, markets: [SPOT, PERP], ...faults });
      let most = 0;
      const wanted = (view: View): readonly Intent[] => {
        const [spot, perp] = [view.market(SPOT), view.market(PERP)];
        if (spot.mid === undefined) return [];
        const position = 2_000 / spot.mid;
        most = Math.max(most, position);
        return [spot.target({ position }), perp.target({ position: -position })];
      };
      const meanwhile = (): void => {
        expect(stage.sol).toBeLessThanOrEqual(most);
        expect(stage.perp).toBeGreaterThanOrEqual(-most);
        expect(stage.perp).toBeLessThanOrEqual(0);
      };
      const summary = await stage.run(wanted, { seconds, meanwhile });
      meanwhile();
      return { stage, summary };
    }

    const cases = [
      ['at once', {}],
      ['with an account that is 2 s old', { lagMs: 2_000 }],
      ['with the first three replies lost', { lost: 3 }],
      ['with an old account and lost replies', { lagMs: 2_000, lost: 3 }],
    ] as const;
    test.each(partOf(cases))('is reached on both sides and never exceeded: %s', async (_, faults) => {
      const { stage, summary } = await carry(faults, 40);
      expect(stage.sol * stage.index).toBeGreaterThan(1_950);
      expect(stage.perp * stage.index).toBeLessThan(-1_950);
      expect(summary.positions).toEqual({ [SPOT]: stage.sol.toFixed(3), [PERP]: stage.perp.toFixed(2) });
    });

    if (parts.includes('others'))
      test('is never exceeded with an account that is 10 s old, more than the limit', async () => {
        const { stage } = await carry({ lagMs: 10_000, lost: 3 }, 90);
        expect(stage.sol * stage.index).toBeGreaterThan(1_950);
      });
  });
}

/** `lags`: how old, in ms, each account is that the bot receives. */
export function testOldAccount(lags: readonly number[]): void {
  describe.each(lags)('with an account that is %i ms old', (lagMs) => {
    test('a strategy that computes with its balances buys once', async () => {
      const stage = await SpotStage.open({ lagMs });
      await stage.run(
        (view) => {
          const { bestAsk, quote } = view.market(SPOT);
          const missing = 1 - (view.account.balances['SOL'] ?? 0);
          return bestAsk === undefined ? [] : [quote({ bids: [{ price: bestAsk * 1.001, size: missing }], slackBps: 50, postOnly: false })];
        },
        { seconds: 40 },
      );
      expect(stage.sol).toBe(1);
    });

    test('the quote balance in the view excludes spent funds that the account still shows', async () => {
      const stage = await SpotStage.open({ lagMs });
      const before: number[] = [];
      const after: number[] = [];
      await stage.run(
        (view) => {
          const { position, target } = view.market(SPOT);
          (position === 1 ? after : before).push(view.account.balances['USDC'] ?? 0);
          return [target({ position: 1 })];
        },
        { seconds: 30 },
      );
      const [paid = 0] = after;
      expect(before[0]).toBe(100_000);
      expect(paid).toBeGreaterThan(99_800);
      expect(paid).toBeLessThan(99_900);
      expect(after.every((amount) => Math.abs(amount - paid) < 0.2)).toBe(true); // the fee arrives with the fill
    });

    test('the position limit is enforced', async () => {
      const stage = await SpotStage.open({ lagMs, limits: { position: { maxNotional: 400 } } });
      await stage.run((view) => [view.market(SPOT).target({ position: 100 })], { seconds: 40 });
      expect(stage.sol).toBeGreaterThan(2.5);
      expect(stage.sol).toBeLessThan(2.75); // 400 at about 150
    });

    test('a sale never exceeds the balance', async () => {
      const stage = await SpotStage.open({ lagMs });
      await stage.run((view) => [view.market(SPOT).target({ position: 2 })], { seconds: 30 });
      const summary = await stage.run((view) => [view.market(SPOT).target({ position: -5 })], { seconds: 40 });
      expect(stage.sol).toBe(0);
      expect(summary.positions).toEqual({});
    });
  });
}
