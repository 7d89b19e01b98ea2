// Options of V8: for a long-running command, whose memory stays small, and for backtests, which spend as little CPU time as possible.
import { setFlagsFromString } from 'node:v8';

/** The option that limits inlining. */
const INLINING = '--max-inlined-bytecode-size-cumulative';
const LESS_INLINING = `${INLINING}=300`;
/**
 * Pretenuring: if the first objects that a place in the code allocates live long, V8 allocates later ones there in the old generation. In some runs it
 * chooses objects that each turn creates. Garbage of the old generation then keeps newer objects alive, and a backtest takes up to 40 % longer.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';
/** V8's default. */
const DEFAULT_INLINING = `${INLINING}=920`;

/**
 * Options of Node for processes that run backtests or simulations on all cores. A large young generation saves a tenth of the CPU time, because most
 * objects are short-lived. Less inlining saves another tenth in the first minute, which is mostly compilation, and costs nothing afterwards.
 */
export const WORKER_OPTIONS: readonly string[] = ['--max-semi-space-size=64', LESS_INLINING, NO_PRETENURING];

/** V8's factor by which the young generation grows while much of it survives. It can be set in a running process, unlike the largest size. */
const YOUNG_GROWTH = '--semi-space-growth-factor';

/**
 * Keeps the young generation at the size that it has before the modules of the command are loaded, about 4 MB, and limits the growth of the old generation
 * between collections to a tenth. The young generation of a command that trades may grow: else it collects garbage three times a second, and the old
 * generation, which takes 20 ms, twice as often. The old generation of a backtest may grow: else it would take almost twice as long.
 */
export function keepHeapSmall(command: 'trades' | 'serves' | 'plays'): void {
  if (command !== 'trades') setFlagsFromString(`${YOUNG_GROWTH}=1`);
  if (command !== 'plays') setFlagsFromString('--heap-growing-percent=10');
}

/** Ends the limit of the young generation, with which a backtest takes up to 7 % longer. */
export const letYoungGenerationGrow = (): void => setFlagsFromString(`${YOUNG_GROWTH}=2`);

/**
 * Plays a backtest with the options of `WORKER_OPTIONS` that can be set in a running process. Less inlining ends with the play, because writing
 * Parquet files afterwards takes longer with it. An option that the process was started with stays.
 */
export async function asWorkersPlay<T>(play: () => Promise<T>): Promise<T> {
  setFlagsFromString(NO_PRETENURING);
  if (process.execArgv.some((option) => option.startsWith(INLINING))) return play();
  setFlagsFromString(LESS_INLINING);
  try {
    return await play();
  } finally {
    setFlagsFromString(DEFAULT_INLINING);
  }
}
