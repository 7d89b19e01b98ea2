// Guard: limits orders to the account's margins: with the order resting, with it filled, and with everything filled and an adverse move after that.
// What omf, mf, imf, cmf and mmf are: `docs/glossary.md`.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { micros, toDecimal } from '../../domain/numbers.ts';
import { type Candidate, type Circumstances, guardKind, largest, PASS, type ReasonText } from '../guard.ts';
import { type Projection, project, projectResting } from '../margin-projection.ts';
import { percent } from '../prices.ts';

const marginLimits = z.strictObject({
  /** Buffer of omf above imf with the new order resting, as a fraction of imf. */
  openBuffer: amount({ preset: 0.25 }),
  /** Buffer of omf above cmf after its fill, as a fraction of cmf. */
  cancelBuffer: amount({ preset: 0.25 }),
  /** Buffer of mf above mmf after its fill, as a fraction of mmf. */
  liquidationBuffer: amount({ preset: 1 }),
  /** The adverse price move after everything has filled, as a fraction. */
  adverseMove: amount({ preset: 0.02, max: 1 }),
  /** Minimum distance to liquidation after the fill, as a fraction of the price. */
  minDistance: amount({ preset: 0.1, max: 1 }),
  /** The fee rate of a fill if the account's own is unknown. */
  feeRate: amount({ preset: 0.001, max: 0.1 }),
});
type MarginLimits = z.infer<typeof marginLimits>;

/**
 * A resting order that could increase the exposure is withdrawn when omf falls to imf; a new one must also leave the buffers. Reducing orders pass:
 * they improve all margins.
 */
export const margin = guardKind({
  name: 'margin',
  markets: 'perp',
  monotone: true,
  reads: ['account', 'info', 'exposure'],
  limits: marginLimits,
  review: (limits) => (candidate, circumstances) => {
    if (candidate.reducing) return PASS;
    const reason = fault(candidate, circumstances, limits);
    if (reason === undefined) return PASS;
    if (candidate.standing !== undefined) return { kind: 'refuse', reason };
    const size = largest(candidate.size, (smaller) => fault({ ...candidate, size: smaller }, circumstances, limits) === undefined);
    return { kind: 'shrink', size, reason };
  },
});

function fault(candidate: Candidate, circumstances: Circumstances, limits: MarginLimits): ReasonText | undefined {
  if (candidate.standing !== undefined) {
    const stays = projectResting(candidate, circumstances);
    return stays === undefined ? UNKNOWN : shortfall('omf', stays, { over: 'imf', with: 'the order resting', buffer: 0 });
  }
  const feeRate = circumstances.world.account?.value.feeRate ?? limits.feeRate;
  const projected = project(candidate, circumstances, { ...limits, feeRate });
  if (projected === undefined) return UNKNOWN;
  const { resting, filled, filledOpen, allFilled, distance } = projected; // `filledOpen`: omf after the fill; undefined if the account states no cmf
  return (
    shortfall('omf', resting, { over: 'imf', with: 'the order resting', buffer: limits.openBuffer }) ??
    shortfall('mf', filled, { over: 'mmf', with: 'the order filled', buffer: limits.liquidationBuffer }) ??
    (filledOpen && shortfall('omf', filledOpen, { over: 'cmf', with: 'the order filled', buffer: limits.cancelBuffer })) ??
    shortfall('mf', allFilled, { over: 'mmf', with: 'everything filled', move: limits.adverseMove, buffer: 0 }) ??
    (distance < limits.minDistance ? tooNear(distance, limits.minDistance) : undefined)
  );
}

const UNKNOWN = 'margins or index price are not known';

/** Returns the reason why a margin would be short; undefined if `value > needed × (1 + buffer)`. */
function shortfall(
  name: string,
  { value, needed }: Projection,
  { over, with: when, move, buffer }: { over: string; with: string; move?: number; buffer: number },
): ReasonText | undefined {
  const required = needed * (1 + buffer);
  if (value > required) return undefined;
  return tooLow({ name, over, when, move, value, required, buffer });
}

/** Separate from `shortfall`: a function that returns a closure allocates the captured values in each call, even if the margin is enough. */
const tooLow =
  ({
    name,
    over,
    when,
    ...figures
  }: {
    name: string;
    over: string;
    when: string;
    move: number | undefined;
    value: number;
    required: number;
    buffer: number;
  }): ReasonText =>
  () => {
    const above = `${over}${figures.buffer > 0 ? ` and a buffer of ${percent(figures.buffer)}` : ''}`;
    const moved = figures.move === undefined ? '' : ` and a move of ${percent(figures.move)}`;
    return `with ${when}${moved} ${name} would be ${money(figures.value)}, and must stay above ${money(figures.required)} (${above})`;
  };

const tooNear =
  (distance: number, least: number): ReasonText =>
  () =>
    `liquidation would be ${percent(distance)} away after the fill; at least ${percent(least)} is required`;

const money = (value: number): string => toDecimal(micros(Math.round(value))).toFixed(2);
