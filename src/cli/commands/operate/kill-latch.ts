// Sets the kill switch for `bot kill`: tries until it is written, and reports whether it is.
import { systemClock } from '../../../base/clock.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { PROGRAM } from '../../../base/package.ts';
import { KillSwitch } from '../../../journal/kill-switch.ts';
import { timeText } from '../../../report/accounting/lines.ts';
import { type Host, say } from '../../host.ts';
import { processOf } from './kill-target.ts';

export class KillLatch {
  readonly #directory: string;
  readonly #host: Host;
  #failure: string | undefined;
  #latched = false;

  constructor(directory: string, host: Host) {
    this.#directory = directory;
    this.#host = host;
  }

  /** True once it is written; from then on the bot places nothing. */
  get latched(): boolean {
    return this.#latched;
  }

  /** Why the last try failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Tries to write it. At the first failure the process is asked to end (SIGTERM), which needs no disk. */
  attempt(): void {
    if (this.#latched) return;
    try {
      const cause = { reason: `somebody typed ${PROGRAM} kill`, at: timeText(systemClock.now()), by: 'kill' };
      new KillSwitch(nodeDisk(this.#directory)).raise('cancel-all', cause);
      this.#latched = true;
      if (this.#failure !== undefined) say(this.#host.stderr, 'the kill switch is set to cancel-all now: the bot places no more orders');
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      const first = this.#failure === undefined;
      this.#failure = error.message;
      if (first) this.#reportAndAskToEnd();
    }
  }

  #reportAndAskToEnd(): void {
    const { stderr } = this.#host;
    say(
      stderr,
      `error: the kill switch cannot be set, because the state directory cannot be written: ${this.#failure}\n  trying again every second`,
    );
    const holder = processOf(this.#directory);
    if (holder === undefined || holder === 'unknown') return;
    this.#host.askToEnd(holder.pid);
    say(stderr, `  process ${holder.pid} was asked to end (SIGTERM)`);
  }
}
