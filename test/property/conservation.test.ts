// Conservation of money, tokens and positions over random scenarios with funding, liquidations, take-overs and wallets.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../../src/embedded/exchange/exchange.ts';
import type { ShownAccountState } from '../../src/embedded/exchange/views.ts';
import { applyCommand, scenario, startScenario } from './random-commands.ts';

function accountsOf(exchange: Exchange): readonly ShownAccountState[] {
  const accounts: ShownAccountState[] = [];
  for (let state = exchange.account(0); state !== undefined; state = exchange.account(accounts.length)) accounts.push(state);
  return accounts;
}

type Scenario = ReturnType<typeof startScenario>;

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Returns exact totals over all accounts and wallets: tokens in their smallest unit, money minus the cost of positions, sizes by market. */
function totalsOf({ exchange, users }: Scenario) {
  const accounts = accountsOf(exchange);
  const positions = accounts.flatMap((account) => account.positions);
  const tokens = exchange.tokens.map(({ tokenId, decimals }) => {
    const balances = accounts.flatMap((account) => account.balances.filter((balance) => balance.tokenId === tokenId));
    const unit = 10 ** Math.min(decimals, 6);
    const owned = balances.map(({ amount }) => BigInt(Math.round(amount * unit)));
    const besides = users.map((user) => BigInt(exchange.wallets.amounts(user)[tokenId]! * (tokenId === 0 ? 1 : unit / 1_000)));
    return sum([...owned, ...besides]);
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

/** Checks that the orders of a side with a reduce-only order cannot together exceed the position. */
function expectOnlyReducing({ exchange, users }: Scenario): void {
  for (const user of users) {
    const orders = exchange.records.openOrders(user);
    const { positions } = exchange.account(user)!;
    for (const { market, side } of orders.filter(({ reduceOnly }) => reduceOnly)) {
      const resting = orders.filter((order) => order.market === market && order.side === side);
      const total = resting.reduce((sizes, { size, filled }) => sizes + size - filled, 0);
      const held = positions.find((position) => position.market === market)?.size ?? 0;
      expect(total).toBeLessThanOrEqual(side === 'ask' ? held : -held);
    }
  }
}

test('money minus cost, tokens and position sizes keep their initial totals', () => {
  const seen = { trades: 0, takes: 0, liquidations: 0, funding: 0, deposits: 0, withdrawals: 0, reductions: 0, replaced: 0 };
  fc.assert(
    fc.property(scenario, ({ seed, commands }) => {
      const being = startScenario(seed);
      const { exchange, users } = being;
      const atBirth = totalsOf(being);
      for (const command of commands) {
        const before = exchange.lastActionId();
        applyCommand(being, command);
        if (command.kind === 'replace' && exchange.lastActionId() !== before) seen.replaced++;
        expect(totalsOf(being)).toEqual(atBirth);
        expectOnlyReducing(being);
      }
      for (const { id, ...market } of exchange.markets) {
        if (market.spec.kind === 'perp')
          expect(exchange.live(id)?.openInterest).toBe(exchange.markets[id]!.size(longOf(exchange, id) as never));
      }
      const moves = users.flatMap((user) => exchange.wallets.moves(user));
      seen.deposits += moves.filter(({ kind }) => kind === 'deposit').length;
      seen.withdrawals += moves.filter(({ kind }) => kind === 'withdrawal').length;
      seen.trades += exchange.trades({}).items.length;
      seen.takes += exchange.takes().length;
      seen.funding += exchange.stats(0)!.aggregatedFundingIndex === 0 ? 0 : 1;
      const orders = users.flatMap((user) => exchange.orderHistory(user, {}).items);
      seen.liquidations += orders.filter(({ origin }) => origin === 'liquidation').length;
      seen.reductions += orders.filter(({ reduceOnly }) => reduceOnly).length;
    }),
    { seed: 42, numRuns: 100 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10); // otherwise the scenarios prove too little
});
