// Writes lines to a reader that may be slow or stopped: never waits, and drops lines when the buffer is full.
import { type Output, say } from '../host.ts';

export interface BoundedLines {
  /** Writes a line, passed without line end. Drops and counts the line while the buffer is full. */
  write(line: string): void;
  /** Writes a line that is never dropped: the last one of a run. */
  last(line: string): void;
}

/** Maximum size of the buffer in bytes. */
const MAX_BUFFER = 2 ** 20;

/** `dropped` returns the line that replaces the dropped lines once the reader reads again. */
export function boundedLines(output: Output, dropped: (lines: number) => string, max = MAX_BUFFER): BoundedLines {
  let missing = 0;
  const reportDropped = (): void => {
    if (missing === 0) return;
    say(output, dropped(missing));
    missing = 0;
  };
  output.on('drain', reportDropped);
  return {
    write(line) {
      if (missing > 0 || output.writableLength + line.length >= max) missing++;
      else say(output, line);
    },
    last(line) {
      reportDropped();
      say(output, line);
    },
  };
}
