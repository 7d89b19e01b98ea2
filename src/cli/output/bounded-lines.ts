// Lines for a reader who may be slow, or read nothing at all: writing never waits, and what waits for the reader stays below a bound.
import { type Output, say } from '../host.ts';

export interface BoundedLines {
  /** One line, without its end. Dropped and counted while too much waits for the reader. */
  write(line: string): void;
  /** A line that is never dropped: the last one of a run. */
  last(line: string): void;
}

/** Bytes that wait for the reader at most; lines are dropped beyond. */
const MOST_WAITING = 2 ** 20;

/** `dropped` is the line that tells of so many dropped lines; it is written where they are missing, as soon as the reader takes lines again. */
export function boundedLines(output: Output, dropped: (lines: number) => string, most = MOST_WAITING): BoundedLines {
  let missing = 0;
  const tell = (): void => {
    if (missing === 0) return;
    say(output, dropped(missing));
    missing = 0;
  };
  output.on('drain', tell);
  return {
    write(line) {
      if (missing > 0 || output.writableLength + line.length >= most) missing++;
      else say(output, line);
    },
    last(line) {
      tell();
      say(output, line);
    },
  };
}
