// A run as JSON lines: one object per line on standard output, and nothing else. If the reader is too slow, lines are dropped and counted.
import { systemClock } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Line } from '../../bot/accounting/lines.ts';
import type { Trading } from '../../bot/run/core/trading.ts';
import { type Host, say } from '../host.ts';
import { boundedLines } from './plain.ts';
import type { Presenter, ShownFacts } from './presenter.ts';
import { openWords } from './words.ts';

/** Returns the presenter of `--json`. */
export function jsonPresenter({ stdout, stderr }: Pick<Host, 'stdout' | 'stderr'>, facts: ShownFacts): Presenter {
  let trading: Trading | undefined;
  const lines = boundedLines(stdout, (count) => JSON.stringify({ kind: 'dropped', at: timeText(systemClock.now()), lines: count }));
  const write = (value: object): void => lines.write(JSON.stringify(value));
  return {
    everyMs: 1_000,
    opening: () => say(stderr, `run ${facts.run}, seed ${facts.seed}, state in ${facts.state}`),
    served: (kind, url) => write({ kind, url }),
    begin(started) {
      trading = started;
    },
    ready: (at) => write({ kind: 'ready', at, ...facts }),
    line: (line) => write(jsonFormOf(line)),
    resumed: () => undefined,
    stopping(at, reason) {
      write({ kind: 'stopping', at, reason });
      say(stderr, `stopping: ${reason}; cancelling all orders`);
    },
    update() {
      if (trading !== undefined) write(trading.status());
    },
    end(outcome) {
      if (outcome.open.length > 0) say(stderr, openWords(outcome.open));
      lines.last(JSON.stringify(outcome.summary));
    },
  };
}

/**
 * Converts a line to its JSON form. A gate's verdict `hold` becomes `refuse`, so that scripts need not know gates: a gate that holds a market refuses every
 * new order in it. The fields of a log line are placed beside its text.
 */
export function jsonFormOf(line: Line): object {
  if (line.kind === 'finding' && line.verdict === 'hold') return { ...line, verdict: 'refuse' };
  if (line.kind !== 'log') return line;
  const { fields, ...rest } = line;
  return { ...rest, ...fields };
}
