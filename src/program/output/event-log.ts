// events.jsonl: the events of a run as JSON lines in its state directory, for `bot logs` and for people; bounded, and not synced.
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Line } from '../../bot/accounting/lines.ts';
import type { Summary } from '../../bot/accounting/summary.ts';
import { boundedLog } from '../process/log-file.ts';
import { jsonFormOf } from './json.ts';
import type { Presenter, ShownFacts } from './presenter.ts';

/** The current file; older events are in `events.jsonl.1` beside it. */
export const EVENTS_FILE = 'events.jsonl';

/** One line of the file. */
export type LoggedEvent =
  | { readonly kind: 'start'; readonly at: string; readonly run: string; readonly seed: string }
  | { readonly kind: 'ready'; readonly at: string }
  | { readonly kind: 'resumed'; readonly at: string; readonly reason: string }
  | { readonly kind: 'stopping'; readonly at: string; readonly reason: string }
  | ({ readonly at?: string } & Summary)
  | Line;

const nowText = (): string => timeText(systemClock.now());

/** Wraps a presenter so that events are also written to the file. */
export function withEventLog(presenter: Presenter, { state, run, seed }: Pick<ShownFacts, 'state' | 'run' | 'seed'>): Presenter {
  const log = boundedLog(join(state, EVENTS_FILE));
  const write = (event: object): void => log.write(`${JSON.stringify(event)}\n`);
  return {
    everyMs: presenter.everyMs,
    opening() {
      write({ kind: 'start', at: nowText(), run, seed });
      presenter.opening();
    },
    served: (what, url) => presenter.served(what, url),
    ...(presenter.follow && { follow: (watch, extras) => presenter.follow?.(watch, extras) }),
    begin: (trading) => presenter.begin(trading),
    ready(at) {
      write({ kind: 'ready', at });
      presenter.ready(at);
    },
    resumed(at, reason) {
      write({ kind: 'resumed', at, reason });
      presenter.resumed(at, reason);
    },
    line(line) {
      write(jsonFormOf(line));
      presenter.line(line);
    },
    stopping(at, reason) {
      write({ kind: 'stopping', at, reason });
      presenter.stopping(at, reason);
    },
    update: () => presenter.update(),
    end(outcome) {
      write({ at: nowText(), ...outcome.summary });
      presenter.end(outcome);
    },
  };
}
