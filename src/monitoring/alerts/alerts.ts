// The alerts of a run: watch-alerts.ts decides what is one, sender.ts sends it, targets.ts knows the services, alert.ts has the texts.
import type { Clock, Millis } from '../../base/clock.ts';
import type { Transport } from '../../base/transport.ts';
import type { Turn } from '../../domain/turn.ts';
import type { Log } from '../../exchange/kit/log.ts';
import { httpTransport } from '../../exchange/transport/http.ts';
import type { RunWatch } from '../watch.ts';
import type { Alert } from './alert.ts';
import { Sender } from './sender.ts';
import type { Target } from './targets.ts';
import { type AlertRules, WatchAlerts } from './watch-alerts.ts';

export interface SendOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly targets: readonly Target[];
  readonly groupMs: Millis;
  readonly mostAnHour: number;
  /** Default: HTTP. */
  readonly transportTo?: ((origin: string) => Transport) | undefined;
}

export interface AlertOptions extends SendOptions {
  readonly rules: AlertRules;
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

export class Alerts {
  readonly #alerts: WatchAlerts;
  readonly #sender: AlertSender;

  constructor(watch: RunWatch, { rules, ...options }: AlertOptions) {
    this.#sender = new AlertSender(watch.facts.run, options);
    this.#alerts = new WatchAlerts(watch, { rules, raise: (alert) => this.#sender.send(alert) });
    this.#alerts.begun(watch.facts.startedAt);
  }

  /** Call it with each turn after the watch has it. */
  add(turn: Turn): void {
    this.#alerts.add(turn);
  }

  ended(at: Millis, end: { readonly words: string; readonly settled: boolean }): void {
    this.#alerts.ended(at, end);
  }

  close(): Promise<void> {
    return this.#sender.close();
  }
}
