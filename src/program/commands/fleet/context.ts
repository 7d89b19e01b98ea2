// The context and the interface shared by the parts of a fleet's monitoring.
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { FleetFile } from '../../fleet/file.ts';
import { type Host, say } from '../../host.ts';
import type { OpenMonitor } from '../run/monitors.ts';
import type { FleetFlags } from './command.ts';
import type { Member } from './member.ts';

export interface FleetContext {
  readonly file: FleetFile;
  readonly flags: FleetFlags;
  readonly members: readonly Member[];
  readonly host: Host;
  readonly clock: Clock;
  /** Prints the text; with --json, the line. */
  readonly print: (text: string, line: object) => void;
}

/** One kind of monitoring (page, metrics, alerts, systemd) of all runs of a fleet. */
export interface FleetMonitor {
  monitorOf(member: Member): OpenMonitor;
  close?(): Promise<void>;
}

export const bugReporter =
  (what: string, host: Host) =>
  (thrown: unknown): void =>
    say(host.stderr, `${what} failed: ${messageOf(thrown)}`);
