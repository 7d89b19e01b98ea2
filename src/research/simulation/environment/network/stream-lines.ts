// The lines between the websocket of the exchange and the processes: they lose, repeat, swap, hold up and cut frames, fall silent, and end.
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { Rng } from '../../../../base/rng.ts';
import type { Dial, HttpRequest, SocketListener } from '../../../../base/transport/transport.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import type { Options } from '../../plan/options.ts';
import type { FrameListener, StreamConnection } from '../exchange/stream-server.ts';

/** The websocket at the exchange's end. */
export interface StreamSource {
  /** Returns undefined if nothing listens there. */
  open(path: string, listener: FrameListener): StreamConnection | undefined;
  /** The exchange has answered a request. */
  answered(request: HttpRequest): void;
}

interface StreamLinesOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly faults: FaultBox;
  readonly latency: Options['latency'];
  readonly streams: StreamSource;
}

export class StreamLines {
  readonly #options: StreamLinesOptions;
  readonly #lines = new Set<Line>();

  constructor(options: StreamLinesOptions) {
    this.#options = options;
    const { clock, faults } = options;
    for (const fault of faults.of('lineCut'))
      clock.at(clock.now() + fault.from, () => {
        faults.strike(fault);
        this.#cut();
      });
  }

  readonly dial =
    (path: string): Dial =>
    (listener) => {
      const line = new Line(path, { ...this.#options, listener });
      this.#lines.add(line);
      return {
        send: (text) => line.send(text),
        close: () => {
          line.close();
          this.#lines.delete(line);
        },
      };
    };

  #cut(): void {
    for (const line of this.#lines) line.end('the connection was cut');
    this.#lines.clear();
  }
}

interface LineOptions extends StreamLinesOptions {
  readonly listener: SocketListener;
}

class Line {
  readonly #options: LineOptions;
  #connection: StreamConnection | undefined;
  #isOver = false;
  /** When each direction is free for the next frame: the frames of a direction come in order. */
  readonly #free = { in: 0, out: 0 };
  /** A frame that comes after the next one. */
  #held: string | undefined;

  constructor(path: string, options: LineOptions) {
    this.#options = options;
    this.#later(() => this.#connect(path));
  }

  send(text: string): void {
    if (!this.#isSilent) this.#later(() => this.#connection?.receive(text), { direction: 'out' });
  }

  close(): void {
    this.#isOver = true;
    this.#connection?.close();
  }

  end(reason: string): void {
    const { clock, listener } = this.#options;
    if (this.#isOver) return;
    this.close();
    clock.at(clock.now() + 1, () => listener.closed(reason));
  }

  #connect(path: string): void {
    const { streams, listener } = this.#options;
    if (this.#isSilent) return; // the process gives up by itself
    this.#connection = streams.open(path, { frame: (text) => this.#frameReceived(text), lost: () => this.end('the exchange is down') });
    if (this.#connection === undefined) this.end('connection refused');
    else this.#later(listener.opened);
  }

  #frameReceived(text: string): void {
    const { faults, listener } = this.#options;
    if (this.#isSilent || faults.hit('frameLost') !== undefined) return;
    if (this.#held === undefined && faults.hit('frameSwapped') !== undefined) {
      this.#held = text;
      return;
    }
    const late = faults.hit('frameLate');
    const texts = this.#held === undefined ? [text] : [text, this.#held];
    this.#held = undefined;
    if (faults.hit('frameRepeated') !== undefined) texts.push(text);
    const cut = faults.hit('frameCut');
    const shown = cut === undefined ? texts : [text.slice(0, faults.rng(cut).below(text.length))];
    for (const one of shown)
      this.#later(() => listener.message(one), { wait: late === undefined ? 0 : faults.rng(late).exponential(late.amount ?? 0) });
  }

  get #isSilent(): boolean {
    const { faults } = this.#options;
    return faults.hit('lineSilent') !== undefined || faults.on('partition', 'book') !== undefined;
  }

  #later(act: () => void, { wait = 0, direction = 'in' }: { wait?: Millis; direction?: 'in' | 'out' } = {}): void {
    const { clock, rng, latency } = this.#options;
    const hop = (latency.leastMs + rng.exponential(latency.meanMs)) / 2;
    this.#free[direction] = Math.max(this.#free[direction], clock.now() + Math.round(hop + wait));
    clock.at(this.#free[direction], () => this.#isOver || act());
  }
}
