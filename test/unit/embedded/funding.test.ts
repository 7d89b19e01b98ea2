// Funding: a 24th of the hour's average premium, paid by longs to shorts at the full hour.
import { describe, expect, test } from 'vitest';
import { Market } from '../../../src/bot/domain/market.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { Premium } from '../../../src/embedded/exchange/rules/funding/premium.ts';
import { Funding } from '../../../src/embedded/exchange/state/funding.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { HOUR, QuietExchange, START } from './quiet-exchange.ts';

const fresh = () => new Funding(new Market(LISTED_MARKETS[0]!.spec));

function setup() {
  const quiet = new QuietExchange();
  const [alice, bob] = [quiet.user('alice', 100_000), quiet.user('bob', 100_000)];
  quiet.trade({ buyer: alice, seller: bob }, '2 BTCUSDC @ 60000');
  quiet.placed(bob, 'bid 0.01 BTCUSDC @ 60100');
  quiet.placed(bob, 'ask 0.01 BTCUSDC @ 60140'); // a mid of 120 above the index
  return { quiet, alice, bob };
}

const fundingOf = (quiet: QuietExchange, account: number) => quiet.state(account).positions[0]!;

describe('Funding', () => {
  test('by hand: mark 60060 over index 60000 is 0.1 %, and a 24th of that on 60000 is 2.50 per BTC', () => {
    const [funding, premium] = [fresh(), new Premium()];
    for (let count = 0; count < 10; count++) premium.sample({ mark: ticks(600_600), index: ticks(600_000) });
    expect(premium.hourlyRate).toBeCloseTo(0.001 / 24, 12);
    expect(premium.takeDue(START + HOUR - 100)).toBeUndefined();
    funding.pay({ rate: premium.takeDue(START + HOUR)!, price: ticks(600_000) });
    expect(funding.earned(lots(10_000), 0)).toBe(-2_500_000);
    expect(funding.earned(lots(-10_000), 0)).toBe(2_500_000);
    expect(funding.shown(funding.index)).toBe(2.5);
  });

  test('counts lots that are worth less than a millionth at one tick without rounding their value', () => {
    const spec = { ...LISTED_MARKETS[0]!.spec, priceDecimals: 5, sizeDecimals: 3 };
    const funding = new Funding(new Market(spec)); // a lot of 0.001 at 0.05123 is worth 51.23 millionths
    funding.pay({ rate: 0.0001, price: ticks(5_123) });
    expect(funding.earned(lots(1_000_000_000), 0)).toBe(-5_123_000);
  });

  test('the premium is averaged over the hour, and restarts with the next', () => {
    const premium = new Premium();
    premium.sample({ mark: ticks(601_200), index: ticks(600_000) });
    premium.sample({ mark: ticks(600_000), index: ticks(600_000) });
    expect(premium.hourlyRate).toBeCloseTo(0.001 / 24, 12);
    expect(premium.takeDue(START)).toBeCloseTo(0.001 / 24, 12);
    expect(premium.hourlyRate).toBeUndefined();
    premium.sample({ mark: ticks(599_400), index: ticks(600_000) });
    expect(premium.takeDue(START + HOUR)).toBeCloseTo(-0.001 / 24, 12);
    expect(premium.takeDue(START + 2 * HOUR)).toBe(0);
  });

  test.each([
    [0.6, 1],
    [0.4, 0],
    [-0.6, -1],
    [-0.4, 0],
  ])('a payment of %f parts per lot is rounded to the nearest: %i', (parts, owed) => {
    const funding = fresh();
    funding.pay({ rate: (parts / 6) * 1e-12, price: ticks(600_000) }); // a lot is worth 6 000 000 millionths of a million parts each
    expect(funding.index + 0).toBe(owed);
  });

  test('a fraction of a millionth is rounded against either side', () => {
    const funding = fresh();
    funding.pay({ rate: 1 / 600_000 / 24, price: ticks(600_000) });
    expect(funding.earned(lots(1), 0) + funding.earned(lots(-1), 0)).toBe(-1);
  });
});

describe('an account', () => {
  test('shows the rate until the hour, none just after, and the payment that it owes before it is charged', () => {
    const { quiet, alice, bob } = setup();
    quiet.pass(HOUR - 100);
    expect(quiet.exchange.live(0)?.nextFunding).toBe(START + HOUR);
    const rate = quiet.exchange.live(0)!.fundingRate!;
    expect(rate).toBeGreaterThan(0.0019 / 24);
    expect(rate).toBeLessThan(0.002 / 24);
    expect(fundingOf(quiet, alice).fundingPaymentPnl).toBe(0);
    const before = quiet.amount(alice);
    quiet.pass(100);
    expect(quiet.exchange.live(0)?.fundingRate).toBeUndefined();
    expect(quiet.exchange.live(0)?.nextFunding).toBe(START + 2 * HOUR);
    const owed = fundingOf(quiet, alice).fundingPaymentPnl;
    expect(owed / 1e6).toBeCloseTo(-2 * 60_000 * rate, 2);
    expect(fundingOf(quiet, bob).fundingPaymentPnl).toBeCloseTo(-owed, -1);
    expect(quiet.exchange.stats(0)?.aggregatedFundingIndex).toBeCloseTo(owed / -2e6, 5);
    expect(quiet.amount(alice)).toBe(before);
    quiet.pass(100);
    expect(quiet.exchange.live(0)?.fundingRate).toBeDefined();
  });

  test('is charged when its position next changes', () => {
    const { quiet, alice, bob } = setup();
    quiet.pass(HOUR);
    const owed = fundingOf(quiet, alice).fundingPaymentPnl;
    const before = quiet.state(alice).margins.mf;
    quiet.placed(alice, 'ask 0.005 BTCUSDC @ 60100');
    expect(fundingOf(quiet, alice).fundingPaymentPnl).toBe(0);
    expect(fundingOf(quiet, alice).fundingIndex).toBeCloseTo(-owed / 2e6, 5);
    expect(fundingOf(quiet, bob).fundingPaymentPnl).toBe(0);
    const fee = 0.005 * 60_100 * 0.000_35;
    expect((quiet.state(alice).margins.mf - before) / 1e6).toBeCloseTo(0.005 * 100 - fee, 5);
  });
});

describe('the funding records', () => {
  test('have each hour of each perpetual, and the payments of each account', () => {
    const { quiet, alice, bob } = setup();
    const { records } = quiet.exchange;
    quiet.pass(HOUR - 100);
    expect([records.fundingHours(0), records.fundingPayments(alice)]).toEqual([[], []]);
    const rate = quiet.exchange.live(0)!.fundingRate!;
    quiet.pass(100);
    const owed = -fundingOf(quiet, alice).fundingPaymentPnl;
    const index = quiet.exchange.stats(0)!.aggregatedFundingIndex;
    const { index: indexPrice, mark } = quiet.exchange.live(0)!;
    const [hour] = records.fundingHours(0);
    expect(hour).toMatchObject({ time: START + HOUR, market: 0, index, collected: owed, indexPrice, mark });
    expect(hour?.rate).toBe(records.fundingPayments(alice)[0]?.rate);
    expect([records.fundingHours(1).length, records.fundingHours(3).length]).toEqual([1, 0]);
    const [paid] = records.fundingPayments(alice);
    expect(paid).toMatchObject({ time: START + HOUR, market: 0, payment: owed });
    expect(paid!.rate).toBeCloseTo(rate, 7);
    expect(records.fundingPayments(bob)).toMatchObject([{ payment: -fundingOf(quiet, bob).fundingPaymentPnl }]);
  });

  test('equal the settled and the owed amounts, whatever was traded between', () => {
    const { quiet, alice } = setup();
    const before = quiet.state(alice).margins.mf - quiet.state(alice).positions[0]!.tradingPnl;
    let fees = 0;
    for (let hour = 0; hour < 3; hour++) {
      quiet.pass(HOUR);
      quiet.placed(alice, 'ask 0.001 BTCUSDC @ 60100');
      fees += Math.ceil((0.001 * 60_100 * 350_000_000) / 1e6);
    }
    const { margins, positions } = quiet.state(alice);
    const paid = quiet.exchange.records.fundingPayments(alice).reduce((sum, { payment }) => sum + payment, 0);
    const realised = 3 * 0.001 * 100e6;
    expect(margins.mf - positions[0]!.tradingPnl).toBe(before - paid - fees + realised);
    expect(quiet.exchange.records.fundingPayments(alice)).toHaveLength(3);
  });
});
