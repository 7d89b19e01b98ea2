// Losses since midnight of the exchange's time, from the peak and by the hour; and what does not count as a loss.
import { describe, expect, test } from 'vitest';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { DAILY_LOSS, DRAWDOWN, LOSING_HOURS, Losses, resumedByPerson } from '../../../src/bot/world/position/losses.ts';
import { Profit } from '../../../src/bot/world/position/profit.ts';
import { BTC, marketOf, WorldBuilder } from '../world-builder.ts';

const MIDNIGHT = 20_000 * 86_400;
const HOUR = 3_600;
const USD = 1e6;

/** Three equal readings; the median of three counts. */
function steady(losses: Losses, profit: number, at = MIDNIGHT, equity = 10_000): void {
  for (let reading = 0; reading < 3; reading++) losses.see({ profit: profit * USD, equity: equity * USD }, at);
}

describe('a loss', () => {
  test('of the day counts from the beginning of the day, with changes while no run was active', () => {
    const losses = new Losses();
    steady(losses, 50);
    steady(losses, -50, MIDNIGHT + 100, 9_900);
    expect(losses.today).toEqual({ amount: 100 * USD, share: 0.01 });
    steady(losses, -80, MIDNIGHT + 86_400);
    expect(losses.today?.amount).toBe(30 * USD); // the last reading of the day before was -50
  });

  test('is zero while profit is above its opening', () => {
    const losses = new Losses();
    steady(losses, 0);
    steady(losses, 10);
    expect([losses.today, losses.fromPeak]).toEqual([
      { amount: 0, share: 0 },
      { amount: 0, share: 0 },
    ]);
  });

  test('from the peak is kept over midnight', () => {
    const losses = new Losses();
    steady(losses, 1_000);
    steady(losses, 0, MIDNIGHT + 86_400, 9_000);
    steady(losses, -1_000, MIDNIGHT + 2 * 86_400, 8_000);
    expect(losses.fromPeak).toEqual({ amount: 2_000 * USD, share: 0.2 });
    expect(losses.today?.amount).toBe(1_000 * USD);
  });

  test('is unknown before three readings, and one wrong price is neither a loss nor a peak', () => {
    const losses = new Losses();
    losses.see({ profit: 0, equity: USD }, MIDNIGHT);
    losses.see({ profit: 0, equity: USD }, MIDNIGHT);
    expect([losses.today, losses.carry()]).toEqual([undefined, undefined]);
    steady(losses, 0);
    losses.see({ profit: -5_000 * USD, equity: 0 }, MIDNIGHT);
    losses.see({ profit: 0, equity: USD }, MIDNIGHT);
    losses.see({ profit: 5_000 * USD, equity: USD }, MIDNIGHT);
    losses.see({ profit: 0, equity: USD }, MIDNIGHT);
    expect([losses.today?.amount, losses.fromPeak?.amount]).toEqual([0, 0]);
  });

  test('is the whole equity if nothing is left', () => {
    const losses = new Losses();
    steady(losses, 0);
    steady(losses, -1, MIDNIGHT, 0);
    expect(losses.today?.share).toBe(1);
  });

  test("is kept if the exchange's time goes back over midnight and returns", () => {
    const losses = new Losses();
    steady(losses, 0, MIDNIGHT - 10);
    steady(losses, 0, MIDNIGHT);
    steady(losses, -10, MIDNIGHT + 1);
    steady(losses, -10, MIDNIGHT - 5);
    steady(losses, -10, MIDNIGHT + 2);
    expect(losses.today?.amount).toBe(10 * USD);
  });
});

describe('hours', () => {
  test('that lost enough are counted in a row, from the newest back', () => {
    const losses = new Losses();
    for (const [hour, profit] of [0, -20, -40, -30, -50, -70, -71, -91].entries()) steady(losses, profit, MIDNIGHT + hour * HOUR + 10);
    // changes: 0, -20, -20, +10, -20, -20, -1; the unfinished hour does not count
    expect(losses.hoursLost(0)).toBe(3);
    expect(losses.hoursLost(0.001)).toBe(0); // the newest hour lost 0.01 %
  });
});

const lost = (): Losses => {
  const losses = new Losses();
  steady(losses, 0);
  steady(losses, -100, MIDNIGHT + HOUR);
  return losses;
};

describe('a later process', () => {
  test('continues where the earlier one ended', () => {
    const later = new Losses();
    const carry = lost().carry();
    if (carry === undefined) throw new Error('nothing was counted');
    later.resume(JSON.parse(JSON.stringify(carry)));
    steady(later, -120, MIDNIGHT + 2 * HOUR);
    expect([later.today?.amount, later.fromPeak?.amount, later.carry()?.hours.length]).toEqual([120 * USD, 120 * USD, 2]);
  });

  test('restarts only the counts that a person has resumed', () => {
    const before = lost();
    before.stopped(DAILY_LOSS);
    before.stopped('kill');
    const carry = before.carry();
    if (carry === undefined) throw new Error('nothing was counted');
    expect(carry.stopped).toEqual([DAILY_LOSS]);
    const later = new Losses();
    later.resume(JSON.parse(JSON.stringify(resumedByPerson(carry))));
    steady(later, -110, MIDNIGHT + HOUR);
    expect([later.today?.amount, later.fromPeak?.amount, later.carry()?.stopped]).toEqual([0, 110 * USD, []]);
    const all = resumedByPerson({ ...carry, stopped: [DAILY_LOSS, DRAWDOWN, LOSING_HOURS] });
    expect([all.dayOpening, all.peak, all.hours]).toEqual([undefined, undefined, []]);
  });
});

const fill = (part: Pick<Fill, 'side'> & { price: number; size: number; fee?: number }): Omit<Fill, 'time'> => ({
  tradeId: `t${part.side}${part.price}`,
  actionId: '1',
  market: 0,
  side: part.side,
  price: ticks(part.price * 10),
  size: lots(part.size * 10_000),
  fee: micros((part.fee ?? 0) * USD),
  role: 'maker',
  orderId: 'x1',
});
const reported = (builder: WorldBuilder): WorldBuilder => builder.info({ price: 60_000 }).time(MIDNIGHT).account().round();
const look = (builder: WorldBuilder, price: number): WorldBuilder => builder.info({ price }).info({ price }).info({ price });

describe('profit of an account', () => {
  test('is cash, holdings at the mark price, and fees', () => {
    const builder = look(reported(new WorldBuilder()), 60_000);
    builder.round([fill({ side: 'bid', price: 60_000, size: 0.1, fee: 2 })]).account({ position: 0.1 });
    look(builder, 59_000);
    expect(builder.world.accounting.losses.today?.amount).toBe(102 * USD);
    builder.round([fill({ side: 'ask', price: 59_500, size: 0.1, fee: 2 })]).account({ position: 0 });
    look(builder, 50_000);
    expect(builder.world.accounting.losses.today?.amount).toBe(54 * USD);
  });

  test('counts what was held before the run from the first price on', () => {
    const builder = new WorldBuilder().info({ price: 60_000 }).time(MIDNIGHT).account({ position: -0.5 }).round();
    look(builder, 60_000);
    look(builder, 61_000);
    expect(builder.world.accounting.losses.today?.amount).toBe(500 * USD);
  });

  test('counts neither a deposit nor a withdrawal', () => {
    const builder = look(reported(new WorldBuilder()), 60_000);
    builder.account({ balance: 100 });
    look(builder, 60_000);
    expect(builder.world.accounting.losses.today?.amount).toBe(0);
    builder.account({ balance: 1_000_000 });
    look(builder, 60_000);
    expect(builder.world.accounting.losses.fromPeak?.amount).toBe(0);
  });

  test('follows deposits and withdrawals of base tokens: they are neither profit nor loss, and count from then on', () => {
    const profit = new Profit([BTC]);
    const see = (price: number, before: number): number | undefined => {
      profit.infoSeen({ kind: 'infoSeen', at: 0, asked: 0, infos: [{ market: 0, frozen: false, mark: ticks(price * 10) }] });
      profit.countBaselines(new Map([[0, lots(before * 10_000)]]));
      return profit.total;
    };
    expect([see(60_000, 1), see(61_000, 1), see(61_000, 3), see(62_000, 3), see(62_000, 0), see(50_000, 0)]).toEqual(
      [0, 1_000, 1_000, 4_000, 4_000, 4_000].map((money) => money * USD),
    );
    expect(profit.held(0)).toBe(0);
  });

  test('is not read while the exchange has reported no time, or while a price is missing', () => {
    const builder = new WorldBuilder().info({ price: 60_000 }).account().round();
    look(builder, 60_000);
    expect(builder.world.accounting.losses.today).toBeUndefined();
  });

  test('of an account with spot markets subtracts the tokens if the margins leave them out', () => {
    const builder = new WorldBuilder([marketOf({ kind: 'spot', symbol: 'BTC/USDC' })]).time(MIDNIGHT).info({ price: 60_000 });
    builder
      .account({ balance: 4_000, tokens: { 1: 0.1 }, margins: { mf: 0, omf: 0 } })
      .round([fill({ side: 'bid', price: 60_000, size: 0.1 })]);
    look(builder, 60_000);
    look(builder, 59_000);
    expect(builder.world.accounting.losses.today?.share).toBeCloseTo(100 / (9_900 + 100), 6);
  });
});
