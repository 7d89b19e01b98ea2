// An alert (kind, severity, text), and the message that one or more alerts are sent in.
import type { Millis } from '../../../base/clock.ts';
import type { AlertKind } from '../../../bot/run/core/settings.ts';

/** `alarm`: act now. `warning`: act soon. `info`: no action needed. */
export type Severity = 'alarm' | 'warning' | 'info';

export interface Alert {
  readonly at: Millis;
  readonly kind: AlertKind;
  readonly severity: Severity;
  /** One or a few plain sentences, without a time. May contain text from the exchange, so escape it where markup is interpreted. */
  readonly text: string;
}

/** A message to one target, with one or more alerts. */
export interface Message {
  readonly run: string;
  /** What distinguishes the run from others of its name: account, key, address, practice or real money. */
  readonly identity?: string | undefined;
  /** Address of the run's page, on its machine; without the secret that opens it. */
  readonly page?: string | undefined;
  /** Oldest first; at least one. */
  readonly alerts: readonly Alert[];
  /** Number of alerts that were dropped, because there were too many or the target refused them. */
  readonly left: number;
  /** Unique for each message of a run, also across restarts; a message that is sent again has the same id. */
  readonly id: string;
}

const MARKS: Readonly<Record<Severity, string>> = { alarm: 'ALARM', warning: 'warning', info: 'info' };

/** Returns the message as plain text. */
export function messageText(message: Message): string {
  return [titleOf(message), ...bodyLines(message)].join('\n');
}

export const titleOf = ({ run, identity }: Message): string => (identity === undefined ? run : `${run} (${identity})`);

/** Returns the message without its title. */
export function bodyLines({ alerts, left, page }: Message): readonly string[] {
  const lines = alerts.map(({ at, severity, text }) => `${new Date(at).toISOString().slice(11, 19)} UTC ${MARKS[severity]}: ${text}`);
  const more = left === 0 ? [] : [`${left} more ${left === 1 ? 'alert was' : 'alerts were'} left out: too many at once, or refused`];
  return [...lines, ...more, ...(page === undefined ? [] : [`page: ${page}`])];
}

const BY_SEVERITY: readonly Severity[] = ['alarm', 'warning', 'info'];

/** Returns the severity of the most severe alert. */
export const mostSevere = (alerts: readonly Alert[]): Severity =>
  BY_SEVERITY.find((severity) => alerts.some((alert) => alert.severity === severity)) ?? 'info';
