// Reads from a state directory what `bot status`, `bot logs` and the list of runs show of its run (`monitoring/listed-run.ts`).
import type { Millis } from '../base/clock.ts';
import { nodeDisk } from '../base/files/node-disk.ts';
import { KillSwitch } from '../bot/journal/kill-switch.ts';
import { isSilent, type Now } from '../bot/run/core/now.ts';
import type { RunFacts } from '../venues/kind/facts.ts';
import { identityOf } from './monitoring/identity.ts';
import type { ListedFigures, RunLine } from './monitoring/listed-run.ts';
import { endedOf } from './outcome.ts';
import { isSimulated, type Venues } from './venues.ts';

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
    exchange: venues.exchangeAt(exchange).name,
    ...(venues.of(exchange).exchangeAt !== undefined && { paper: true }), // only a paper run follows the data of another exchange
    markets: facts.markets,
    started,
    process: alive ? (isSilent(now, at) ? 'hangs' : 'alive') : 'ended',
    ...(alive ? { outcome: 'running' } : endedOf(directory, { started, now })),
    mode: alive && now !== undefined ? now.mode : new KillSwitch(nodeDisk(directory)).get().mode,
    ...(now !== undefined && figuresOf(now)),
    quality: now?.quality,
  };
}

function figuresOf({ at, status: { equity, pnl, positions, openOrders, dataAgeMs }, unknown, alarms }: Now): ListedFigures {
  return { at, equity, pnl, positions, openOrders, unknown: unknown.length, dataAgeMs, alarms: alarms.length };
}
