// A run as plain lines: time, event and reason, without colour or cursor codes.
import { systemClock } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Trading } from '../../bot/run/core/trading.ts';
import { type Output, say } from '../host.ts';
import { exchangeWords } from '../monitoring/identity.ts';
import type { Presenter, ShownFacts } from './presenter.ts';
import { droppedWords, lineWords, outcomeWords, servedWords, statusWords } from './words.ts';

/** Returns the presenter for an output that is no terminal. */
export function plainPresenter(stdout: Output, facts: ShownFacts): Presenter {
  let trading: Trading | undefined;
  const lines = boundedLines(stdout, (count) => `${timeText(systemClock.now())} ${droppedWords(count)}`);
  const write = (at: string, text: string): void => lines.write(`${at} ${text}`);
  return {
    everyMs: 10_000,
    opening: () => write(timeText(systemClock.now()), `start: run ${facts.run}, seed ${facts.seed}, state in ${facts.state}`),
    served(what, url) {
      // The addresses of signals are printed to stderr when the inputs are opened.
      if (what !== 'signals') write(timeText(systemClock.now()), servedWords(what, url));
    },
    begin(started) {
      trading = started;
    },
    ready: (at) => write(at, `ready: ${facts.strategy} trades ${facts.markets.join(', ')} on ${exchangeWords(facts)}`),
    // A fill has the exchange's time, which is before its turn. The turn's time is printed, so that the lines are in order.
    line: (line) => write(line.kind === 'fill' && trading !== undefined ? timeText(trading.run.world.now) : line.at, lineWords(line)),
    resumed: (at, reason) => write(at, `trading again; it was held: ${reason}`),
    stopping: (at, reason) => write(at, `stopping: ${reason}; cancelling all orders`),
    update() {
      const status = trading?.status();
      if (status !== undefined) write(status.at, statusWords(status));
    },
    end: (outcome) => lines.last(outcomeWords(outcome, facts)),
  };
}

interface BoundedLines {
  /** Writes a line, passed without line end. If the buffer is full, drops and counts it, and all later ones until the output has drained. */
  write(line: string): void;
  /** Writes a line that is never dropped: the last one of a run. */
  last(line: string): void;
}

/** Maximum size of the buffer in bytes. */
const MAX_BUFFER = 2 ** 20;

/**
 * Writes lines to a reader that may be slow or stopped: never waits, and drops lines while the buffer is full. `dropped` returns the line that replaces the
 * dropped lines once the reader reads again.
 */
export function boundedLines(output: Output, dropped: (lines: number) => string, max = MAX_BUFFER): BoundedLines {
  let droppedLines = 0;
  const reportDropped = (): void => {
    if (droppedLines === 0) return;
    say(output, dropped(droppedLines));
    droppedLines = 0;
  };
  output.on('drain', reportDropped);
  return {
    write(line) {
      if (droppedLines > 0 || output.writableLength + line.length >= max) droppedLines++;
      else say(output, line);
    },
    last(line) {
      reportDropped();
      say(output, line);
    },
  };
}
