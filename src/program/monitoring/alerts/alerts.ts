// Sends alerts to every target. watch-alerts.ts raises the alerts of a run, sender.ts sends to one target, targets.ts makes the requests of each
// service, addresses.ts reads their addresses, alert.ts has the texts.
import type { Millis } from '../../../base/clock.ts';
import { httpTransport } from '../../../base/transport/http.ts';
import type { Transport } from '../../../base/transport/transport.ts';
import type { Alert } from './alert.ts';
import { TargetSender, type TargetSenderOptions } from './sender.ts';
import type { AlertTarget } from './targets.ts';

export interface AlertSendOptions extends Pick<TargetSenderOptions, 'clock' | 'log' | 'groupMs' | 'mostAnHour' | 'about'> {
  readonly targets: readonly AlertTarget[];
  /** Default: HTTP. */
  readonly transportTo?: ((origin: string) => Transport) | undefined;
}

/** Maximum wait for the last message at the end of a run. */
const CLOSING: Millis = 3_000;

const defaultTransport = (origin: string): Transport => httpTransport({ origin, connections: 1 });

/** Sends alerts to every target, under one name. */
export class AlertSender {
  readonly #senders: readonly TargetSender[];

  constructor(run: string, { targets, transportTo = defaultTransport, ...common }: AlertSendOptions) {
    this.#senders = targets.map((target) => new TargetSender({ ...common, target, run, transport: transportTo(target.origin) }));
  }

  /** Returns at once. */
  send(alert: Alert): void {
    for (const sender of this.#senders) sender.add(alert);
  }

  /** Resolves when everything is sent, or after the time. */
  async close(withinMs: Millis = CLOSING): Promise<void> {
    await Promise.all(this.#senders.map((sender) => sender.close(withinMs)));
  }
}
