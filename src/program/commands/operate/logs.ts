// `bot logs`: prints the events of a run from the file that the run writes, and follows it while the run lives.

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Millis, sleep, systemClock } from '../../../base/clock.ts';
import { UserError, unreachable } from '../../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { readNow } from '../../../bot/run/core/now.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { identityWords } from '../../monitoring/identity.ts';
import type { RunLine } from '../../monitoring/listed-run.ts';
import { EVENTS_FILE, type LoggedEvent } from '../../output/event-log.ts';
import { safeText } from '../../output/table.ts';
import { fillsWords, lineWords } from '../../output/words.ts';
import { resolveState } from '../../resolve-state.ts';
import { isRunAlive } from '../../run-alive.ts';
import { runLineOf } from '../../run-line.ts';
import type { LogsFlags } from './command.ts';

const POLL: Millis = 500;

/** Throws a UserError `run` if no run matches, or if the run has written no events. */
export async function logs(run: string | undefined, flags: LogsFlags, host: Host): Promise<ExitCode> {
  const { directory, facts } = resolveState({ run, ...flags }, 'newest', host);
  const tail = new Tail(join(directory, EVENTS_FILE));
  const print = (line: string): void => say(host.stdout, flags.json ? line : eventWords(line));
  const first = tail.beginning(flags.lines);
  if (first === undefined)
    throw new UserError({
      code: 'run',
      message: `the run ${facts.run} has written no events`,
      hint: 'it has not started to trade, or it is of an earlier version',
    });
  const alive = isRunAlive(directory);
  if (!flags.json)
    say(
      host.stderr,
      safeText(headWords(runLineOf({ directory, facts, alive, now: readNow(directory) }, { at: systemClock.now(), venues: host.venues }))),
    );
  for (const line of first) print(line);
  if (flags.follow !== true) return 0;
  const stop = new AbortController();
  host.onSignal(() => stop.abort());
  while (!stop.signal.aborted) {
    const alive = isRunAlive(directory); // checked before reading, so that the last lines are not missed
    for (const line of tail.more()) print(line);
    if (!alive) break;
    await sleep(systemClock, POLL);
  }
  return 0;
}

/** Returns which run it is and how it ended: `grid-hosted: real money, account 12; failed: …`. */
function headWords(run: RunLine): string {
  const { outcome, reason } = run;
  return `${run.run}: ${identityWords(run)}, state ${run.state}; ${outcome}${reason === undefined ? '' : `: ${reason}`}`;
}

/** Follows a file of lines that another process extends, and replaces by an empty one when it is full. */
class Tail {
  readonly #file: string;
  #inode = 0;
  #read = 0;
  #rest = '';

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns the last `count` lines, if necessary also of the previous file; undefined if there is no file. */
  beginning(count: number): readonly string[] | undefined {
    const now = this.#lines();
    if (this.#inode === 0) return undefined;
    const before = now.length < count ? new Tail(`${this.#file}.1`).#lines() : [];
    return [...before, ...now].slice(-count);
  }

  /** Returns the lines since the previous call. */
  more(): readonly string[] {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    if (stats === undefined || (stats.ino === this.#inode && stats.size === this.#read)) return [];
    if (stats.ino === this.#inode) return this.#lines();
    const old = new Tail(`${this.#file}.1`);
    [old.#inode, old.#read, old.#rest] = [this.#inode, this.#read, this.#rest];
    const missed = statSync(old.#file, { throwIfNoEntry: false })?.ino === this.#inode ? old.#lines() : [];
    [this.#inode, this.#read, this.#rest] = [0, 0, ''];
    return [...missed, ...this.#lines()];
  }

  #lines(): readonly string[] {
    let descriptor: number;
    try {
      descriptor = openSync(this.#file, 'r');
    } catch {
      return [];
    }
    try {
      const { ino, size } = fstatSync(descriptor);
      this.#inode = ino;
      const bytes = Buffer.alloc(Math.max(0, size - this.#read));
      const got = readSync(descriptor, bytes, 0, bytes.length, this.#read);
      this.#read += got;
      const parts = `${this.#rest}${bytes.toString('utf8', 0, got)}`.split('\n');
      this.#rest = parts.pop() ?? '';
      return parts;
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Returns an event as plain text. A line that cannot be parsed is returned unchanged. */
function eventWords(text: string): string {
  try {
    const event = readJson(text, JSON_LIMITS.state) as LoggedEvent;
    return safeText(`${event.at ?? ''} ${wordsOf(event)}`);
  } catch {
    return safeText(text);
  }
}

function wordsOf(event: LoggedEvent): string {
  switch (event.kind) {
    case 'start':
      return `start: run ${event.run}, seed ${event.seed}`;
    case 'ready':
      return 'ready: it may trade from now on';
    case 'resumed':
      return `trading again; it was held: ${event.reason}`;
    case 'stopping':
      return `stopping: ${event.reason}; cancelling all orders`;
    case 'summary':
      return `end: profit ${event.pnl}, ${event.orders.placed} orders placed, ${fillsWords(event)}`;
    case 'order':
    case 'fill':
    case 'correction':
    case 'unbooked':
    case 'finding':
    case 'alarm':
    case 'log':
      return lineWords(event);
    default:
      return unreachable(event);
  }
}
