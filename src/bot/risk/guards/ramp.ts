// Guard: raises the size limits in steps after the start of a live run, so that a fault in a new version or configuration shows at small size.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { type Candidate, type Circumstances, type Guard, type Kind, PASS, type Verdict, verdictOf } from '../guard.ts';
import { percent } from '../prices.ts';
import { leverage } from './leverage.ts';
import { orderSize } from './order-size.ts';
import { position } from './position.ts';

const limits = z.strictObject({
  /** Fractions of the limits of order-size, position and leverage, and how long each fraction applies. */
  firstFraction: amount({ preset: 0.1, max: 1 }),
  firstMs: amount({ preset: 300_000, max: 86_400_000 }),
  secondFraction: amount({ preset: 0.5, max: 1 }),
  secondMs: amount({ preset: 600_000, max: 86_400_000 }),
});

type Limits = Readonly<Record<string, unknown>>;

/** The guards whose limits grow, with the name of the limit. */
const GROWING = [
  [orderSize, 'maxNotional'],
  [position, 'maxNotional'],
  [leverage, 'max'],
] as const;

export const ramp: Kind<Guard> = {
  name: 'ramp',
  limits,
  create(block, all) {
    const { firstFraction, firstMs, secondFraction, secondMs } = limits.parse(block);
    const first = scaled(all, firstFraction);
    const second = scaled(all, secondFraction);
    const review: Guard['review'] = (candidate, circumstances) => {
      const { world } = circumstances;
      const since = world.now - world.began;
      if (candidate.reducing || since >= firstMs + secondMs) return PASS;
      const [guards, fraction, until] = since < firstMs ? [first, firstFraction, firstMs] : [second, secondFraction, firstMs + secondMs];
      const why = `${percent(fraction)} of the limits hold until ${until / 1000} s after the start`;
      return smallest(guards, candidate, circumstances, why);
    };
    return { name: 'ramp', onlyNew: true, reads: [...new Set(['time', ...first.flatMap(({ reads }) => reads)] as const)], review };
  },
};

const scaled = (all: Limits, fraction: number): readonly Guard[] =>
  GROWING.map(([kind, limit]) => {
    const block = all[kind.name] as Readonly<Record<string, number>>;
    return kind.create({ ...block, [limit]: (block[limit] ?? 0) * fraction }, all);
  });

/** Returns the smallest size that the guards allow, with the reason of the last guard that reduced it. */
function smallest(guards: readonly Guard[], candidate: Candidate, circumstances: Circumstances, why: string): Verdict {
  let found: Verdict = PASS;
  let { size } = candidate;
  for (const guard of guards) {
    const verdict = verdictOf(guard, { ...candidate, size }, circumstances);
    if (verdict.kind === 'pass') continue;
    const { reason } = verdict;
    found = { ...verdict, reason: () => `${why}: ${typeof reason === 'string' ? reason : reason()}` };
    if (verdict.kind === 'refuse') return found;
    size = verdict.size;
  }
  return found;
}
