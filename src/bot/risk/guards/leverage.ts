// Guards of the notional of all positions: a multiple of the account's value, and what the limit of a fleet leaves for this run.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { type Lots, micros, toDecimal } from '../../domain/numbers.ts';
import { guardKind, largest, PASS } from '../guard.ts';
import { untradedMarkets, worstNotional } from '../worst-notional.ts';

const limits = z.strictObject({
  max: amount({ preset: 3 }),
});

/** Keeps the notional of all positions within a multiple of the account's value, even if all orders of the worse side of each market fill. */
export const leverage = guardKind({
  name: 'leverage',
  monotone: true,
  reads: ['account', 'info', 'fills', 'exposure'],
  limits,
  review:
    ({ max }) =>
    (candidate, circumstances) => {
      if (candidate.reducing) return PASS;
      const { account, binding, markets } = circumstances.world;
      const worth = Math.min(account?.value.margins.mf ?? 0, binding.worthWithoutUnexplained ?? Number.POSITIVE_INFINITY);
      const most = max * Math.max(0, worth) - untradedMarkets(circumstances.world).notional;
      if (worstNotional(circumstances, markets.values(), candidate) <= most) return PASS; // nearly always: no copy is made for it
      const size = largest(
        candidate.size,
        (fewer) => worstNotional(circumstances, markets.values(), { ...candidate, size: fewer }) <= most,
      );
      return { kind: 'shrink', size, reason: `all positions together could exceed ${max} times what the account is worth` };
    },
});

/** Keeps the worst case of a run of a fleet within what the limit of the fleet leaves for it, before an order leaves. */
export const allowance = guardKind({
  name: 'allowance',
  markets: 'perp',
  monotone: true,
  reads: ['info', 'exposure', 'allowance'],
  limits: z.strictObject({}),
  review: () => (candidate, circumstances) => {
    const { world } = circumstances;
    const allowed = world.commands.allowance;
    if (allowed === undefined || candidate.reducing) return PASS;
    const isWithin = (size: Lots): boolean => worstNotional(circumstances, world.perps, { ...candidate, size }) <= allowed.notional;
    if (isWithin(candidate.size)) return PASS;
    const left = toDecimal(micros(allowed.notional)).toFixed(2);
    return { kind: 'shrink', size: largest(candidate.size, isWithin), reason: `${allowed.reason}: ${left} is left for this run` };
  },
});
