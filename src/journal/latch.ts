// The modes that somebody has asked for, on disk before anybody acts on them, where the process and a person's other terminal both see them.
import type { Disk } from '../base/disk.ts';
import { isStricter, MODES, type Mode } from '../domain/mode.ts';

/** Why a mode was asked for, and when by the clock of whoever asked. */
export interface LatchCause {
  readonly reason: string;
  readonly at: string;
  /** `bot`, `kill`, … */
  readonly by: string;
}

export interface Latched {
  readonly mode: Mode;
  readonly cause?: LatchCause | undefined;
}

/** One file a mode, made once and never changed: two who raise it at the same moment cannot undo each other. */
const fileOf = (mode: Mode): string => `LATCH-${mode}`;
const RAISED = MODES.filter((mode) => mode !== 'active');

export class Latch {
  readonly #disk: Disk;
  #heeded: Mode = 'active';

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** The strictest mode that was asked for. */
  get(): Latched {
    const names = new Set(this.#disk.list());
    const mode = RAISED.findLast((candidate) => names.has(fileOf(candidate)));
    return mode === undefined ? { mode: 'active' } : { mode, cause: this.#causeOf(mode) };
  }

  /** What this process acts on. */
  get heeded(): Mode {
    return this.#heeded;
  }

  /** What was asked for and is stricter than what this process acts on by now. */
  unheeded(): Latched | undefined {
    const latched = this.get();
    return isStricter(latched.mode, this.#heeded) ? latched : undefined;
  }

  /** This process acts on the mode from now on. */
  heed(mode: Mode): void {
    if (isStricter(mode, this.#heeded)) this.#heeded = mode;
  }

  /** Durable when it returns; asking again, or for less, changes nothing. */
  raise(mode: Mode, cause: LatchCause): void {
    if (isStricter(mode, this.get().mode)) this.#disk.create(fileOf(mode), new TextEncoder().encode(`${JSON.stringify(cause)}\n`));
  }

  /** For a person alone. */
  release(): void {
    for (const mode of RAISED) this.#disk.remove(fileOf(mode));
  }

  /** A file that somebody made by hand need not say why. */
  #causeOf(mode: Mode): LatchCause | undefined {
    try {
      const cause: unknown = JSON.parse(new TextDecoder().decode(this.#disk.read(fileOf(mode))));
      return typeof cause === 'object' && cause !== null && 'reason' in cause ? (cause as LatchCause) : undefined;
    } catch {
      return undefined;
    }
  }
}
