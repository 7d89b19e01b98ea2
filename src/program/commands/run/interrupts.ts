// Everything that stops a run from outside: signals, a closed output, an uncaught error. `Run.stop` then cancels its orders.
import type { Run } from '../../../bot/run/core/run.ts';
import type { Host } from '../../host.ts';

/** A second one of these signals ends the run at once. Other signals may repeat: SIGXCPU comes every second. */
const SECOND_ENDS_NOW: ReadonlySet<string> = new Set(['SIGINT', 'SIGTERM', 'SIGQUIT']);

export class Interrupts {
  /** Resolves at the first request to stop. */
  readonly requested: Promise<void>;
  readonly #host: Host;
  readonly #asReported: (thrown: unknown) => unknown;
  #resolveRequested: () => void = () => undefined;
  #reason: string | undefined;
  #interrupted = false;
  #run: Run | undefined;
  #bug: { readonly thrown: unknown } | undefined;

  /** `asReported` converts an uncaught error for the report, for example to an error of the strategy. */
  constructor(host: Host, asReported: (thrown: unknown) => unknown = (thrown) => thrown) {
    this.#host = host;
    this.#asReported = asReported;
    this.requested = new Promise((resolve) => {
      this.#resolveRequested = resolve;
    });
    host.onSignal(({ name }) => this.#signalled(name));
    host.onUncaught((thrown) => this.bug(thrown));
    host.stdout.once('error', () => this.#requestStop('the output was closed'));
  }

  /** The first uncaught error. */
  get firstBug(): { readonly thrown: unknown } | undefined {
    return this.#bug;
  }

  /** Records the first uncaught error; the run still cancels its orders and ends as failed, also after several errors. */
  bug(error: unknown): void {
    const thrown = this.#asReported(error);
    this.#bug ??= { thrown };
    this.#reason ??= 'a bug in the program';
    this.#resolveRequested();
    this.#run?.fail(thrown);
  }

  /** Applies earlier and later requests to this run. */
  applyTo(run: Run): void {
    this.#run = run;
    void run.done.then(() => {
      this.#run = undefined;
    });
    if (this.#bug !== undefined) run.fail(this.#bug.thrown);
    else if (this.#reason !== undefined) run.stop(this.#reason);
  }

  #signalled(name: string): void {
    if (!SECOND_ENDS_NOW.has(name)) return this.#requestStop(name);
    const again = this.#interrupted;
    this.#interrupted = true;
    if (again) this.#endNow();
    else this.#requestStop(name === 'SIGINT' ? 'Ctrl-C' : name);
  }

  /** Asks the run to stop. Idempotent. */
  #requestStop(reason: string): void {
    this.#reason ??= reason;
    this.#resolveRequested();
    this.#run?.stop(reason);
  }

  /** Ends the run at once and still prints its summary; without a run, ends the process. */
  #endNow(): void {
    if (this.#run === undefined) this.#host.exitNow(1);
    else this.#run.endNow('stopped twice');
  }
}
