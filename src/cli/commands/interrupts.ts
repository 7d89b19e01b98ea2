// All that may ask a run to stop from outside: a person, a supervisor, a reader who has gone, a mistake of ours.
import type { Run } from '../../run/run.ts';
import type { Host } from '../host.ts';

export class Interrupts {
  /** Settles with the first request. */
  readonly asked: Promise<void>;
  readonly #host: Host;
  #settle: () => void = () => undefined;
  #reason: string | undefined;
  #run: Run | undefined;
  #bug: { readonly thrown: unknown } | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.asked = new Promise((resolve) => {
      this.#settle = resolve;
    });
    host.onSignal(({ name, again }) => (again && name !== 'SIGHUP' ? this.#endNow() : this.#ask(name === 'SIGINT' ? 'Ctrl-C' : name)));
    host.onUncaught((thrown) => this.bug(thrown));
    host.stdout.once('error', () => this.#ask('nobody reads the output any more'));
  }

  /** The first mistake of ours that was told. */
  get firstBug(): { readonly thrown: unknown } | undefined {
    return this.#bug;
  }

  bug(thrown: unknown): void {
    this.#bug ??= { thrown };
    this.#ask('a mistake in the program');
  }

  /** Requests, earlier ones too, stop this run from now until it has ended. */
  stops(run: Run): void {
    this.#run = run;
    void run.done.then(() => {
      this.#run = undefined;
    });
    if (this.#reason !== undefined) this.#ask(this.#reason);
  }

  /** However often, this stops softly. */
  #ask(reason: string): void {
    this.#reason ??= reason;
    this.#settle();
    if (this.#run !== undefined && this.#run.world.stopping === undefined) this.#run.stop(reason);
  }

  /** A run that is asked twice ends at once, and still shows what it came to; where there is none, nothing is open. */
  #endNow(): void {
    if (this.#run === undefined) this.#host.exitNow(1);
    else if (this.#run.world.stopping === undefined) this.#ask('Ctrl-C');
    else this.#run.stop('asked twice');
  }
}
