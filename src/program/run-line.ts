// One run as `bot status`, `bot logs` and the list of runs show it: what it is, how it ended, and a view of what it is doing now.
import type { Millis } from '../base/clock.ts';
import { nodeDisk } from '../base/files/node-disk.ts';
import type { Mode } from '../bot/domain/mode.ts';
import type { RunOutcome } from '../bot/domain/outcome.ts';
import { KillSwitch } from '../bot/journal/kill-switch.ts';
import { isSilent, type Now } from '../bot/run/core/now.ts';
import type { RunFacts } from '../bot/run/venues/facts.ts';
import { identityOf, type RunIdentity } from './monitoring/identity.ts';
import { endedOf } from './outcome.ts';
import { isSimulated, type Venues } from './venues.ts';

/** A line of `status --json`. */
export interface RunLine extends RunIdentity, Partial<RunFigures> {
  readonly kind: 'run';
  readonly run: string;
  readonly strategy: string;
  readonly exchange: string;
  readonly markets: readonly string[];
  /** RFC 3339. */
  readonly started: string;
  /** `hangs`: its process is alive and has written nothing for 5 s. */
  readonly process: 'alive' | 'hangs' | 'ended';
  readonly outcome: RunOutcome;
  /** Why it ended; absent if it is done or lives. */
  readonly reason?: string | undefined;
  /** The mode of the run; after its end, the mode of the kill switch. */
  readonly mode: Mode;
}

/** The part that a run has once it has traded. */
export interface RunFigures extends Pick<Now['status'], 'equity' | 'pnl' | 'positions' | 'openOrders' | 'dataAgeMs'> {
  /** The time of the figures, RFC 3339. */
  readonly at: string;
  /** Number of orders without a definite answer. */
  readonly unknown: number;
  readonly alarms: number;
}

interface StoredRun {
  readonly directory: string;
  readonly facts: RunFacts;
  readonly alive: boolean;
  /** Its `now.json`; undefined if it never traded. */
  readonly now: Now | undefined;
}

/** Returns the line of a run of another process, from its state directory. */
export function runLineOf(
  { directory, facts, alive, now }: StoredRun,
  { at, venues }: { readonly at: Millis; readonly venues: Venues },
): RunLine {
  const { exchange, started } = facts;
  return {
    kind: 'run',
    run: facts.run,
    ...identityOf(exchange, { state: directory, isReal: !isSimulated(venues.of(exchange)), account: now?.account }),
    strategy: facts.strategy,
    exchange: exchange.kind,
    markets: facts.markets,
    started,
    process: alive ? (isSilent(now, at) ? 'hangs' : 'alive') : 'ended',
    ...(alive ? { outcome: 'running' } : endedOf(directory, { started, now })),
    mode: alive && now !== undefined ? now.mode : new KillSwitch(nodeDisk(directory)).get().mode,
    ...(now !== undefined && figuresOf(now)),
  };
}

function figuresOf({ at, status: { equity, pnl, positions, openOrders, dataAgeMs }, unknown, alarms }: Now): RunFigures {
  return { at, equity, pnl, positions, openOrders, unknown: unknown.length, dataAgeMs, alarms: alarms.length };
}
