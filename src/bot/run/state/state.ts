// The state directory of a run: journal, lock, kill switch, recording, and the session key that its restarts share.
// entries.ts, journal-writer.ts   the entries of the journal, and how they are written
// history.ts, resume-trades.ts    the state that a restart derives from the journal: orders, fills, trades to read again
// booked-fills.ts                 fills with which a restart compares trades, and the provisional ones, which it reads again
// checkpoint.ts, loss-entries.ts  shortening the journal; profit and loss for the loss limits
// embedded/recording/no-state.ts  the state of a run that keeps nothing
// line-files.ts                   inputs and candles that the run received
// venues/kind/facts.ts, bot/run/core/now.ts, bot/run/core/history-file.ts   facts.json, now.json and history.json, for other commands
// account-claim.ts, machine.ts    one run per account; which processes are alive
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { type Disk, DiskError } from '../../../base/files/disk.ts';
import { type FileLock, lockFile } from '../../../base/files/file-lock.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { PROGRAM } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import { KEY_BYTES } from '../../../base/wire/ed25519.ts';
import type { OrderLine } from '../../accounting/lines.ts';
import type { SealedAction } from '../../exchange/kit/sending/outgoing.ts';
import { type Lock, type LockOptions, takeLock } from '../../journal/directory-lock.ts';
import { JournalReserve, openJournal } from '../../journal/journal.ts';
import { KillSwitch } from '../../journal/kill-switch.ts';
import { checkpointOf } from './checkpoint.ts';
import { type IdSeries, newSeries } from './client-order-ids.ts';
import { type Entry, endOfTakeover, type NewEntry, sentEntry } from './entries.ts';
import { JournalWriter } from './journal-writer.ts';
import { inputFile, LineFiles } from './line-files.ts';
import { systemProcesses } from './machine.ts';
import { openRecorder, type RecordingGap, removeOldRecordings } from './turn-recorder.ts';

export interface State {
  /** Entries of all earlier processes of this run; old ones as sums. */
  readonly earlier: readonly Entry[];
  /**
   * Appends entries. They are durable when it returns; with `more`, not until the next call of `append` or `recordActions` returns, so that a turn needs one
   * sync. If the disk fails, they stay in memory and are tried again, and `trouble` returns the reason. Absent if nothing is kept.
   */
  append?(entries: readonly NewEntry[], more?: 'more'): void;
  /** Records actions that are about to be sent. Throws if they cannot be made durable. */
  recordActions(sealed: readonly SealedAction[]): void;
  /** Why the last write of the journal failed; undefined if it did not. */
  trouble(): string | undefined;
  /** Appends one line to the recording of this process; absent if no recording is kept. */
  record?(text: string): void;
  /** Interrupts the recording because a line cannot be made of a turn. */
  interruptRecording?(reason: string): void;
  /** The newest gap of the recording of this process; undefined if it has none. */
  recordingGap?(): RecordingGap | undefined;
  /** Appends a line to the file of an input of the strategy; absent if none is kept. */
  recordInput?(name: string, line: string): void;
  /** Files of candles for the history of a later start; absent if none are kept. */
  readonly candles?: Pick<LineFiles, 'add' | 'read'>;
  /** The session's secret key, the same in each process of this run; `make` creates it the first time. */
  sessionKey(make: () => Uint8Array): Uint8Array;
  /** Series of the run's client order ids: that of its journal, or a new one. Absent if nothing is kept. */
  readonly series?: IdSeries;
  /** False if the lock file was removed or replaced, so that another process may have the directory. Absent if nothing is kept. */
  readonly isHeld?: () => boolean;
  /** The kill switch; absent if no other process can set one. */
  readonly killSwitch?: KillSwitch;
  /** Harmless problems of the directory, one sentence each. */
  readonly remarks?: readonly string[];
  close(): void;
}

export interface StateOptions {
  readonly clock: Clock;
  /** A name for this process that sorts after the names of earlier processes. */
  readonly started: string;
  /** Default: the processes of the system. */
  readonly processes?: LockOptions | undefined;
  /** Returns an integer from 0 to `limit` - 1, for the series of a new run. Default: the randomness of the system. */
  readonly randomBelow?: ((limit: number) => number) | undefined;
}

/** The lock is held by the kernel; the file is never removed. */
export const LOCK_FILE = 'lock';
const SESSION_KEY = 'session.key';
const OLD_LEDGER = 'ledger.jsonl';

/** Opens a state directory and creates it if it is missing. Throws a UserError if it cannot be used. */
export function openStateDirectory(directory: string, options: StateOptions): Required<State> {
  try {
    const disk = nodeDisk(directory);
    const exclude = (): FileLock | undefined => lockFile(join(directory, LOCK_FILE));
    return openState(disk, { ...options, processes: options.processes ?? { ...systemProcesses(), exclude } });
  } catch (error) {
    if (error instanceof DiskError) {
      const message = `the state directory ${directory} cannot be used: ${messageOf(error)}`;
      throw new UserError({ code: 'state', message, hint: 'choose another with --state DIR' });
    }
    if (error instanceof UserError) throw new UserError({ code: error.code, message: `${directory}: ${error.message}`, hint: error.hint });
    throw error;
  }
}

/**
 * Opens the state on a disk. Throws a UserError if another process has the directory or the journal is damaged. The files:
 * `journal-*.log`: the journal. `lock`: held by the writing process; `lock-000001`: the id of that process. `LATCH-<mode>`: the kill switch.
 * `turns-<started>-*.jsonl.gz`: a replayable recording of one process. `session.key`: the session's secret key.
 */
export function openState(disk: Disk, options: StateOptions): Required<State> {
  const lock = takeLock(disk, options.processes ?? systemProcesses());
  try {
    return stateOn(disk, { ...options, lock });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function stateOn(
  disk: Disk,
  { clock, started, lock, randomBelow = (limit) => randomInt(limit) }: StateOptions & { readonly lock: Lock },
): Required<State> {
  const journal = openJournal<Entry>(disk, { checkpoint: checkpointOf });
  const before = journal.earlier;
  if (before.length === 0) refuseOldLedger(disk);
  const ended = [...unsentIn(before), ...endOfTakeover(before, clock.now())];
  const killSwitch = new KillSwitch(disk);
  killSwitch.reserve();
  const remarks = removeOldRecordings(disk);
  const turns = openRecorder(disk, { name: `turns-${started}`, clock });
  const files = new LineFiles(disk);
  const reserve = new JournalReserve(disk);
  reserve.keep();
  const writer = new JournalWriter({ write: (entries) => journal.append(entries), reserve, clock });
  writer.append([...ended, { kind: 'process', at: timeText(clock.now()) }]);
  return {
    earlier: [...before, ...ended],
    append: (entries, more) => (more === undefined ? writer.append(entries) : writer.hold(entries)),
    recordActions: (sealed) => writer.write(sealed.map((action) => sentEntry(action, clock.now()))),
    trouble: () => writer.trouble,
    record: turns.record,
    interruptRecording: turns.interrupt,
    recordingGap: turns.gap,
    recordInput: (name, line) => files.add(inputFile(name), line),
    candles: files,
    sessionKey: (make) => sessionKeyOn(disk, make),
    series: before.findLast((entry) => entry.kind === 'identity')?.series ?? newSeries(randomBelow),
    isHeld: () => lock.isHeld(),
    killSwitch,
    remarks,
    close() {
      turns.close();
      lock.release();
    },
  };
}

/** Throws if the directory has a ledger of an early version: its orders may still rest at the exchange. */
function refuseOldLedger(disk: Disk): void {
  if (disk.read(OLD_LEDGER) === undefined) return;
  const message = `${OLD_LEDGER} was written by an early version, in a format that is no longer read`;
  throw new UserError({
    code: 'state',
    message,
    hint: `cancel the open orders with ${PROGRAM} kill, then choose another directory with --state DIR`,
  });
}

function sessionKeyOn(disk: Disk, make: () => Uint8Array): Uint8Array {
  const stored = disk.read(SESSION_KEY);
  if (stored?.length === KEY_BYTES) return Uint8Array.from(stored);
  const made = stored === undefined ? make() : undefined;
  if (made !== undefined && disk.create(SESSION_KEY, made)) return made;
  const hint = 'move the file away, or choose another with --state DIR';
  throw new UserError({ code: 'state', message: `not a key of ${KEY_BYTES} bytes`, place: { file: SESSION_KEY }, hint });
}

/**
 * Returns a rejection line for each order that was never sent: in a process that recorded actions before sending them, a placed order with neither an
 * answer nor such a record.
 */
export function unsentIn(entries: readonly Entry[]): readonly OrderLine[] {
  const waiting = new Map<string, OrderLine>();
  const unsent: OrderLine[] = [];
  let recordsActions = false;
  const endProcess = (): void => {
    if (recordsActions) unsent.push(...waiting.values());
    waiting.clear();
    recordsActions = false;
  };
  for (const entry of entries) {
    if (entry.kind === 'process') endProcess();
    if (entry.kind === 'order' && entry.status === 'placed') waiting.set(entry.clientOrderId, entry);
    else if (entry.kind === 'order') waiting.delete(entry.clientOrderId);
    if (entry.kind !== 'sent') continue;
    recordsActions = true;
    if (entry.action === 'place' && entry.clientOrderId !== undefined) waiting.delete(entry.clientOrderId);
  }
  endProcess();
  return unsent.map((line) => ({ ...line, status: 'rejected', reason: 'NOT_SENT' }));
}
