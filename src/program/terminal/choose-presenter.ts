// Chooses how a run is shown and where its log goes: JSON lines with --json, a live view on a terminal, else plain lines.
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import type { AdapterLog } from '../../bot/exchange/port.ts';
import { lineText } from '../../bot/strategy/log.ts';
import { type Host, type Output, say } from '../host.ts';
import { withEventLog } from '../output/event-log.ts';
import { jsonPresenter } from '../output/json.ts';
import { boundedLines, plainPresenter } from '../output/plain.ts';
import type { Presenter, ShownFacts } from '../output/presenter.ts';
import { droppedWords, logWords } from '../output/words.ts';
import { boundedLog } from '../process/log-file.ts';
import { logTo } from '../process/logs.ts';
import { livePresenter } from './live.ts';

/** Pino's number for the level `warn`. */
const WARN = 40;

export interface Presentation {
  readonly presenter: Presenter;
  readonly log: AdapterLog;
  /** Log for urgent messages: writes to the log and to the alarms of a live view. */
  readonly urgent: AdapterLog;
  /** Shows a console line if writing to standard output would disturb the display; absent if it would not. */
  readonly console?: ((text: string) => void) | undefined;
}

/** Returns how a run is shown, and its log. Events are also written to events.jsonl. */
export function presentationOf(shown: { facts: ShownFacts; json: boolean }, host: Host): Presentation {
  const presentation = shownBy(shown, host);
  return { ...presentation, presenter: withEventLog(presentation.presenter, shown.facts) };
}

function shownBy({ facts, json }: { facts: ShownFacts; json: boolean }, host: Host): Presentation {
  const { stdout, stderr, env } = host;
  if (!json && stdout.isTTY === true && env['TERM'] !== 'dumb') return livePresentation(facts, host);
  const log = logOf(stderr, json ? (line) => line : logWords);
  if (json) return { presenter: jsonPresenter(host, facts), log, urgent: log, console: (text) => say(stderr, text) };
  return { presenter: plainPresenter(stdout, facts), log, urgent: log };
}

/** Shows the run in a live view, and writes the log to a file. */
function livePresentation(facts: ShownFacts, host: Host): Presentation {
  const presenter = livePresenter(host, facts);
  const log = logTo(boundedLog(join(facts.state, 'bot.log')));
  const warn = (text: string): void => {
    log.warn(text);
    presenter.warn(text);
  };
  const showConsoleLine = (text: string): void =>
    presenter.line({ kind: 'log', at: timeText(systemClock.now()), level: 'info', text: lineText(text) });
  return { presenter, log, urgent: { info: (text) => log.info(text), warn }, console: showConsoleLine };
}

/** Returns the log on standard error, with a bounded buffer because the reader may be slow; `words` formats a line of pino. */
function logOf(stderr: Output, words: (line: string) => string): AdapterLog {
  const lines = boundedLines(stderr, (count) =>
    words(JSON.stringify({ level: WARN, time: timeText(systemClock.now()), msg: droppedWords(count) })),
  );
  return logTo({ write: (line) => lines.write(words(line.trimEnd())) });
}
