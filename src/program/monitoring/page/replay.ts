// The page source of a recording: replays its turns at the recorded speed or faster, from any time.

import type { Cancel, Clock, Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import { readHeader } from '../../../bot/run/state/turn-recording.ts';
import type { RunWatch } from '../watch.ts';
import type { PageSource } from './api.ts';
import type { PageReplay, ReplayMove } from './contract.ts';
import { type NewEvent, PageFeed } from './feed.ts';
import { type ShownRecording, watchOf } from './recorded.ts';
import { EventStream } from './stream.ts';

/** Time between two steps of a replay that plays. */
const STEP: Millis = 100;

export interface ReplayOptions extends Pick<PageSource, 'why' | 'history'> {
  /** The lines of the recording, headers included. */
  readonly lines: readonly string[];
  readonly run: ShownRecording;
  readonly clock: Clock;
  /** Start at the end of the recording. Default: at its beginning. */
  readonly at?: 'end' | undefined;
}

/** Throws a UserError if the recording has no turn. */
export function replaySource({ lines, run, clock, why, at, history }: ReplayOptions): PageSource {
  const replay = new Replay({ lines, run, clock });
  replay.move({ at: at === 'end' ? Infinity : -Infinity });
  return { stream: replay.stream, why, history, state: () => replay.state(), move: (move) => replay.move(move) };
}

const noTurn = (): UserError =>
  new UserError({
    code: 'recording',
    message: 'the recording has no turn',
    hint: 'choose another recording; a run that never traded has none',
  });

class Replay {
  readonly stream: EventStream;
  readonly #clock: Clock;
  readonly #run: ShownRecording;
  readonly #head: string;
  readonly #turns: readonly string[];
  /** The times of the turns. */
  readonly #times: readonly Millis[];
  #shown: { readonly watch: RunWatch; readonly feed: PageFeed };
  /** Index of the next turn to play. */
  #next = 0;
  /** The time that is shown. */
  #at: Millis;
  #speed = 1;
  #timer: Cancel | undefined;
  /** True while turns are played without emitting events. */
  #isSilent = false;

  constructor({ lines, run, clock }: Pick<ReplayOptions, 'lines' | 'run' | 'clock'>) {
    const [head, first] = lines;
    if (head === undefined || first === undefined) throw noTurn();
    this.#clock = clock;
    this.#run = run;
    this.#head = head;
    this.#turns = lines.filter((line) => !line.startsWith('{"kind":"recording"'));
    this.#times = this.#turns.map(timeOf);
    this.#at = this.#from;
    this.stream = new EventStream(clock);
    this.#shown = this.#restart();
  }

  move({ at, speed, playing }: ReplayMove): void {
    if (at !== undefined) this.#seek(Math.min(this.#to, Math.max(this.#from, at)));
    if (speed !== undefined) this.#speed = speed;
    if (playing === true && this.#at >= this.#to) this.#seek(this.#from);
    if (playing === true) this.#timer ??= this.#nextStep();
    else if (playing === false) this.#pause();
    this.#emit({ kind: 'replay', ...this.#progress() });
    this.stream.flush();
  }

  state() {
    const { stream } = this;
    return { ...this.#shown.feed.state({ seq: stream.seq, now: this.#at, control: false }), replay: this.#progress() };
  }

  get #from(): Millis {
    return this.#times[0] ?? 0;
  }

  get #to(): Millis {
    return this.#times.at(-1) ?? 0;
  }

  #progress(): PageReplay {
    return { from: this.#from, to: this.#to, at: this.#at, speed: this.#speed, playing: this.#timer !== undefined };
  }

  /** Goes back to the beginning: returns a watch and a feed without turns. */
  #restart() {
    this.#next = 0;
    const watch = watchOf(readHeader(this.#head), this.#run, this.#from);
    return { watch, feed: new PageFeed({ watch, emit: (event) => this.#emit(event) }) };
  }

  #emit(event: NewEvent): void {
    if (!this.#isSilent) this.stream.emit(event);
  }

  /** Plays to a time without emitting events; then every page loads the state again. */
  #seek(at: Millis): void {
    this.#isSilent = true;
    try {
      if (at < this.#at) this.#shown = this.#restart();
      this.#playTo(at);
    } finally {
      this.#isSilent = false;
    }
    this.stream.reset();
  }

  #playTo(at: Millis): void {
    const { watch, feed } = this.#shown;
    for (let next = this.#times[this.#next]; next !== undefined && next <= at; next = this.#times[this.#next]) {
      const turn = readJson(this.#turns[this.#next] ?? '', JSON_LIMITS.state) as Turn;
      this.#next += 1;
      watch.add(turn);
      feed.add(turn);
    }
    this.#at = at;
  }

  /** Starts the timer of the next step, and returns its cancel. Each step starts the timer of the one after it, until the recording ends. */
  #nextStep(): Cancel {
    return this.#clock.at(this.#clock.now() + STEP, () => {
      this.#playTo(Math.min(this.#to, this.#at + STEP * this.#speed));
      this.#timer = this.#at < this.#to ? this.#nextStep() : undefined;
      if (this.#timer !== undefined) return;
      this.#shown.feed.catchUp();
      this.#emit({ kind: 'replay', ...this.#progress() });
    });
  }

  #pause(): void {
    this.#timer?.();
    this.#timer = undefined;
  }
}

/** Returns the time of a turn from its first field, without parsing the rest. */
function timeOf(line: string): Millis {
  const found = /^\{"at":(\d+(?:\.\d+)?),/.exec(line)?.[1];
  if (found !== undefined) return Number(found);
  throw new UserError({ code: 'recording', message: 'a line of the recording is not a turn' });
}
