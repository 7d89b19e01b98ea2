// What a person is notified of: one alert, its severity, and its text.
import type { Millis } from '../../base/clock.ts';
import type { AlertKind } from '../../run/core/alert-kinds.ts';

/** `alarm`: a person should look now. `warning`: soon. `info`: it is good to know. */
export type Severity = 'alarm' | 'warning' | 'info';

export interface Alert {
  readonly at: Millis;
  readonly kind: AlertKind;
  readonly severity: Severity;
  /** One or a few plain sentences, without a time. May name markets and reasons of the exchange, which are not trusted as markup. */
  readonly text: string;
}

/** A message to one target: the alerts of a moment together. */
export interface Message {
  readonly run: string;
  /** Oldest first; at least one. */
  readonly alerts: readonly Alert[];
  /** Alerts that are not in any message, because there were too many. */
  readonly left: number;
  /** Differs for each message of a run, also after a restart; the same when a message is sent again. */
  readonly id: string;
}

const MARKS: Readonly<Record<Severity, string>> = { alarm: 'ALARM', warning: 'warning', info: 'info' };

/** The lines of a message as plain text. */
export function messageText({ run, alerts, left }: Message): string {
  const lines = alerts.map(({ at, severity, text }) => `${new Date(at).toISOString().slice(11, 19)} UTC ${MARKS[severity]}: ${text}`);
  const more = left === 0 ? [] : [`${left} more ${left === 1 ? 'alert was' : 'alerts were'} left out: there were too many`];
  return [run, ...lines, ...more].join('\n');
}

export const worst = (alerts: readonly Alert[]): Severity =>
  alerts.some(({ severity }) => severity === 'alarm')
    ? 'alarm'
    : alerts.some(({ severity }) => severity === 'warning')
      ? 'warning'
      : 'info';
