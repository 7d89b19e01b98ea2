// All gates, guards and stops in the order in which they run, and the schema of their limits in the configuration.
// `gates/` check a market as a whole, `guards/` one order, `loss-stops.ts` the whole account's losses. `review.ts` reviews the intents of a turn:
// `turn-review.ts` runs the guards over them, `kept-verdicts.ts` keeps their last verdicts.
// `guard.ts` and `stop.ts` define the rules. `running-exposure.ts`: the worst case during a review; `margin-projection.ts` and `prices.ts`: the margins
// of that worst case; `worst-notional.ts`: the notional of that worst case. `escalation.ts`: when the mode becomes stricter. `flatten.ts`: closing all
// positions.
import { z } from 'zod';
import { account } from './gates/account.ts';
import { dataAge } from './gates/data-age.ts';
import { marketState, oracle } from './gates/market-state.ts';
import type { RiskRules } from './guard.ts';
import { balance } from './guards/balance.ts';
import { allowance, leverage } from './guards/leverage.ts';
import { margin } from './guards/margin.ts';
import { mode } from './guards/mode.ts';
import { openOrders } from './guards/open-orders.ts';
import { leastValue, orderSize } from './guards/order-size.ts';
import { journal, ledger, unresolved } from './guards/own-records.ts';
import { position } from './guards/position.ts';
import { priceCollar } from './guards/price-collar.ts';
import { ramp } from './guards/ramp.ts';
import { quota, rate } from './guards/rate.ts';
import { repetition } from './guards/repetition.ts';
import { selfTrade } from './guards/self-trade.ts';
import { dailyLoss, drawdown, losingHours } from './loss-stops.ts';
import type { Stop } from './stop.ts';

const GATES = [account, dataAge, marketState, oracle];
const GUARDS = [
  mode,
  journal,
  ledger,
  unresolved,
  selfTrade,
  priceCollar,
  ramp,
  orderSize,
  openOrders,
  position,
  leverage,
  allowance,
  balance,
  margin,
  leastValue,
  repetition,
  rate,
  quota,
];

const STOPS = [dailyLoss, drawdown, losingHours];

/** The order of rules in findings and in the summary. */
export const RULE_NAMES: readonly string[] = [...GATES, ...GUARDS].map(({ name }) => name);

/** The `limits` of a configuration: one block per rule, under its name. Omitted limits have their defaults. */
export const limitsSchema = z.strictObject(
  Object.fromEntries([...GATES, ...GUARDS, ...STOPS].map(({ name, limits }) => [name, limits.prefault({})])),
);

type Limits = Readonly<Record<string, unknown>>;

/**
 * Creates the rules from limits parsed by `limitsSchema`. `live`: true for real money; only then the ramp after the start applies.
 * Each rule gets all limits beside its own, because the ramp scales those of other guards. */
export function rulesFrom(limits: Limits, { live = false }: { live?: boolean | undefined } = {}): RiskRules {
  return {
    gates: GATES.map((kind) => kind.create(limits[kind.name], limits)),
    guards: GUARDS.filter((kind) => live || kind !== ramp).map((kind) => kind.create(limits[kind.name], limits)),
  };
}

/** Creates the stops from limits parsed by `limitsSchema`. */
export const stopsFrom = (limits: Limits): readonly Stop[] => STOPS.map((kind) => kind.create(limits[kind.name], limits));
