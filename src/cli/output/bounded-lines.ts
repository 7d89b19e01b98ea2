// Writes lines to a reader that may be slow or may not read at all: writing never waits, and the buffer is bounded.
import { type Output, say } from '../host.ts';

export interface BoundedLines {
  /** Writes one line, given without its line end. Drops and counts it while the buffer is full. */
  write(line: string): void;
  /** Writes a line that is never dropped: the last one of a run. */
  last(line: string): void;
}

/** Largest buffer in bytes; further lines are dropped. */
const MOST_WAITING = 2 ** 20;

/** `dropped` makes the line that reports how many lines were dropped; it is written in their place as soon as the reader reads again. */
export function boundedLines(output: Output, dropped: (lines: number) => string, most = MOST_WAITING): BoundedLines {
  let missing = 0;
  const reportDropped = (): void => {
    if (missing === 0) return;
    say(output, dropped(missing));
    missing = 0;
  };
  output.on('drain', reportDropped);
  return {
    write(line) {
      if (missing > 0 || output.writableLength + line.length >= most) missing++;
      else say(output, line);
    },
    last(line) {
      reportDropped();
      say(output, line);
    },
  };
}
