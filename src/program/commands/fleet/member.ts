// One run of a fleet: its plan, its view of the process, its current figures and its outcome. A run that fails ends alone; it is not started again.
// Also what the parts of a fleet's monitoring share.

import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import type { Mode } from '../../../bot/domain/mode.ts';
import { lots } from '../../../bot/domain/numbers.ts';
import { KillSwitch, type KillSwitchCause, type KillSwitchState } from '../../../bot/journal/kill-switch.ts';
import { BUG, type ExitCode } from '../../exit-codes.ts';
import type { FleetFile } from '../../fleet/file.ts';
import type { LimitEnforcer } from '../../fleet/limit-enforcer.ts';
import type { RunFigures } from '../../fleet/limits.ts';
import { type Host, say } from '../../host.ts';
import type { Monitor, RunWatch } from '../../monitoring/watch.ts';
import type { OpenMonitor } from '../run/monitors.ts';
import type { RunPlan } from '../run/plan.ts';
import { explainRun } from '../run/run.ts';
import type { FleetFlags } from './command.ts';
import { type MemberHost, memberHost } from './member-host.ts';
import type { PlannedRun } from './plan.ts';

/** Returns the figures for the limits; undefined until the run's account and all its prices are known. */
export function figuresOf(watch: RunWatch): RunFigures | undefined {
  const account = watch.account?.value;
  if (account === undefined) return undefined;
  let gross = 0;
  for (const { market, info } of watch.markets.values()) {
    const price = info?.value.mark ?? info?.value.index;
    if (price === undefined) return undefined;
    const held = account.positions.find((position) => position.market === market.id)?.size ?? lots(0);
    gross += Math.abs(market.notional(price, held));
  }
  return { pnl: watch.totals.profit, gross };
}

type Outcome = Parameters<NonNullable<Monitor['ended']>>[0];
export type MemberState = 'starting' | 'running' | 'done' | 'failed';

export class Member implements OpenMonitor {
  readonly name: string;
  readonly plan: RunPlan;
  readonly host: MemberHost;
  #watch: RunWatch | undefined;
  #outcome: Outcome | undefined;
  #code: ExitCode | undefined;

  constructor({ name, plan }: PlannedRun, host: Host) {
    this.name = name;
    this.plan = plan;
    this.host = memberHost(name, host);
  }

  /** Undefined until the run trades. */
  get watch(): RunWatch | undefined {
    return this.#watch;
  }

  /** Undefined until the run has ended, and if it never traded. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Undefined until the run has ended. */
  get code(): ExitCode | undefined {
    return this.#code;
  }

  get state(): MemberState {
    if (this.#code !== undefined) return this.#code === 0 ? 'done' : 'failed';
    return this.#watch === undefined ? 'starting' : 'running';
  }

  /** Undefined until the run's account and all its prices are known. */
  get figures(): RunFigures | undefined {
    return this.#watch && figuresOf(this.#watch);
  }

  begin(watch: RunWatch): Monitor {
    this.#watch = watch;
    return {
      add: () => undefined,
      ended: (outcome) => {
        this.#outcome = outcome;
      },
    };
  }

  /** Sets the kill switch to a stricter mode, which takes effect within a second and lasts across restarts. Throws a DiskError if that fails. */
  raise(mode: Mode, cause: KillSwitchCause): void {
    new KillSwitch(nodeDisk(this.plan.facts.state)).raise(mode, cause);
  }

  /** The run's kill switch as it is set now. */
  get killSwitch(): KillSwitchState {
    return new KillSwitch(nodeDisk(this.plan.facts.state)).get();
  }

  /** Runs it to its end. Never rejects: a failure is printed in the same way as for a single run. */
  async play(monitors: readonly OpenMonitor[], timed: Timed): Promise<ExitCode> {
    try {
      const { play } = await import('../run/play.ts');
      this.#code = await play(this.plan, this.host, { monitors: [this, ...monitors], timed });
    } catch (thrown) {
      this.#code = explainRun(thrown, this.host, this.plan.facts.state);
    }
    this.plan.allowance?.ended(); // it no longer counts in the fleet's shared limit if its position was never known
    return this.#code;
  }

  /** The state, and of a failure its kind in a few words. */
  get resultWords(): string {
    return this.#code === BUG ? 'failed: a bug' : this.state;
  }
}

type Timed = NonNullable<Parameters<typeof import('../run/play.ts').play>[2]>['timed'];

/** What the parts of a fleet's monitoring share. */
export interface FleetContext {
  readonly file: FleetFile;
  readonly flags: FleetFlags;
  readonly members: readonly Member[];
  readonly host: Host;
  readonly clock: Clock;
  /** The limits over all runs. */
  readonly enforcer: LimitEnforcer;
  /** Prints the text; with --json, the line. */
  readonly print: (text: string, line: object) => void;
}

/** One kind of monitoring (page, metrics, alerts, systemd) of all runs of a fleet. */
export interface FleetMonitor {
  monitorOf(member: Member): OpenMonitor;
  close?(): Promise<void>;
}

/** Returns a function that prints an error of a part of the monitoring, which stops no run. */
export const bugReporter =
  (what: string, host: Host) =>
  (thrown: unknown): void =>
    say(host.stderr, `${what} failed: ${messageOf(thrown)}`);
