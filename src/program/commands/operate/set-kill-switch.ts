// Sets the kill switch for `bot kill` and `bot flatten`: retries until it is written, and reports the result.
import { systemClock } from '../../../base/clock.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { PROGRAM } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import { type Host, say } from '../../host.ts';
import { processOf } from '../../run-alive.ts';

export interface KillSwitchRequest {
  readonly mode: 'cancel-all' | 'flatten';
  /** The command that sets the kill switch. */
  readonly command: string;
}

export class KillSwitchSetter {
  readonly #directory: string;
  readonly #host: Host;
  readonly #request: KillSwitchRequest;
  #failure: string | undefined;
  #isSet = false;

  constructor(directory: string, host: Host, request: KillSwitchRequest = { mode: 'cancel-all', command: 'kill' }) {
    this.#directory = directory;
    this.#host = host;
    this.#request = request;
  }

  /** True once the kill switch is written; from then on the bot places no orders. */
  get isSet(): boolean {
    return this.#isSet;
  }

  /** Reason of the last failure. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Tries to write the kill switch. At the first failure, asks the process to end (SIGTERM), which needs no disk. */
  attempt(): void {
    if (this.#isSet) return;
    const { mode, command } = this.#request;
    try {
      const cause = { reason: `a person typed ${PROGRAM} ${command}`, at: timeText(systemClock.now()), by: command };
      new KillSwitch(nodeDisk(this.#directory)).raise(mode, cause);
      this.#isSet = true;
      if (this.#failure !== undefined)
        say(
          this.#host.stderr,
          `the kill switch is set to ${mode} now: the bot ${mode === 'flatten' ? 'only closes what it holds' : 'places no more orders'}`,
        );
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
