// Pairs the orders and fills of a run with those of its backtest.
import type { Millis } from '../../base/clock.ts';
import { groupBy } from '../../base/collections/lists.ts';
import { lots, micros } from '../../bot/domain/numbers.ts';
import type { Fill } from '../../bot/domain/order.ts';
import type { OwnRecord, RunOrder } from './own-orders.ts';

/** Maximum time difference between an order or fill of the run and its pair in the backtest. Everything except ids must be equal. */
export const NEAR: Millis = 1_000;

/** A fill with its order; undefined if the fill names no order of the run. */
export interface AttributedFill {
  readonly fill: Fill;
  readonly order: RunOrder | undefined;
}

export interface MatchedPair<T> {
  readonly run: T;
  readonly backtest: T;
}

export interface MatchedLists<T> {
  readonly both: readonly MatchedPair<T>[];
  readonly onlyRun: readonly T[];
  readonly onlyBacktest: readonly T[];
}

export interface ParityMatch {
  readonly orders: MatchedLists<RunOrder>;
  readonly fills: MatchedLists<AttributedFill>;
  /** The paired order, for orders of both sides. */
  readonly twins: ReadonlyMap<RunOrder, RunOrder>;
}

/**
 * Pairs the orders first, then the fills. A fill is compared under the name of its order; an order of the backtest has the name of its pair in the run, because
 * client order ids differ.
 */
export function match(run: OwnRecord, backtest: OwnRecord): ParityMatch {
  const orders = paired([...run.orders.values()], [...backtest.orders.values()], { keyOf: orderKey, timeOf: ({ sentAt }) => sentAt });
  const twins = new Map<RunOrder, RunOrder>();
  for (const pair of orders.both) {
    twins.set(pair.run, pair.backtest);
    twins.set(pair.backtest, pair.run);
  }
  const names = new Map(orders.both.map(({ run: order, backtest: twin }) => [twin, order.clientOrderId]));
  const fillsOf = ({ fills, orders: all, clockOffset }: OwnRecord): readonly NamedFill[] =>
    fills.map((fill) => {
      const order = fill.clientOrderId === undefined ? undefined : all.get(fill.clientOrderId);
      return { fill, order, at: fill.time + clockOffset, name: (order && names.get(order)) ?? order?.clientOrderId ?? '' };
    });
  const fills = paired(joinTakerFills(fillsOf(run)), joinTakerFills(fillsOf(backtest)), { keyOf: fillKey, timeOf: ({ at }) => at });
  return { orders, fills, twins };
}

type NamedFill = AttributedFill & { readonly at: Millis; readonly name: string };

/**
 * Joins the taker fills of one action at one price into one fill. The run took from single orders and has a fill for each; the tape has levels, so the
 * backtest has one fill for all of them.
 */
function joinTakerFills(fills: readonly NamedFill[]): readonly NamedFill[] {
  const sums = new Map<string, NamedFill>();
  const all: (NamedFill | string)[] = [];
  for (const named of fills) {
    const { role, actionId, price } = named.fill;
    if (role === 'maker' || named.order === undefined) {
      all.push(named);
      continue;
    }
    const key = `${named.name} ${actionId} ${price}`;
    const before = sums.get(key);
    if (before === undefined) all.push(key); // keeps the place of the first fill
    sums.set(key, before === undefined ? named : { ...before, fill: sumOf(before.fill, named.fill) });
  }
  return all.flatMap((one) => (typeof one === 'string' ? (sums.get(one) ?? []) : one));
}

const sumOf = (one: Fill, other: Fill): Fill => ({
  ...one,
  size: lots(one.size + other.size),
  ...(one.baseFee !== undefined && { baseFee: lots(one.baseFee + (other.baseFee ?? 0)) }),
  fee: one.fee === undefined || other.fee === undefined ? undefined : micros(one.fee + other.fee),
});

/** Returns the share of fills that are in both; 1 if neither has any. */
export const agreementOf = ({ both, onlyRun, onlyBacktest }: MatchedLists<unknown>): number => {
  const all = 2 * both.length + onlyRun.length + onlyBacktest.length;
  return all === 0 ? 1 : (2 * both.length) / all;
};

const orderKey = ({ market, side, price, size, fillMode }: RunOrder): string => [market, side, price, size, fillMode].join(' ');
const fillKey = ({ fill: { market, side, price, size, role }, name }: NamedFill): string =>
  [market, side, price, size, role, name].join(' ');

interface Rules<T> {
  readonly keyOf: (item: T) => string;
  readonly timeOf: (item: T) => Millis;
}

/** Pairs items with equal keys: each item of the run with the first unpaired one of the backtest that is within NEAR of its time. */
function paired<T>(run: readonly T[], backtest: readonly T[], { keyOf, timeOf }: Rules<T>): MatchedLists<T> {
  const free = groupBy(backtest, keyOf);
  const both: MatchedPair<T>[] = [];
  const onlyRun: T[] = [];
  for (const item of run) {
    const list = free.get(keyOf(item)) ?? [];
    const index = list.findIndex((other) => Math.abs(timeOf(other) - timeOf(item)) <= NEAR);
    const [twin] = index < 0 ? [] : list.splice(index, 1);
    if (twin === undefined) onlyRun.push(item);
    else both.push({ run: item, backtest: twin });
  }
  const left = new Set([...free.values()].flat());
  return { both, onlyRun, onlyBacktest: backtest.filter((item) => left.has(item)) };
}
