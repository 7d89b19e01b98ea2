// Sends alerts to every target. watch-alerts.ts decides what is an alert of a run, sender.ts sends to one target, targets.ts knows the services, alert.ts has the texts.
import type { Clock, Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import type { Log } from '../../exchange/kit/log.ts';
import { httpTransport } from '../../exchange/transport/http.ts';
import type { Alert } from './alert.ts';
import { Sender } from './sender.ts';
import type { Target } from './targets.ts';

export interface SendOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly targets: readonly Target[];
  readonly groupMs: Millis;
  readonly mostAnHour: number;
  /** Default: HTTP. */
  readonly transportTo?: ((origin: string) => Transport) | undefined;
}

/** How long the end of a run waits for its last message. */
const CLOSING: Millis = 3_000;

const usualTransport = (origin: string): Transport => httpTransport({ origin, connections: 1 });

/** Sends alerts to every target, under one name. */
export class AlertSender {
  readonly #senders: readonly Sender[];

  constructor(run: string, { targets, transportTo = usualTransport, ...common }: SendOptions) {
    this.#senders = targets.map((target) => new Sender({ ...common, target, run, transport: transportTo(target.origin) }));
  }

  /** Never waits. */
  send(alert: Alert): void {
    for (const sender of this.#senders) sender.add(alert);
  }

  /** Returns when everything is sent, or the time is over. */
  async close(withinMs: Millis = CLOSING): Promise<void> {
    await Promise.all(this.#senders.map((sender) => sender.close(withinMs)));
  }
}
