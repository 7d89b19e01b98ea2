// The verdict of one guard or gate on one order or market, in a world that a test has built.
import type { RestingOrder } from '../../../src/bot/domain/account.ts';
import type { Side } from '../../../src/bot/domain/book.ts';
import type { Market } from '../../../src/bot/domain/market.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { FillMode, Order } from '../../../src/bot/domain/order.ts';
import { type Candidate, type Circumstances, type Verdict, verdictOf as verdictOfGuard } from '../../../src/bot/risk/guard.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import { reduces } from '../../../src/bot/world/exposure.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { strict } from './declared-reads.ts';

type Limits = Readonly<Record<string, unknown>>;

export interface ProposedOrder {
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly fillMode?: FillMode;
  readonly standing?: Order;
  /** The target position, in base units. */
  readonly goal?: number;
}

const rulesOf = (name: string, limits: Limits) => rulesFrom(limitsSchema.parse({ [name]: limits }), { live: true });

export function candidateOf(
  world: World,
  { side, price, size, fillMode = 'LIMIT', standing, goal }: ProposedOrder,
  market: Market = firstOf(world),
): Candidate {
  const whole = market.lots(size);
  return {
    market,
    side,
    price: market.restAt(side, price),
    size: whole,
    fillMode,
    standing,
    goal: goal === undefined ? undefined : market.lots(goal),
    reducing: reduces(world.exposure(market.id), { side, size: whole }),
  };
}

/** Circumstances in which no other order was passed in this turn. */
export const circumstancesOf = (world: World): Circumstances => ({
  world,
  own: (market) => world.orders(market),
  passed: () => 0,
  exposure: (market) => world.exposure(market),
});

export function standingOf(world: World, id: string): Order {
  const order = world.orders().find(({ clientOrderId }) => clientOrderId === id);
  if (order === undefined) throw new Error(`no order ${id}`);
  return order;
}

/** A foreign order on the same account. */
export const foreign = (part: Partial<RestingOrder>): RestingOrder => ({
  orderId: 'theirs',
  market: 0,
  side: 'ask',
  price: ticks(600_010),
  size: lots(1_000),
  originalSize: lots(1_000),
  ...part,
});

/** The verdict of a guard on an order: `pass`, `refuse: …`, or `shrink to 0.5: …`. Throws if the guard reads what it does not declare. */
export function guardVerdict(name: string, world: World, want: ProposedOrder, limits: Limits = {}): string {
  const candidate = candidateOf(world, want);
  return textOf(verdictOf(name, candidate, { circumstances: circumstancesOf(world), limits }), candidate.market);
}

export function verdictOf(
  name: string,
  candidate: Candidate,
  { circumstances, limits = {} }: { circumstances: Circumstances; limits?: Limits },
): Verdict {
  const guard = rulesOf(name, limits).guards.find((known) => known.name === name);
  if (guard === undefined) throw new Error(`no guard ${name}`);
  return verdictOfGuard(strict(guard), candidate, circumstances);
}

/** The verdict of a gate on the first market: `open`, `hold: …` or `withdraw: …`. */
export function gateVerdict(name: string, world: World, limits: Limits = {}): string {
  const gate = rulesOf(name, limits).gates.find((known) => known.name === name);
  if (gate === undefined) throw new Error(`no gate ${name}`);
  const stop = gate.check(firstOf(world), world);
  return stop === undefined ? 'open' : `${stop.kind}: ${stop.reason}`;
}

export const firstOf = (world: World): Market => world.market([...world.markets.keys()][0] ?? 0);

export function textOf(verdict: Verdict, market: Market): string {
  if (verdict.kind === 'pass') return 'pass';
  const to = verdict.kind === 'shrink' ? ` to ${market.size(lots(verdict.size))}` : '';
  return `${verdict.kind}${to}: ${typeof verdict.reason === 'string' ? verdict.reason : verdict.reason()}`;
}
