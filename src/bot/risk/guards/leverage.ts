// Guard: keeps the notional of all positions within a multiple of the account's value, even if all orders of the worse side of each market fill.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, largest, PASS } from '../guard.ts';
import { otherMarkets, worstNotional } from '../worst-notional.ts';

const limits = z.strictObject({
  max: amount({ preset: 3 }),
});

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
      const worth = Math.min(account?.value.margins.mf ?? 0, binding.worthWithoutShift ?? Number.POSITIVE_INFINITY);
      const most = max * Math.max(0, worth) - otherMarkets(circumstances.world).notional;
      if (worstNotional(circumstances, markets.values(), candidate) <= most) return PASS; // nearly always: no copy is made for it
      const size = largest(
        candidate.size,
        (fewer) => worstNotional(circumstances, markets.values(), { ...candidate, size: fewer }) <= most,
      );
      return { kind: 'shrink', size, reason: `all positions together could exceed ${max} times what the account is worth` };
    },
});
