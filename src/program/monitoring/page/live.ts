// The page source of a run in the same process.
import type { Clock } from '../../../base/clock.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { RunWatch } from '../watch.ts';
import type { PageSource } from './api.ts';
import { PageFeed } from './feed.ts';
import type { StatusExtras } from './status.ts';
import { EventStream } from './stream.ts';

export interface LiveOptions extends Pick<PageSource, 'why' | 'stop' | 'history'> {
  readonly watch: RunWatch;
  readonly clock: Clock;
  readonly extras?: (() => StatusExtras) | undefined;
}

export interface LiveSource extends PageSource {
  /** Call it with each turn, after the watch was updated. */
  add(turn: Turn): void;
  ended(): void;
}

/** Returns the source of a run; `add` and `ended` feed it. */
export function liveSource({ watch, clock, extras, why, stop, history }: LiveOptions): LiveSource {
  const stream = new EventStream(clock);
  const feed = new PageFeed({ watch, emit: (event) => stream.emit(event), extras });
  return {
    stream,
    state: () => feed.state({ seq: stream.seq, now: clock.now(), control: stop !== undefined }),
    why,
    stop,
    history,
    add: (turn) => feed.add(turn),
    ended() {
      feed.end();
      stream.flush();
    },
  };
}
