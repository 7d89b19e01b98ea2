// Defines a stop: a check of the whole account that requests a stricter mode when a limit is passed.
import { z } from 'zod';
import type { Mode } from '../domain/mode.ts';
import type { World } from '../world/world.ts';
import type { Kind } from './guard.ts';

export interface ModeWanted {
  readonly mode: Mode;
  /** For a person. */
  readonly reason: string;
  /** The stop that requests the mode; undefined for another cause. */
  readonly by?: string | undefined;
}

export interface Stop {
  /** The name in the configuration's `limits`. */
  readonly name: string;
  check(world: World): Pick<ModeWanted, 'mode' | 'reason'> | undefined;
}

/** The modes that a stop may be configured to set. */
export const stopMode = (preset: 'close-only' | 'flatten') =>
  z.enum(['close-only', 'flatten'], { error: 'must be close-only or flatten' }).default(preset);

export function stopKind<L>({
  name,
  limits,
  check,
}: {
  name: string;
  limits: z.ZodType<L>;
  check: (limits: L) => Stop['check'];
}): Kind<Stop> {
  return { name, limits, create: (block) => ({ name, check: check(limits.parse(block)) }) };
}
