// Money in the embedded exchange is neither created nor lost, to the millionth: trades, reversals, funding, fees, liquidations and tokens.
import { expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import type { AccountId } from '../../../src/bot/domain/ids.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import { flowNamed } from '../../../src/embedded/exchange/traders/flow.ts';

const START = Date.UTC(2026, 0, 1);
const DEPOSIT = 400_000_000_000_000;
/** A lot at one tick is worth a hundredth of a millionth, so that each trade is rounded. */
const FINE = { spec: { ...LISTED_MARKETS[1]!.spec, priceDecimals: 3, sizeDecimals: 5 }, basePrice: LISTED_MARKETS[1]!.basePrice };
/** Takes the fee of a purchase from the tokens. */
const IN_BASE = { ...LISTED_MARKETS[3]!, spec: { ...LISTED_MARKETS[3]!.spec, buyFee: 'base', sizeDecimals: 6, orderLots: 1_000 } } as const;
const MARKETS = [LISTED_MARKETS[0]!, FINE, LISTED_MARKETS[2]!, IN_BASE];

/** The quote money of all accounts less what their positions cost, in millionths. */
function moneyIn(exchange: Exchange): bigint {
  let money = 0n;
  for (let id: AccountId = 0, account = exchange.account(0); account !== undefined; account = exchange.account(++id)) {
    money += BigInt(Math.round((account.balances.find(({ tokenId }) => tokenId === 0)?.amount ?? 0) * 1e6));
    for (const { market, size, cost } of account.positions) {
      money -= BigInt(cost);
      if (size === 0 && cost !== 0) throw new Error(`account ${id} is flat in market ${market}, at a cost of ${cost}`);
    }
  }
  return money;
}

/** The tokens of the spot market in all accounts, in lots. */
function tokensIn(exchange: Exchange): bigint {
  const [lots, token] = [10 ** IN_BASE.spec.sizeDecimals, IN_BASE.spec.baseTokenId];
  let tokens = 0n;
  for (let id: AccountId = 0, account = exchange.account(0); account !== undefined; account = exchange.account(++id))
    tokens += BigInt(Math.round((account.balances.find(({ tokenId }) => tokenId === token)?.amount ?? 0) * lots));
  return tokens;
}

const sizeIn = (exchange: Exchange, market: number): number => {
  let sum = 0;
  for (let id: AccountId = 0, account = exchange.account(0); account !== undefined; account = exchange.account(++id))
    sum += account.positions.find((position) => position.market === market)?.size ?? 0;
  return sum;
};

/** Plays one run and compares the money along it. Returns how often something happened that moves money. */
function play(seed: number): { readonly filled: number; readonly paid: number; readonly liquidated: number } {
  const rng = rngFrom(`conservation/${seed}`);
  const exchange = new Exchange({ seed: `${seed}`, markets: MARKETS, flow: flowNamed('swinging'), start: START, fundingEvery: 10_000 });
  exchange.advanceTo(START + 5_000);
  const users = ['a', 'b', 'c', 'd'].map((name, index) => exchange.register(name, micros(index < 2 ? DEPOSIT : 100_000_000)));
  const perps = exchange.markets.filter(({ spec }) => spec.kind === 'perp');
  const [before, tokens] = [moneyIn(exchange), tokensIn(exchange)];
  let filled = 0;
  for (let step = 1; step <= 1_500; step++) {
    exchange.advanceTo(START + 5_000 + step * 100);
    const market = exchange.markets[rng.below(exchange.markets.length)]!;
    const mark = exchange.live(market.id)!.mark!;
    const account = users[rng.below(users.length)]!;
    const drawn = 1 + rng.below(Math.max(2, market.lots(account < users[2]! ? 40_000 / market.price(mark) : 400 / market.price(mark))));
    const size = lots(Math.max(market.spec.orderLots ?? 1, market.orderSize(lots(drawn))));
    const price = ticks(Math.max(1, Math.round(mark * (0.998 + 0.004 * rng.next()))));
    const outcome = exchange.place({ account, market: market.id, side: rng.next() < 0.5 ? 'bid' : 'ask', fillMode: 'LIMIT', price, size });
    if (outcome.kind !== 'refused' && outcome.fills.length > 0) filled++;
    if (step % 300 === 299)
      for (const { id } of perps) exchange.setIndex(id, ticks(Math.round(exchange.live(id)!.index! * (0.7 + 0.6 * rng.next()))));
    if (step % 25 === 0) expect([moneyIn(exchange), tokensIn(exchange)], `run ${seed}, step ${step}`).toEqual([before, tokens]);
  }
  for (const { id, symbol } of perps) expect(sizeIn(exchange, id), symbol).toBe(0);
  const paid = users.filter((account) => exchange.records.fundingPayments(account).length > 0).length;
  const liquidated = users.filter((takerId) =>
    exchange.trades({ takerId, pageSize: 1_000 }).items.some(({ liquidation }) => liquidation),
  ).length;
  return { filled, paid, liquidated };
}

test('what is paid is received', () => {
  const runs = [1, 2, 3, 4].map(play);
  const least = { filled: 100, paid: 4, liquidated: 1 };
  for (const name of ['filled', 'paid', 'liquidated'] as const)
    expect(Math.max(...runs.map((run) => run[name])), name).toBeGreaterThanOrEqual(least[name]);
});
