// All that may ask a run to stop from outside: a person, a supervisor, a reader who has gone, a mistake of ours.
import type { Run } from '../../../run/core/run.ts';
import type { Host } from '../../host.ts';

/** Of these the second means: at once. Others may be sent again and again, as SIGXCPU is once a second. */
const HURRY: ReadonlySet<string> = new Set(['SIGINT', 'SIGTERM', 'SIGQUIT']);

export class Interrupts {
  /** Settles with the first request. */
  readonly asked: Promise<void>;
  readonly #host: Host;
  #settle: () => void = () => undefined;
  #reason: string | undefined;
  #hurried = false;
  #run: Run | undefined;
  #bug: { readonly thrown: unknown } | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.asked = new Promise((resolve) => {
      this.#settle = resolve;
    });
    host.onSignal(({ name }) => this.#signalled(name));
    host.onUncaught((thrown) => this.bug(thrown));
    host.stdout.once('error', () => this.#ask('the output was closed'));
  }

  /** The first mistake that was told. */
  get firstBug(): { readonly thrown: unknown } | undefined {
    return this.#bug;
  }

  /** However many, the run closes as one that is stopped does. */
  bug(thrown: unknown): void {
    this.#bug ??= { thrown };
    this.#reason ??= 'a bug in the program';
    this.#settle();
    this.#run?.fail(thrown);
  }

  /** Requests, earlier ones too, stop this run from now until it has ended. */
  stops(run: Run): void {
    this.#run = run;
    void run.done.then(() => {
      this.#run = undefined;
    });
    if (this.#bug !== undefined) run.fail(this.#bug.thrown);
    else if (this.#reason !== undefined) run.stop(this.#reason);
  }

  #signalled(name: string): void {
    if (!HURRY.has(name)) return this.#ask(name);
    const again = this.#hurried;
    this.#hurried = true;
    if (again) this.#endNow();
    else this.#ask(name === 'SIGINT' ? 'Ctrl-C' : name);
  }

  /** However often, this stops softly. */
  #ask(reason: string): void {
    this.#reason ??= reason;
    this.#settle();
    this.#run?.stop(reason);
  }

  /** A run that is asked twice ends at once, and still shows what it came to; where there is none, this process has nothing open. */
  #endNow(): void {
    if (this.#run === undefined) this.#host.exitNow(1);
    else this.#run.endNow('stopped twice');
  }
}
