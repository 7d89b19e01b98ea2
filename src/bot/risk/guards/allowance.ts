// Guard: keeps the worst case of a run of a fleet within what the limit of the fleet leaves for it, before an order leaves.
import { z } from 'zod';
import { type Lots, micros, toDecimal } from '../../domain/numbers.ts';
import { guardKind, largest, PASS } from '../guard.ts';
import { worstNotional } from '../worst-notional.ts';

const limits = z.strictObject({});

export const allowance = guardKind({
  name: 'allowance',
  markets: 'perp',
  monotone: true,
  reads: ['info', 'exposure', 'allowance'],
  limits,
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
