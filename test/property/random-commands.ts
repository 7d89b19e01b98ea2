// Random commands for an exchange: orders of every kind, immediate and queued cancels, replacements, transfers, deposits, withdrawals and waits.
import * as fc from 'fast-check';
import { SIDES } from '../../src/bot/domain/book.ts';
import type { AccountId } from '../../src/bot/domain/ids.ts';
import { lots, micros, ticks } from '../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../src/bot/domain/order.ts';
import { Exchange } from '../../src/embedded/exchange/exchange.ts';
import type { CreateFlow } from '../../src/embedded/exchange/traders/flow-port.ts';

const MODES: readonly FillMode[] = ['LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'];
const DEPOSITS = [500, 1_000, 1_500, 3_000];

const who = fc.nat({ max: DEPOSITS.length - 1 });
const market = fc.nat({ max: 3 });
const place = fc.record({
  kind: fc.constant('place' as const),
  who,
  market,
  side: fc.constantFrom(...SIDES),
  fillMode: fc.oneof(fc.constant<FillMode>('LIMIT'), fc.constantFrom(...MODES)),
  /** Price relative to the index; undefined for an order without a price. */
  factor: fc.option(
    fc.integer({ min: -80, max: 80 }).map((above) => 1 + above / 1e4),
    { nil: undefined, freq: 3 },
  ),
  /** Value of the order as a multiple of the user's deposit. */
  leverage: fc.integer({ min: 0, max: 180 }).map((tenths) => tenths / 10),
  reduceOnly: fc.integer({ min: 0, max: 3 }).map((draw) => draw === 0),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), who, which: fc.nat() });
const queueCancel = fc.record({ kind: fc.constant('queueCancel' as const), who, which: fc.nat() });
const replace = fc.record({
  kind: fc.constant('replace' as const),
  who,
  which: fc.nat(),
  /** Change of the price in ten-thousandths, and the new size as a fraction. */
  shift: fc.integer({ min: -40, max: 40 }),
  part: fc.integer({ min: 1, max: 30 }).map((tenths) => tenths / 10),
});
const move = fc.record({
  kind: fc.constantFrom('deposit' as const, 'withdraw' as const),
  who,
  token: fc.constantFrom(0, 3),
  amount: fc.integer({ min: 1, max: 700 }),
});
const transfer = fc.record({ kind: fc.constant('transfer' as const), who, to: who, amount: fc.integer({ min: 1, max: 500 }) });
const pass = fc.record({ kind: fc.constant('pass' as const), span: fc.constantFrom(100, 200, 400) });

const command = fc.oneof(
  { weight: 14, arbitrary: place },
  { weight: 2, arbitrary: cancel },
  { weight: 1, arbitrary: queueCancel },
  { weight: 2, arbitrary: replace },
  { weight: 1, arbitrary: transfer },
  { weight: 2, arbitrary: move },
  { weight: 6, arbitrary: pass },
);
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

export const scenario = fc.record({ seed: fc.string(), commands: fc.array(command, { minLength: 40, maxLength: 100 }) });

/** An index that jumps, and one trader who follows it with a thin book, for trades and liquidations. */
const jumpyMarket: CreateFlow = ({ rng, market, basePrice }) => {
  let index = market.ticksNear(basePrice)!;
  let quotes: readonly (string | undefined)[] = [];
  return {
    traderCount: 1,
    get index() {
      return index;
    },
    indexConf: ticks(1),
    step(port) {
      for (const orderId of quotes) if (orderId !== undefined) port.cancel({ trader: 0, orderId });
      index = market.ticksNear(market.price(index) * Math.exp((rng.next() < 0.1 ? 0.03 : 0.003) * rng.normal()))!;
      const size = market.lots(20_000 / basePrice);
      quotes = SIDES.map((side) => {
        const price = ticks(Math.round(index * (side === 'bid' ? 0.998 : 1.002)));
        return port.place({ trader: 0, side, fillMode: 'LIMIT', price, size });
      });
    },
  };
};

/** Starts a second before the hour, so that most scenarios contain funding. */
export function startScenario(seed: string): { exchange: Exchange; users: readonly AccountId[] } {
  const exchange = new Exchange({ seed, start: Date.UTC(2026, 0, 1) - 1_000, flow: jumpyMarket });
  const users = DEPOSITS.map((units, index) => exchange.register(`user ${index}`, micros(units * 1e6)));
  for (const account of users) {
    exchange.wallets.endow({ account, token: 0, amount: 1_000e6 });
    exchange.wallets.endow({ account, token: 3, amount: 10_000 });
  }
  exchange.advanceTo(exchange.now() + 100);
  return { exchange, users };
}

export function applyCommand({ exchange, users }: { exchange: Exchange; users: readonly AccountId[] }, command: Command): void {
  switch (command.kind) {
    case 'place': {
      const { spec } = exchange.markets[command.market]!;
      const index = exchange.live(command.market)!.index!;
      const unit = exchange.markets[command.market]!.price(index) / 10 ** spec.sizeDecimals;
      const price = command.factor === undefined ? undefined : ticks(Math.round(index * command.factor));
      const size = lots(Math.floor((DEPOSITS[command.who]! * command.leverage) / unit));
      const { side, fillMode, reduceOnly } = command;
      exchange.place({ account: users[command.who]!, market: command.market, side, fillMode, price, size, reduceOnly });
      return;
    }
    case 'cancel':
    case 'queueCancel':
    case 'replace':
      applyOrderCommand({ exchange, account: users[command.who]! }, command);
      return;
    case 'deposit':
    case 'withdraw': {
      const unit = command.token === 0 ? 1e6 : 10;
      exchange.wallets[command.kind]({ account: users[command.who]!, token: command.token, amount: command.amount * unit });
      return;
    }
    case 'transfer':
      exchange.compound.transfer({ from: users[command.who]!, to: users[command.to]!, amount: micros(command.amount * 1e6) });
      return;
    case 'pass':
      exchange.advanceTo(exchange.now() + command.span);
  }
}

type OrderCommand = Extract<Command, { kind: 'cancel' | 'queueCancel' | 'replace' }>;

function applyOrderCommand({ exchange, account }: { exchange: Exchange; account: AccountId }, command: OrderCommand): void {
  const { orders } = exchange.account(account)!;
  if (orders.length === 0) return;
  const { orderId, price, size } = orders[command.which % orders.length]!;
  if (command.kind !== 'replace') exchange[command.kind]({ account, orderId });
  else {
    const intended = { price: ticks(Math.round(price * (1 + command.shift / 1e4))), size: lots(Math.round(size * command.part)) };
    exchange.replace({ account, orderId, ...intended });
  }
}
