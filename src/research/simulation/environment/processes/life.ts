// The life of one process of the bot: its clock, its connection and its disk, which all stop at the moment of its death.
import { type Cancel, type Clock, MachineClock, type Millis } from '../../../../base/clock.ts';
import type { Disk } from '../../../../base/files/disk.ts';
import type { Dial, HttpReply, HttpRequest, Socket, Transport } from '../../../../base/transport/transport.ts';

/** Thrown out of a call during which the process dies. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** A call through which the process reaches the outside; calls are numbered, and each is a point of crash injection. */
export interface PortCall {
  /** From 1, in this life. */
  readonly index: number;
  readonly name: 'request' | 'reply' | keyof Disk;
  readonly request?: HttpRequest | undefined;
}

export interface LifeOptions {
  readonly clock: Clock;
  /** How far its clock is ahead of the simulation's. */
  readonly clockOffset: () => Millis;
  readonly transport: Transport;
  /** If it may listen to the websocket of the exchange. */
  readonly dialStreams?: ((path: string) => Dial) | undefined;
  readonly disk: Disk;
  /** True if the process dies, before or after the call is carried out. */
  readonly dies: (call: PortCall, moment: 'before' | 'after') => boolean;
  /** Called with errors that nothing in the process caught. */
  readonly onBug: (thrown: unknown) => void;
}

export class Life {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly disk: Disk;
  readonly dialStreams: ((path: string) => Dial) | undefined;
  readonly #options: LifeOptions;
  #alive = true;
  #calls = 0;
  #timers = 0;
  #requests = 0;
  #mostTimers = 0;
  #mostRequests = 0;
  /** Until then its timers and replies wait: the event loop was blocked, or the machine sleeps. */
  #pausedUntil: Millis = 0;
  #wallStep: Millis = 0;
  readonly #sockets = new Set<Socket>();
  /** In the simulation's time. */
  readonly #sleeps: { readonly from: Millis; readonly until: Millis }[] = [];

  constructor(options: LifeOptions) {
    this.#options = options;
    this.clock = new MachineClock({
      monotonic: () => this.monotonic(),
      wall: () => options.clock.now() + options.clockOffset() + this.#wallStep,
      uptime: () => options.clock.now(),
      wait: (span, run) => this.#wait(span, run),
      soon: (run) => this.#wait(0, run),
    });
    this.transport = {
      request: (request, limits) => this.#request(request, limits),
      reset: (reason) => this.#alive && options.transport.reset?.(reason),
      renew: () => this.#alive && options.transport.renew?.(),
      close: () => Promise.resolve(),
    };
    this.disk = this.#diskOver(options.disk);
    const { dialStreams } = options;
    this.dialStreams = dialStreams && ((path) => this.#dialFor(dialStreams(path)));
  }

  get alive(): boolean {
    return this.#alive;
  }

  get calls(): number {
    return this.#calls;
  }

  /** The most that were pending at one time. */
  get most(): { readonly timers: number; readonly requests: number } {
    return { timers: this.#mostTimers, requests: this.#mostRequests };
  }

  die(): void {
    this.#alive = false;
    for (const socket of this.#sockets) socket.close();
    this.#sockets.clear();
  }

  /** Dials for this process: the socket is closed when it dies, and frames wait while it pauses. */
  #dialFor(dial: Dial): Dial {
    return ({ opened, message, closed }) => {
      const socket = dial({
        opened: () => this.wake(opened),
        message: (text) => this.wake(() => message(text)),
        closed: (reason) => this.wake(() => closed(reason)),
      });
      this.#sockets.add(socket);
      return {
        send: (text) => this.#alive && socket.send(text),
        close: () => {
          this.#sockets.delete(socket);
          socket.close();
        },
      };
    };
  }

  pauseUntil(when: Millis): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, when);
  }

  /** The machine sleeps: its timers and replies wait, and its monotonic clock stands still. */
  sleepUntil(when: Millis): void {
    const now = this.#options.clock.now();
    this.pauseUntil(when);
    const from = Math.max(now, ...this.#sleeps.map(({ until }) => until));
    if (when > from) this.#sleeps.push({ from, until: when });
  }

  /** Sets the wall clock, forward or back. */
  stepWallClock(by: Millis): void {
    this.#wallStep += by;
  }

  /** Stands still while the machine sleeps. */
  monotonic(): Millis {
    const now = this.#options.clock.now();
    let slept = 0;
    for (const { from, until } of this.#sleeps) slept += Math.max(0, Math.min(until, now) - from);
    return now - slept;
  }

  /** Runs `run` in this process, now or when its pause is over; never when it is dead. */
  wake(run: () => void): void {
    if (!this.#alive) return;
    const { clock } = this.#options;
    if (clock.now() < this.#pausedUntil) return void clock.at(this.#pausedUntil, () => this.wake(run));
    try {
      run();
    } catch (thrown) {
      if (!(thrown instanceof Killed)) this.#options.onBug(thrown);
    }
  }

  /** By the monotonic clock. */
  #wait(span: Millis, run: () => void): Cancel {
    this.#mostTimers = Math.max(this.#mostTimers, ++this.#timers);
    const due = this.monotonic() + span;
    let pending = true;
    const done = (): void => {
      if (pending) this.#timers--;
      pending = false;
    };
    let cancel: Cancel;
    const wait = (): void => {
      const { clock } = this.#options;
      // The other order of the sum may round it down to now, again and again.
      cancel = clock.at(clock.now() + (due - this.monotonic()), () =>
        this.wake(() => {
          if (!pending) return;
          if (this.monotonic() < due) return wait(); // the machine has slept
          done();
          run();
        }),
      );
    };
    wait();
    return () => {
      done();
      cancel();
    };
  }

  #request(request: HttpRequest, limits: { timeoutMs: Millis; maxBytes: number }): Promise<HttpReply> {
    return new Promise((resolve, reject) => {
      if (!this.#lives({ name: 'request', request }, 'before')) return;
      this.#mostRequests = Math.max(this.#mostRequests, ++this.#requests);
      const answered =
        <T>(settle: (value: T) => void) =>
        (value: T): void =>
          this.wake(() => {
            this.#requests--;
            if (!this.#lives({ name: 'reply', request }, 'before')) return;
            settle(value);
          });
      this.#options.transport.request(request, limits).then(answered(resolve), answered(reject));
      this.#lives({ name: 'request', request }, 'after');
    });
  }

  /** Returns false if the process is dead by then. A call counts once, before it is carried out. */
  #lives({ name, request }: Omit<PortCall, 'index'>, moment: 'before' | 'after'): boolean {
    if (!this.#alive) return false;
    if (moment === 'before') this.#calls++;
    if (this.#options.dies({ index: this.#calls, name, request }, moment)) this.die();
    return this.#alive;
  }

  #diskOver(disk: Disk): Disk {
    const change = <Args extends readonly unknown[], T>(name: keyof Disk, run: (...args: Args) => T): ((...args: Args) => T) => {
      return (...args) => {
        if (!this.#lives({ name }, 'before')) throw new Killed();
        const result = run(...args);
        if (!this.#lives({ name }, 'after')) throw new Killed();
        return result;
      };
    };
    return {
      read: (file) => (this.#alive ? disk.read(file) : dead()),
      size: (file) => (this.#alive ? disk.size(file) : dead()),
      list: () => (this.#alive ? disk.list() : dead()),
      append: change('append', (file, bytes) => disk.append(file, bytes)),
      sync: change('sync', (file) => disk.sync(file)),
      create: change('create', (file, bytes) => disk.create(file, bytes)),
      replace: change('replace', (file, bytes) => disk.replace(file, bytes)),
      overwrite: change('overwrite', (file, at, bytes) => disk.overwrite(file, at, bytes)),
      remove: change('remove', (file) => disk.remove(file)),
    };
  }
}

function dead(): never {
  throw new Killed();
}
