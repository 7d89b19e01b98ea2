// What happens to the bot from outside while it runs: a person types `kill`, or the watchdog finds that its process hangs. Both run the code of the
// commands, with the clock, the network and the disk of the simulation.
import type { Millis } from '../../../../base/clock.ts';
import { rngFrom } from '../../../../base/rng.ts';
import { outstandingIn } from '../../../../venues/kind/account-canceller.ts';
import { type AccountCanceller, cancelAll } from '../../../../venues/operate/cancel-all.ts';
import type { PlayedExchange } from '../../exchange-api.ts';
import type { SimulatedNetwork } from '../network/network.ts';
import type { Invariant, Process, Scene } from '../scene.ts';

interface OperatorOptions {
  readonly scene: Scene;
  readonly network: SimulatedNetwork;
  readonly checks: readonly Invariant[];
  readonly played: PlayedExchange;
  readonly seed: string;
  /** Sets the kill switch. */
  readonly raise: (mode: 'cancel-all') => void;
  /** The process that trades or will trade. */
  readonly current: () => Process | undefined;
}

/** How long `kill` tries, and the watchdog. */
const KILL_FOR: Millis = 300_000;
const WATCHDOG_FOR: Millis = 24 * 3_600_000;
/** A process that is silent for this long counts as hanging. */
const SILENCE: Millis = 30_000;

export class Operator {
  readonly #options: OperatorOptions;

  constructor(options: OperatorOptions) {
    this.#options = options;
  }

  kill(): void {
    this.#options.raise('cancel-all');
    this.#cancel({ command: 'kill', forMs: KILL_FOR, isSuperseded: () => false });
  }

  /** The process hangs until the time `until`, and its watchdog acts. */
  hang(until: Millis): void {
    const { scene, current, raise } = this.#options;
    const process = current();
    process?.life.pauseUntil(until);
    scene.clock.at(scene.clock.now() + SILENCE, () => {
      if (process?.life.alive !== true) return;
      raise('cancel-all');
      this.#cancel({ command: 'watchdog', forMs: WATCHDOG_FOR, isSuperseded: () => current()?.number !== process.number });
    });
  }

  #cancel({ command, ...limits }: { command: string; forMs: Millis; isSuperseded: () => boolean }): void {
    const { scene, checks } = this.#options;
    const { clock, trace, disk } = scene;
    trace.note(`${command} begins`);
    for (const check of checks) check.clearing?.(command);
    const canceller = this.#canceller(command);
    const ended = cancelAll({ clock, canceller, outstanding: () => outstandingIn(disk), onProgress: () => undefined, ...limits });
    ended.then(
      ({ kind, cancelled, failure }) => {
        void canceller.close();
        trace.note(`${command} ends ${kind}, ${cancelled} cancelled${failure === undefined ? '' : `: ${failure}`}`);
        for (const check of checks) check.cleared?.(command, kind);
      },
      (error: unknown) => scene.fail('V13', `${command} failed: ${String(error)}`), // it must prove that no order is left
    );
  }

  #canceller(command: string): AccountCanceller {
    const { scene, network, played, seed } = this.#options;
    const { clock, trace, disk, venue, record } = scene;
    const rng = rngFrom(`${seed}/${command}`);
    return played.canceller({
      clock,
      rng,
      transport: network.transport({
        recordSent: (request) => trace.count(`${command} asks ${venue.api.nameOf(request)}`),
        received: (request, { status, body }) => trace.count(`${command} hears ${status} ${body.length} ${venue.api.nameOf(request)}`),
      }),
      disk,
      account: venue.account,
      hasTraded: record.orders.size > 0,
    });
  }
}
