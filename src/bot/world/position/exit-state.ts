// The state of the exits of each market, kept across restarts: the best price since the entry (of a trailing stop), and the triggered exit.
import type { Millis } from '../../../base/clock.ts';
import type { Side } from '../../domain/book.ts';
import type { ExitName } from '../../domain/intent.ts';
import type { RunMemory } from '../memory.ts';

/** The position that the exits watch. Prices are in quote money, sizes in lots. */
export interface WatchedPosition {
  /** The side that opened it: `bid` for a long. */
  readonly side: Side;
  readonly size: number;
  /** The best trigger price since the entry: the highest for a long, the lowest for a short; undefined before the first. */
  readonly best?: number | undefined;
  /** Average entry price, from the account or, if it reports none, from the fills; undefined until known. */
  readonly entry?: number | undefined;
  /** The take-profit order, if it rests alone: the strategy returns no quote, and its target, if it returns one, is reached. */
  readonly resting?: { readonly size: number; readonly price: number } | undefined;
  /** In a backtest: number of candles in which the assumed order of the extremes decides whether a trailing stop was reached. */
  readonly unclear?: number | undefined;
}

/** A triggered exit: the position is being closed or was closed, and its side is suspended. */
export interface TriggeredExit {
  readonly exit: ExitName;
  /** The side that opened the position. */
  readonly side: Side;
  readonly at: Millis;
  /** `price` is the exit's price, `seen` the trigger price that reached it. For a take profit both are equal. */
  readonly price: number;
  readonly seen: number;
  /** The price of the nearest exit of the other kind at that time: of the stop for a take profit, of the take profit for a stop. */
  readonly other?: number | undefined;
  /** `size`: lots held at the trigger; `filled`: lots closed so far; `cost`: their price times lots. */
  readonly size: number;
  readonly filled: number;
  readonly cost: number;
  readonly isClosed: boolean;
  /** True once the closing price has been reported. */
  readonly isReported: boolean;
}

export interface ExitState {
  readonly position?: WatchedPosition | undefined;
  readonly triggered?: TriggeredExit | undefined;
}

/** By the market's symbol. */
export type ExitStates = Readonly<Record<string, ExitState>>;

const NAME = 'exits';
/** Returned by `exitStates` if nothing was ever remembered. */
export const NO_EXIT_STATES: ExitStates = {};

export const exitStates = (memory: RunMemory): ExitStates => (memory.get(NAME) as ExitStates | undefined) ?? NO_EXIT_STATES;

/** Saves the states. Does nothing if there is no state now and none was saved before. */
export function keepExitStates(memory: RunMemory, states: ExitStates): void {
  const kept = Object.entries(states).filter(([, { position, triggered }]) => position !== undefined || triggered !== undefined);
  if (kept.length > 0 || memory.get(NAME) !== undefined) memory.set(NAME, JSON.stringify(Object.fromEntries(kept)));
}
