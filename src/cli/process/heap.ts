// Keeps the memory of a command that runs for days small. A backtest is given the usual heap: with this one it takes almost twice as long.
import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the space for short-lived objects at its first size, and lets the rest of the heap grow by a tenth between collections. Called before the modules
 * of the command are loaded, because the heap grows while they are.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=10');
}
