// Orders matched in process: the simulator's book against one of objects, on the same commands.
import type { Lots, Ticks } from '../src/domain/numbers.ts';
