// The kill switch: a file for each requested mode in the state directory, on disk before anything acts on it, so that the run and other processes both
// see it. The files are named `LATCH-<mode>`, and the reserve `latch-reserve`, because that is their format. What each mode allows: `bot/domain/mode.ts`.

import { type Disk, DiskError } from '../../base/files/disk.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { isStricter, MODES, type Mode } from '../domain/mode.ts';

/** Why a mode was requested, and when, by the clock of the requester. */
export interface KillSwitchCause {
  readonly reason: string;
  readonly at: string;
  /** `bot`, `kill`, … */
  readonly by: string;
}

export interface KillSwitchState {
  readonly mode: Mode;
  readonly cause?: KillSwitchCause | undefined;
}

/** One file per mode, created once and never changed, so that two processes that raise modes at the same time cannot undo each other. */
export const killSwitchFile = (mode: Mode): string => `LATCH-${mode}`;
const RAISED: readonly Mode[] = MODES.filter((mode) => mode !== 'active');
/** Space reserved for a full disk: one slot of this many bytes for each mode, blank until the mode is raised there. */
const RESERVE = 'latch-reserve';
const SLOT = 512;
const BLANK = 0x20;
const blank = (slots: number): Uint8Array => new Uint8Array(slots * SLOT).fill(BLANK);

export class KillSwitch {
  readonly #disk: Disk;
  #acknowledged: Mode = 'active';

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Returns the strictest requested mode, from its file or from the reserve. */
  get(): KillSwitchState {
    const names = new Set(this.#disk.list());
    const reserve = names.has(RESERVE) ? this.#disk.read(RESERVE) : undefined;
    const mode = RAISED.findLast((candidate) => names.has(killSwitchFile(candidate)) || isWritten(slotOf(candidate, reserve)));
    if (mode === undefined) return { mode: 'active' };
    return { mode, cause: causeIn(this.#textOf(mode)) ?? causeIn(slotOf(mode, reserve)) };
  }

  /**
   * Allocates the space for the kill switch now, so that it can be written when the disk is full. Throws a DiskError if there is not enough space.
   */
  reserve(): void {
    if ((this.#disk.size(RESERVE) ?? 0) < RAISED.length * SLOT) this.#disk.replace(RESERVE, blank(RAISED.length));
  }

  /** The mode that this process acts on. */
  get acknowledged(): Mode {
    return this.#acknowledged;
  }

  /** The requested mode, if it is stricter than the one that this process acts on. */
  pending(): KillSwitchState | undefined {
    const state = this.get();
    return isStricter(state.mode, this.#acknowledged) ? state : undefined;
  }

  /** Marks the mode as the one that this process acts on from now on. */
  acknowledge(mode: Mode): void {
    if (isStricter(mode, this.#acknowledged)) this.#acknowledged = mode;
  }

  /**
   * Requests a mode; durable on return. Does nothing if the same or a stricter mode was requested. If no file can be created, the mode is written
   * into the reserve. Throws a DiskError if neither is possible; then no mode is set.
   */
  raise(mode: Mode, cause: KillSwitchCause): void {
    if (!isStricter(mode, this.get().mode)) return;
    try {
      this.#disk.create(killSwitchFile(mode), new TextEncoder().encode(`${JSON.stringify(cause)}\n`));
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#raiseInReserve(mode, cause, error);
    }
  }

  /** Removes all requested modes. Only a person may call for this. */
  release(): void {
    const reserve = this.#disk.read(RESERVE);
    if (reserve?.some((byte) => byte !== BLANK)) this.#disk.overwrite(RESERVE, 0, new Uint8Array(reserve.length).fill(BLANK));
    for (const mode of RAISED) this.#disk.remove(killSwitchFile(mode));
  }

  #raiseInReserve(mode: Mode, cause: KillSwitchCause, because: DiskError): void {
    try {
      this.#disk.overwrite(RESERVE, RAISED.indexOf(mode) * SLOT, slotText(cause));
    } catch (error) {
      throw error instanceof DiskError ? because : error;
    }
  }

  #textOf(mode: Mode): Uint8Array | undefined {
    try {
      return this.#disk.read(killSwitchFile(mode));
    } catch {
      return undefined; // the file name alone is enough
    }
  }
}

const slotOf = (mode: Mode, reserve: Uint8Array | undefined): Uint8Array | undefined => {
  const start = RAISED.indexOf(mode) * SLOT;
  return reserve?.subarray(start, start + SLOT);
};

const isWritten = (slot: Uint8Array | undefined): boolean => slot?.some((byte) => byte !== BLANK) ?? false;

/** Returns a slot with the cause. A reason that is too long is truncated. */
function slotText(cause: KillSwitchCause): Uint8Array {
  const slot = blank(1);
  const text = (reason: string): Uint8Array => new TextEncoder().encode(JSON.stringify({ ...cause, reason }));
  let { reason } = cause;
  while (reason.length > 0 && text(reason).length > SLOT) reason = reason.slice(0, -1);
  slot.set(text(reason).subarray(0, SLOT));
  return slot;
}

/** Returns the cause; undefined for a file without one, such as one made by hand. */
function causeIn(text: Uint8Array | undefined): KillSwitchCause | undefined {
  try {
    const cause: unknown = readJson(text ?? '', JSON_LIMITS.state);
    return typeof cause === 'object' && cause !== null && 'reason' in cause ? (cause as KillSwitchCause) : undefined;
  } catch {
    return undefined;
  }
}
