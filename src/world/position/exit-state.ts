// What the exits of each market remember: the best price since the entry, and the exit that has been triggered. It survives a restart.
import type { Millis } from '../../base/clock.ts';
import type { ExitName } from '../../domain/intent.ts';
import type { Side } from '../../domain/side.ts';
import type { RunMemory } from '../memory.ts';

/** The position that the exits watch. Prices are in quote money, sizes in lots. */
export interface WatchedPosition {
  /** The side that opened it: `bid` for a long. */
  readonly side: Side;
  readonly size: number;
  /** The best trigger price since: the highest of a long, the lowest of a short; undefined until there is one. */
  readonly best?: number | undefined;
  /** Average price: the account's, or that of the fills if the account reports none; undefined until it is known. */
  readonly entry?: number | undefined;
  /** The order that takes the profit, if it rests beside a target that is reached. */
  readonly resting?: { readonly size: number; readonly price: number } | undefined;
}

/** An exit that was triggered: the position is being closed, or has been, and its side is suspended. */
export interface TriggeredExit {
  readonly exit: ExitName;
  /** The side that opened the position. */
  readonly side: Side;
  readonly at: Millis;
  /** The price of the exit, and the trigger price that reached it; for a take profit both are its price. */
  readonly price: number;
  readonly seen: number;
  /** Of a take profit, the price of the nearest stop that stood beside it. */
  readonly stop?: number | undefined;
  /** Lots that were held, and how many of them have been closed, with their cost in price times lots. */
  readonly size: number;
  readonly filled: number;
  readonly cost: number;
  readonly isClosed: boolean;
  /** True once it has been reported at which price it was closed. */
  readonly isReported: boolean;
}

export interface ExitState {
  readonly position?: WatchedPosition | undefined;
  readonly triggered?: TriggeredExit | undefined;
}

/** By the market's symbol. */
export type ExitStates = Readonly<Record<string, ExitState>>;

const NAME = 'exits';
/** What `exitStates` returns while nothing was ever remembered. */
export const NO_EXIT_STATES: ExitStates = {};

export const exitStates = (memory: RunMemory): ExitStates => (memory.get(NAME) as ExitStates | undefined) ?? NO_EXIT_STATES;

/** Writes nothing while there is nothing to remember and never was. */
export function keepExitStates(memory: RunMemory, states: ExitStates): void {
  const kept = Object.entries(states).filter(([, { position, triggered }]) => position !== undefined || triggered !== undefined);
  if (kept.length > 0 || memory.get(NAME) !== undefined) memory.set(NAME, JSON.stringify(Object.fromEntries(kept)));
}
