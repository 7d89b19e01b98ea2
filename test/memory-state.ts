// A run's state in memory, with everything that was written to it.
import type { JournalLine } from '../src/bot/accounting/lines.ts';
import { type Entry, isLine, sentEntry } from '../src/bot/run/state/entries.ts';
import { type State, unsentIn } from '../src/bot/run/state/state.ts';
import { NO_STATE } from '../src/embedded/recording/no-state.ts';

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
