// All that may ask a run to stop from outside: a person, a supervisor, a reader who has gone, a mistake of ours.
import type { Run } from '../../run/run.ts';
import type { Host } from '../host.ts';

export class Interrupts {
  /** Settles with the reason of the first request. */
  readonly asked: Promise<string>;
  readonly #host: Host;
  #resolve: (reason: string) => void = () => undefined;
  #run: Run | undefined;
  #bug: { readonly thrown: unknown } | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.asked = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    host.onSignal(({ name, again }) => (again && name !== 'SIGHUP' ? this.#endNow() : this.#ask(name === 'SIGINT' ? 'Ctrl-C' : name)));
    host.onUncaught((thrown) => this.bug(thrown));
    host.stdout.once('error', () => this.#ask('nobody reads the output any more'));
  }

  /** From now on a request stops this run. */
  stops(run: Run): void {
    this.#run = run;
  }

  /** The first mistake of ours that was told. */
  get firstBug(): { readonly thrown: unknown } | undefined {
    return this.#bug;
  }

  bug(thrown: unknown): void {
    this.#bug ??= { thrown };
    this.#ask('a mistake in the program');
  }

  /** However often, this stops softly. */
  #ask(reason: string): void {
    this.#resolve(reason);
    if (this.#run !== undefined && this.#run.world.stopping === undefined) this.#run.stop(reason);
  }

  /** The run's own second stop ends it at once, and still shows what it came to; where there is none, nothing is open. */
  #endNow(): void {
    if (this.#run?.world.stopping === undefined || this.#run.turns.isStopped) this.#host.exitNow(1);
    else this.#run.stop('asked twice');
  }
}
