// Nothing is made and nothing lost: money, tokens and positions over random lives with funding, liquidations and take-overs.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/simulator/exchange.ts';
import type { AccountState } from '../../src/simulator/views.ts';
import { birth, life, live } from './random-life.ts';

function accountsOf(exchange: Exchange): readonly AccountState[] {
  const accounts: AccountState[] = [];
  for (let state = exchange.account(0); state !== undefined; state = exchange.account(accounts.length)) accounts.push(state);
  return accounts;
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Exact totals over every account: balances of each token in its smallest unit, money less what positions cost, sizes of each market. */
function totalsOf(exchange: Exchange) {
  const accounts = accountsOf(exchange);
  const positions = accounts.flatMap((account) => account.positions);
  const tokens = exchange.tokens.map(({ tokenId, decimals }) => {
    const balances = accounts.flatMap((account) => account.balances.filter((balance) => balance.tokenId === tokenId));
    return sum(balances.map(({ amount }) => BigInt(Math.round(amount * 10 ** Math.min(decimals, 6)))));
  });
  const [money = 0n, ...others] = tokens;
  return {
    money: money - sum(positions.map(({ cost }) => BigInt(cost))),
    others,
    sizes: exchange.markets.map(({ id }) => sum(positions.filter(({ market }) => market === id).map(({ size }) => BigInt(size)))),
  };
}

const longOf = (exchange: Exchange, market: number): number =>
  accountsOf(exchange).reduce(
    (total, { positions }) => total + Math.max(0, positions.find((held) => held.market === market)?.size ?? 0),
    0,
  );

test('money less cost, tokens and position sizes stay what they were at birth', () => {
  const seen = { trades: 0, takes: 0, liquidations: 0, funding: 0 };
  fc.assert(
    fc.property(life, ({ seed, commands }) => {
      const being = birth(seed);
      const { exchange, users } = being;
      const atBirth = totalsOf(exchange);
      for (const command of commands) {
        live(being, command);
        expect(totalsOf(exchange)).toEqual(atBirth);
      }
      for (const { id, ...market } of exchange.markets) {
        if (market.spec.kind === 'perp')
          expect(exchange.live(id)?.openInterest).toBe(exchange.markets[id]!.size(longOf(exchange, id) as never));
      }
      seen.trades += exchange.trades({}).items.length;
      seen.takes += exchange.takes().length;
      seen.funding += exchange.stats(0)!.aggregatedFundingIndex === 0 ? 0 : 1;
      seen.liquidations += users
        .flatMap((user) => exchange.orderHistory(user, {}).items)
        .filter(({ origin }) => origin === 'liquidation').length;
    }),
    { seed: 42, numRuns: 60 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10); // else the lives were too quiet to prove anything
});
