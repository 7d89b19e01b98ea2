// Random lives of an exchange: orders of every kind, cancels, transfers, shocks of the index and hours that pass.
import fc from 'fast-check';
import type { AccountId } from '../../src/domain/ids.ts';
import { lots, micros, type Ticks, ticks } from '../../src/domain/numbers.ts';
import type { FillMode } from '../../src/domain/order.ts';
import { SIDES } from '../../src/domain/side.ts';
import { Exchange } from '../../src/simulator/exchange.ts';
import type { CreateFlow } from '../../src/simulator/flow-port.ts';

const MODES: readonly FillMode[] = ['LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'];
const DEPOSITS = [1_000, 2_000, 4_000, 200_000];

const who = fc.nat({ max: DEPOSITS.length - 1 });
const market = fc.nat({ max: 3 });
const place = fc.record({
  kind: fc.constant('place' as const),
  who,
  market,
  side: fc.constantFrom(...SIDES),
  fillMode: fc.oneof(fc.constant<FillMode>('LIMIT'), fc.constantFrom(...MODES)),
  /** Of the index; undefined without a price. */
  factor: fc.option(fc.double({ min: 0.99, max: 1.01, noNaN: true }), { nil: undefined, freq: 6 }),
  /** In quote units, roughly. */
  worth: fc.integer({ min: 1, max: 60_000 }),
});
const cancel = fc.record({ kind: fc.constant('cancel' as const), who, which: fc.nat() });
const transfer = fc.record({ kind: fc.constant('transfer' as const), who, to: who, amount: fc.integer({ min: 1, max: 2_000 }) });
const shock = fc.record({ kind: fc.constant('shock' as const), market, factor: fc.oneof(fc.double({ min: 0.98, max: 1.02, noNaN: true }), fc.double({ min: 0.9, max: 1.1, noNaN: true })) });
const pass = fc.record({ kind: fc.constant('pass' as const), span: fc.constantFrom(100, 100, 1_000, 61_000) });

export const life = fc.array(
  fc.oneof(
    { weight: 14, arbitrary: place },
    { weight: 2, arbitrary: cancel },
    { weight: 1, arbitrary: transfer },
    { weight: 2, arbitrary: shock },
    { weight: 3, arbitrary: pass },
  ),
  { minLength: 40, maxLength: 120 },
);
export type Command = typeof life extends fc.Arbitrary<(infer One)[]> ? One : never;

/** A trader who keeps a thin book in every market, so that there is someone to trade with and to liquidate into. */
const thinBook: CreateFlow = ({ market, basePrice }) => {
  const index = market.ticksNear(basePrice)!;
  return {
    traders: 1,
    index,
    indexConf: ticks(1),
    step(port) {
      for (const side of SIDES) {
        if (port.best(side) !== undefined) continue;
        const price = Math.round(index * (side === 'bid' ? 0.995 : 1.005)) as Ticks;
        port.place({ trader: 0, side, fillMode: 'POST_ONLY', price, size: market.lots(30_000 / basePrice) });
      }
    },
  };
};

/** Starts a minute before the hour, so that most lives are paid funding. */
export function birth(): { exchange: Exchange; users: readonly AccountId[] } {
  const exchange = new Exchange({ seed: 'life', start: Date.UTC(2026, 0, 1) - 60_000, flow: thinBook });
  const users = DEPOSITS.map((units, index) => exchange.register(`user ${index}`, micros(units * 1e6)));
  exchange.advanceTo(exchange.now() + 100);
  return { exchange, users };
}

export function live({ exchange, users }: { exchange: Exchange; users: readonly AccountId[] }, command: Command): void {
  switch (command.kind) {
    case 'place': {
      const { spec } = exchange.markets[command.market]!;
      const index = exchange.live(command.market)!.index!;
      const unit = exchange.markets[command.market]!.price(index) / 10 ** spec.sizeDecimals;
      const price = command.factor === undefined ? undefined : ticks(Math.round(index * command.factor));
      const size = lots(Math.floor(command.worth / unit));
      exchange.place({ account: users[command.who]!, market: command.market, side: command.side, fillMode: command.fillMode, price, size });
      return;
    }
    case 'cancel': {
      const account = users[command.who]!;
      const { orders } = exchange.account(account)!;
      if (orders.length > 0) exchange.cancel({ account, orderId: orders[command.which % orders.length]!.orderId });
      return;
    }
    case 'transfer':
      exchange.transfer({ from: users[command.who]!, to: users[command.to]!, amount: micros(command.amount * 1e6) });
      return;
    case 'shock':
      exchange.setIndex(command.market, ticks(Math.round(exchange.live(command.market)!.index! * command.factor)));
      return;
    case 'pass':
      exchange.advanceTo(exchange.now() + command.span);
  }
}
