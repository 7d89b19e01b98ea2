// The exchange over random recordings: positions are the sum of fills, balances the sum of payments, and totals are conserved.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { opposite, signOf } from '../../src/bot/domain/book.ts';
import type { AccountId } from '../../src/bot/domain/ids.ts';
import type { Exchange } from '../../src/embedded/exchange/exchange.ts';
import type { SimTrade } from '../../src/embedded/exchange/history/trades.ts';
import type { ShownAccountState } from '../../src/embedded/exchange/views.ts';
import { applyCommand, type Command, command, moves, type Pass, type Scenario, startScenario, tapeOf } from './random-recording.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const moneyOf = ({ balances }: ShownAccountState): number => sum(balances.map(({ amount }) => Math.round(amount * 1e6)));

function accountsOf(exchange: Exchange): readonly ShownAccountState[] {
  const accounts: ShownAccountState[] = [];
  for (let state = exchange.account(0); state !== undefined; state = exchange.account(accounts.length)) accounts.push(state);
  return accounts;
}

function tradesOf(exchange: Exchange, account: AccountId): readonly SimTrade[] {
  const trades: SimTrade[] = [];
  for (let startInclusive: string | undefined, first = true; first || startInclusive !== undefined; first = false) {
    const page = exchange.trades({ account, startInclusive });
    trades.push(...page.items);
    startInclusive = page.nextStartInclusive;
  }
  return trades;
}

interface Leg {
  readonly market: number;
  readonly size: number;
  readonly money: number;
}

/** Returns the effect of each trade and take-over on an account. */
function legsOf(exchange: Exchange, account: AccountId): readonly Leg[] {
  const worth = (market: number, price: number, size: number): number => exchange.markets[market]!.notional(price as never, size as never);
  const traded = tradesOf(exchange, account).flatMap(({ market, takerSide, takerId, makerId, price, size, takerFee, makerFee }) =>
    [
      { mine: takerId === account, side: takerSide, fee: takerFee },
      { mine: makerId === account, side: opposite(takerSide), fee: makerFee },
    ]
      .filter(({ mine }) => mine)
      .map(({ side, fee }) => ({ market, size: signOf(side) * size, money: -signOf(side) * worth(market, price, size) - fee })),
  );
  const taken = exchange
    .takes()
    .filter(({ makerAccountId }) => makerAccountId === account)
    .map(({ marketId: market, takerSide, baseSize, settlementPrice }) => {
      const sign = -signOf(takerSide);
      return { market, size: sign * baseSize, money: -sign * worth(market, settlementPrice, baseSize) };
    });
  return [...traded, ...taken];
}

function expectExact({ exchange, users, deposits }: Scenario): void {
  const accounts = accountsOf(exchange);
  const positions = accounts.flatMap((account) => account.positions);
  expect(sum(accounts.map(moneyOf)) - sum(positions.map(({ cost }) => cost))).toBe(sum(deposits));
  for (const { id } of exchange.markets) expect(sum(positions.filter(({ market }) => market === id).map(({ size }) => size))).toBe(0);
  expectOnlyReducing(exchange, users);
  for (const [index, user] of users.entries()) expectOwnBooks(exchange, user, deposits[index]!);
}

/** Checks that the orders of a side with a reduce-only order cannot together exceed the position. */
function expectOnlyReducing(exchange: Exchange, users: readonly AccountId[]): void {
  for (const user of users) {
    const resting = exchange.records.openOrders(user);
    for (const { market, side } of resting.filter(({ reduceOnly }) => reduceOnly)) {
      const ofSide = resting.filter((order) => order.market === market && order.side === side);
      const held = exchange.account(user)!.positions.find((position) => position.market === market)?.size ?? 0;
      expect(sum(ofSide.map(({ size, filled }) => size - filled))).toBeLessThanOrEqual(-signOf(side) * held);
    }
  }
}

function expectOwnBooks(exchange: Exchange, user: AccountId, deposit: number): void {
  const state = exchange.account(user)!;
  const legs = legsOf(exchange, user);
  for (const { id } of exchange.markets) {
    const held = state.positions.find(({ market }) => market === id)?.size ?? 0;
    expect(held).toBe(sum(legs.filter(({ market }) => market === id).map(({ size }) => size)));
  }
  if (exchange.takes().some(({ makerAccountId }) => makerAccountId === user)) return; // the backstop paid its debt, and no record shows how much
  const funding = sum(exchange.records.fundingPayments(user).map(({ payment }) => payment));
  const owed = sum(state.positions.map(({ cost, fundingPaymentPnl }) => fundingPaymentPnl - cost));
  expect(moneyOf(state) + owed).toBe(deposit + sum(legs.map(({ money }) => money)) - funding);
}

const queue = fc.constantFrom({ kind: 'conservative' } as const, { kind: 'probabilistic', power: 2 } as const);
const scenario = fc.record({ tapes: fc.tuple(moves, moves), queue, commands: fc.array(command, { minLength: 20, maxLength: 60 }) });
const atOnce: Pass = (exchange, until) => exchange.advanceTo(until);

test('every position is the sum of its fills, and the total money is conserved', () => {
  const seen = {
    maker: 0,
    taker: 0,
    otherTrades: 0,
    selfTrades: 0,
    reducing: 0,
    funded: 0,
    cancelled: 0,
    liquidations: 0,
    takes: 0,
    inGap: 0,
  };
  fc.assert(
    fc.property(scenario, ({ tapes, queue: model, commands }) => {
      const started = startScenario(tapes.map(tapeOf), model);
      const { exchange, users, end } = started;
      for (const [index, command] of commands.entries()) {
        applyCommand(started, command, atOnce);
        if (index % 4 === 0) expectExact(started);
        if (exchange.inGap(0)) seen.inGap++;
      }
      exchange.advanceTo(Math.max(end, exchange.now()));
      expectExact(started);
      const isUser = (account: AccountId): boolean => users.includes(account);
      for (const { makerId, takerId } of users.flatMap((user) => tradesOf(exchange, user))) {
        if (makerId === takerId) seen.selfTrades++;
        else if (!isUser(takerId)) seen.maker++;
        else if (!isUser(makerId)) seen.taker++;
      }
      seen.otherTrades += exchange.trades({}).items.filter(({ makerId, takerId }) => makerId === takerId && !isUser(makerId)).length;
      seen.funded += sum(users.map((user) => exchange.records.fundingPayments(user).length));
      const orders = users.flatMap((user) => exchange.orderHistory(user, {}).items);
      seen.reducing += orders.filter(({ reduceOnly, lastTradeId }) => reduceOnly && lastTradeId !== undefined).length;
      seen.cancelled += orders.filter(({ finalized, fillMode }) => finalized === 'canceled' && fillMode === 'LIMIT').length;
      seen.liquidations += orders.filter(({ origin }) => origin === 'liquidation').length;
      seen.takes += exchange.takes().length;
    }),
    { seed: 7, numRuns: 80 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10); // otherwise the scenarios prove too little
});

const fewMilliseconds: Pass = (exchange, until) => {
  while (exchange.now() < until) exchange.advanceTo(Math.min(until, exchange.now() + 1 + (exchange.now() % 7)));
};

const traceOf = (blocks: Parameters<typeof startScenario>[0], commands: readonly Command[], pass: Pass) => {
  const started = startScenario(blocks, { kind: 'conservative' });
  for (const command of commands) applyCommand(started, command, pass);
  const { exchange, users } = started;
  return [
    exchange.lastActionId(),
    exchange.trades({}),
    ...exchange.markets.map(({ id }) => [exchange.book(id), exchange.stats(id)]),
    ...users.map((user) => [exchange.account(user), exchange.orderHistory(user, {})]),
  ];
};

test('the number of calls that advance time changes nothing', () => {
  fc.assert(
    fc.property(scenario, ({ tapes, commands }) => {
      const blocks = tapes.map(tapeOf);
      expect(traceOf(blocks, commands, fewMilliseconds)).toEqual(traceOf(blocks, commands, atOnce));
    }),
    { seed: 8, numRuns: 20 },
  );
});
