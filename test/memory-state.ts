// A run's state in memory, with everything that was written to it.
import type { JournalLine } from '../src/report/accounting/lines.ts';
import { type Entry, isLine, sentEntry } from '../src/run/state/entries.ts';
import { NO_STATE } from '../src/run/state/no-state.ts';
import type { State } from '../src/run/state/state.ts';
import { unsentIn } from '../src/run/state/unsent.ts';

/** `before` are the entries of earlier processes. */
export function memoryState(before: readonly Entry[] = []): State &
  Required<Pick<State, 'append'>> & {
    /** Entries of all processes. */
    readonly entries: Entry[];
    readonly lines: readonly JournalLine[];
    readonly recording: string[];
    record(text: string): void;
  } {
  const earlier = [...before, ...unsentIn(before)];
  const entries: Entry[] = [...earlier];
  const recording: string[] = [];
  return {
    ...NO_STATE,
    earlier,
    entries,
    get lines() {
      return entries.filter(isLine);
    },
    recording,
    append: (more) => void entries.push(...more),
    recordActions: (sealed) => void entries.push(...sealed.map((action) => sentEntry(action, 0))),
    record: (text) => void recording.push(text),
  };
}
