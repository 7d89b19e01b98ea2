// The page source of a run of another process: reads the run's recording, with a delay of about two seconds.

import type { Cancel, Clock, Millis } from '../../../base/clock.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import { readHeader } from '../../../bot/run/state/turn-recording.ts';
import type { RunWatch } from '../watch.ts';
import type { PageSource } from './api.ts';
import { PageFeed } from './feed.ts';
import { modeOf, type ShownRecording, watchOf } from './recorded.ts';
import { EventStream } from './stream.ts';
import { RecordingTail } from './tail.ts';

const POLL: Millis = 500;
/** Interval of the checks that the process of the run is alive. */
const ALIVE_CHECK: Millis = 5_000;
/**
 * If a recording begins this much later than its run, its first turns are lost, and with them perhaps those that set the mode. The mode of the kill switch is
 * then used.
 */
const MISSING_START: Millis = 5_000;
/** Maximum delay: a run buffers turns for two seconds before it writes them, then POLL. */
const DELAY: Millis = 2_500;

export interface FollowedOptions extends Pick<PageSource, 'why' | 'stop' | 'history'> {
  readonly run: ShownRecording & { readonly directory: string };
  readonly clock: Clock;
  readonly isAlive: () => boolean;
}

export interface FollowedSource extends PageSource {
  /** Reads new turns; returns false if nothing was recorded yet. */
  refresh(): boolean;
  /** True once the run has ended and all of it was shown. */
  hasEnded(): boolean;
}

interface Shown {
  readonly watch: RunWatch;
  readonly feed: PageFeed;
}

/** Returns the source. It polls the recording while a page is open. */
export function followedSource({ run, clock, isAlive, why, stop, history }: FollowedOptions): FollowedSource {
  const stream = new EventStream(clock);
  const tail = new RecordingTail(run.directory);
  let shown: Shown | undefined;
  let processEnded = false;
  let endSent = false;
  let checkedAt = -Infinity;
  let polling: Cancel | undefined;

  const refresh = (): boolean => {
    const now = clock.now();
    if (!processEnded && now >= checkedAt + ALIVE_CHECK) {
      processEnded = !isAlive();
      checkedAt = now;
    }
    const { isNew, lines } = tail.read(processEnded);
    const [first] = lines;
    if (isNew && first !== undefined) {
      shown = begin(first, lines[1], { run, stream });
      stream.reset();
    }
    if (shown === undefined) return false;
    for (const line of lines) addLine(line, shown);
    if (processEnded && lines.length === 0 && !endSent) {
      endSent = true;
      shown.feed.end();
    }
    stream.flush();
    return true;
  };
  const poll = (): void => {
    polling = undefined;
    refresh();
    if (stream.clients > 0 && !processEnded) polling = clock.at(clock.now() + POLL, poll);
  };
  return {
    stream,
    why,
    stop,
    history,
    refresh,
    hasEnded: () => endSent,
    state() {
      polling ??= clock.at(clock.now() + POLL, poll);
      if (shown === undefined) throw new Error('nothing was recorded yet');
      return { ...shown.feed.state({ seq: stream.seq, now: clock.now(), control: stop !== undefined }), delayMs: DELAY };
    },
  };
}

/** Starts a watch and a feed from the header of a recording and its first turn. */
function begin(head: string, first: string | undefined, { run, stream }: { run: FollowedOptions['run']; stream: EventStream }): Shown {
  const header = readHeader(head);
  const from = first === undefined ? header.startedAt : (readJson(first, JSON_LIMITS.state) as Turn).at;
  const watch = watchOf(header, run, from);
  const { mode, cause } = modeOf(run.directory);
  if (from > header.startedAt + MISSING_START) watch.setMode({ mode, reason: cause?.reason ?? '' });
  return { watch, feed: new PageFeed({ watch, emit: (event) => stream.emit(event) }) };
}

/** Ignores headers, with which every segment begins. */
function addLine(line: string, { watch, feed }: Shown): void {
  if (line.startsWith('{"kind":"recording"')) return;
  const turn = readJson(line, JSON_LIMITS.state) as Turn;
  watch.add(turn);
  feed.add(turn);
}
