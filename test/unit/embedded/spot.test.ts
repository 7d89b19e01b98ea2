// The spot market: tokens change hands, orders must be covered, and a token counts as collateral by its weight.
import { describe, expect, test } from 'vitest';
import { fillOf } from '../../../src/embedded/adapter/snapshots.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { QuietExchange, START, spotSeller, usd } from './quiet-exchange.ts';

function setup(units: number) {
  const quiet = new QuietExchange(spotSeller);
  const alice = quiet.user('alice', units);
  quiet.pass(100);
  return { quiet, alice };
}

describe('spot', () => {
  test('a buyer has tokens for money and fee, and sells what it has', () => {
    const { quiet, alice } = setup(1_000);
    quiet.placed(alice, 'bid 2 SOLUSDC-SPOT @ 150');
    expect(quiet.amount(alice, 'SOL')).toBe(2);
    expect(quiet.amount(alice)).toBe(1_000 - 300 - 300 * 0.000_35);
    expect(quiet.refusal(alice, 'ask 1.5 SOLUSDC-SPOT @ 160')).toBeUndefined();
    expect(quiet.refusal(alice, 'ask 0.501 SOLUSDC-SPOT @ 160')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'ask 0.5 SOLUSDC-SPOT @ 160')).toBeUndefined();
    expect(quiet.state(alice).positions).toMatchObject([{ market: 3, size: 0, entry: undefined, openOrders: 2 }]);
    expect(quiet.state(alice).margins).toMatchObject({ pon: 0, imf: 0, pn: 0 });
  });

  test('a bid must be covered including its fee, beside everything reserved for other bids', () => {
    const { quiet, alice } = setup(300.03);
    expect(quiet.refusal(alice, 'bid 2.001 SOLUSDC-SPOT @ 149.99')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'bid 1 SOLUSDC-SPOT @ 100')).toBeUndefined();
    expect(quiet.refusal(alice, 'bid 2.001 SOLUSDC-SPOT @ 100')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'bid 2 SOLUSDC-SPOT @ 100')).toBeUndefined(); // 300 and three cents of fees, to the millionth
    expect(quiet.refusal(alice, 'bid 0.1 SOLUSDC-SPOT @ 150 IMMEDIATE_OR_CANCEL')).toBe('INSUFFICIENT_FUNDS');
  });

  test('a token is collateral at nine tenths of its index price', () => {
    const { quiet, alice } = setup(1_500.525);
    quiet.placed(alice, 'bid 10 SOLUSDC-SPOT @ 150');
    expect(quiet.amount(alice)).toBe(0);
    expect(quiet.state(alice).margins).toMatchObject({ omf: usd(1_350), mf: usd(1_350) });
    quiet.index('SOLUSDC-SPOT', 100);
    expect(quiet.state(alice).margins.mf).toBe(usd(900));
    expect(quiet.refusal(alice, 'bid 89.9 SOLUSDC @ 120')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'bid 59.9 SOLUSDC @ 120')).toBeUndefined(); // the perpetual's own index still says 150
  });

  test('a purchase may not use up the margin of what is open', () => {
    const { quiet, alice } = setup(10_000);
    quiet.placed(alice, 'bid 3.2 BTCUSDC @ 50000'); // needs 9600
    expect(quiet.refusal(alice, 'bid 50 SOLUSDC-SPOT @ 150')).toBe('INSUFFICIENT_FUNDS'); // would cost 750 of weight
    expect(quiet.refusal(alice, 'bid 20 SOLUSDC-SPOT @ 150')).toBeUndefined();
  });
});

describe('a market whose fees of purchases are base tokens', () => {
  const spec = { ...LISTED_MARKETS[3]!.spec, sizeDecimals: 8, orderLots: 100_000, buyFee: 'base' } as const;
  const markets = [...LISTED_MARKETS.slice(0, 3), { ...LISTED_MARKETS[3]!, spec }];

  function fineSetup(units: number) {
    const quiet = new QuietExchange(new Exchange({ seed: 'quiet', start: START, flow: spotSeller, markets }));
    const alice = quiet.user('alice', units);
    quiet.pass(100);
    const fills = () => quiet.exchange.records.tradesSince({ account: alice, since: 0 }, { after: 0, most: 10 });
    return { quiet, alice, fills };
  }

  test('a buyer pays the price, and receives the tokens less the fee', () => {
    const { quiet, alice, fills } = fineSetup(1_000);
    quiet.placed(alice, 'bid 2 SOLUSDC-SPOT @ 150');
    expect(quiet.amount(alice, 'SOL')).toBe(1.9993);
    expect(quiet.amount(alice)).toBe(700);
    expect(fills()).toMatchObject([{ takerFee: usd(0.105), baseFee: 70_000 }]);
    expect(fillOf(fills()[0]!, 'taker')).toMatchObject({ side: 'bid', size: 200_000_000, fee: usd(0.105), baseFee: 70_000 });
  });

  test('a seller pays quote money, and cannot sell what the fee took', () => {
    const { quiet, alice, fills } = fineSetup(1_000);
    quiet.placed(alice, 'bid 2 SOLUSDC-SPOT @ 150');
    expect(quiet.refusal(alice, 'ask 2 SOLUSDC-SPOT @ 160')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'ask 1.9993 SOLUSDC-SPOT @ 160')).toBe('ORDER_EXECUTION_SIZE_LIMIT');
    const buyer = quiet.user('buyer', 1_000);
    quiet.placed(buyer, 'bid 1 SOLUSDC-SPOT @ 149');
    quiet.placed(alice, 'ask 1 SOLUSDC-SPOT @ 149');
    expect(quiet.amount(alice, 'SOL')).toBe(0.9993);
    expect(quiet.amount(alice)).toBe(700 + 149 - 149 * 0.000_35);
    const [, sale] = fills();
    expect(fillOf(sale!, 'taker')).not.toHaveProperty('baseFee');
    expect(fillOf(sale!, 'maker')).toMatchObject({ baseFee: 10_000, fee: usd(0.0149) });
  });

  test('a bid is covered by its price alone', () => {
    const { quiet, alice } = fineSetup(300);
    expect(quiet.refusal(alice, 'bid 2 SOLUSDC-SPOT @ 149')).toBeUndefined();
    expect(quiet.refusal(alice, 'bid 0.014 SOLUSDC-SPOT @ 150')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'bid 0.013 SOLUSDC-SPOT @ 150')).toBeUndefined();
  });
});
