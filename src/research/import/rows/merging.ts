// Merges the messages of several files by time of receipt, whether the files follow each other or overlap in time.
import type { Stamp } from '../../../embedded/rows/rows.ts';
import type { FeedMessage } from '../formats/feed-message.ts';
import type { RecordingInput } from '../formats/input.ts';
import { type ReadingOptions, reading } from '../formats/reading.ts';

export interface MergingOptions extends Pick<ReadingOptions, 'from' | 'onRead' | 'options'> {
  readonly files: readonly { readonly input: RecordingInput; readonly begins: Stamp }[];
}

/** Yields messages in order of receipt. Opens each file when its first message is due, and holds one piece of each open file. */
export async function* merging({ files, from, onRead, options }: MergingOptions): AsyncGenerator<readonly FeedMessage[]> {
  // The source with the earliest next message yields all its messages up to the time of the next one of the other sources, that time included.
  let sources = files.map(({ input, begins }) => createSource(input, { begins, from, onRead, options }));
  try {
    for (;;) {
      const [first, second] = sources.toSorted((a, b) => a.next() - b.next());
      if (first === undefined) return;
      const messages = first.take(second?.next() ?? Number.POSITIVE_INFINITY);
      if (messages.length > 0) yield messages;
      else if (!(await first.read())) sources = sources.filter((source) => source !== first);
    }
  } finally {
    for (const source of sources) await source.close();
  }
}

interface Source {
  /** Time of receipt of the next message; the beginning of the file while it is not open. */
  next(): Stamp;
  /** Removes and returns the messages held up to that time of receipt. */
  take(until: Stamp): readonly FeedMessage[];
  /** Reads another piece; false at the end of the file. */
  read(): Promise<boolean>;
  close(): Promise<void>;
}

function createSource(
  input: RecordingInput,
  { begins, from, onRead, options }: { begins: Stamp } & Pick<ReadingOptions, 'from' | 'onRead' | 'options'>,
): Source {
  let buffered: FeedMessage[] = [];
  let newest = begins;
  const emit = (message: FeedMessage): void => void buffered.push(message);
  const pieces = reading(input, { from, listener: { emit, symbol: () => undefined }, onRead, options });
  return {
    next: () => buffered[0]?.received ?? newest,
    take(until) {
      const after = buffered.findIndex(({ received }) => received > until);
      const taken = after < 0 ? buffered : buffered.slice(0, after);
      buffered = after < 0 ? [] : buffered.slice(after);
      newest = taken.at(-1)?.received ?? newest;
      return taken;
    },
    read: async () => (await pieces.next()).done !== true,
    close: async () => void (await pieces.return(undefined)),
  };
}
