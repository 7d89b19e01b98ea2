// The limits over all runs of a fleet: checks the sums of profit and positions, and returns the mode that each exceeded limit requires.
import { DAY, type Millis } from '../../base/clock.ts';
import { isStricter, type Mode } from '../../bot/domain/mode.ts';
import { MICROS_PER_UNIT } from '../../bot/domain/numbers.ts';
import type { FleetLimitSettings } from './file.ts';

/** The figures of one run that the limits use, in millionths of the quote token. */
export interface RunFigures {
  /** Realised and unrealised, with fees and funding, since the state directory of the run began. */
  readonly pnl: number;
  /** The notional of its positions at the mark price, long plus short. */
  readonly gross: number;
}

export type FleetLimit = keyof FleetLimitSettings;

export interface Breach {
  readonly limit: FleetLimit;
  readonly mode: Mode;
  readonly reason: string;
}

/** Returns for example `gross-notional of the fleet: its runs hold 9479.26; the limit is 9000; the kill switch of all its runs is set to close-only` */
export const breachWords = ({ limit, mode, reason }: Breach): string =>
  `${limit} of the fleet: ${reason}; the kill switch of all its runs is set to ${mode}`;

/**
 * Profit of one run: now (`pnl`), when the fleet first saw it (`first`), and when its day began (`dayBegan`): at 00:00 UTC, when it was first seen that
 * day, or at the last resume.
 */
interface KeptRun {
  readonly pnl: number;
  readonly first: number;
  readonly dayBegan: number;
}

/** The state kept across restarts. Money is in millionths of the quote token. */
export interface KeptFleet {
  /** Days since 1970, UTC. */
  readonly day: number;
  /** The largest profit of all runs together so far. */
  readonly peak: number;
  readonly runs: Readonly<Record<string, KeptRun>>;
  /** Limits that have acted, until a person resumes all runs. */
  readonly acted: readonly FleetLimit[];
}

export const NOTHING_KEPT: KeptFleet = { day: 0, peak: 0, runs: {}, acted: [] };

/** The sums of a fleet, in millionths of the quote token. */
export interface FleetSums {
  readonly gross: number;
  /** Since the fleet first saw each run. */
  readonly pnl: number;
  /** Since 00:00 UTC, or since a person resumed the runs. */
  readonly today: number;
  /** How far `pnl` is below its peak. */
  readonly drawdown: number;
}

export class FleetLimits {
  readonly #settings: FleetLimitSettings;
  readonly #gross = new Map<string, number>();
  #kept: KeptFleet;

  /** `runs`: the names of the fleet's current runs. Other runs in `kept` are removed, and the peak is reduced by their profit. */
  constructor(settings: FleetLimitSettings, { kept, runs }: { readonly kept: KeptFleet; readonly runs: readonly string[] }) {
    this.#settings = settings;
    const others = Object.entries(kept.runs).filter(([run]) => !runs.includes(run));
    const profitOfOthers = others.reduce((sum, [, { pnl, first }]) => sum + pnl - first, 0);
    const current = Object.entries(kept.runs).filter(([run]) => runs.includes(run));
    this.#kept = { ...kept, peak: kept.peak - profitOfOthers, runs: Object.fromEntries(current) };
  }

  /** The state to keep for a restart. */
  get kept(): KeptFleet {
    return this.#kept;
  }

  /** The strictest mode set by the limits that have acted; `active` if none has. */
  get mode(): Mode {
    const modes = this.#kept.acted.flatMap((limit) => this.#settings[limit]?.mode ?? []);
    return modes.reduce<Mode>((strictest, mode) => (isStricter(mode, strictest) ? mode : strictest), 'active');
  }

  get sums(): FleetSums {
    const { peak, runs } = this.#kept;
    const add = (of: (run: KeptRun) => number): number => Object.values(runs).reduce((sum, run) => sum + of(run), 0);
    const pnl = add((run) => run.pnl - run.first);
    const gross = [...this.#gross.values()].reduce((sum, notional) => sum + notional, 0);
    return { gross, pnl, today: add((run) => run.pnl - run.dayBegan), drawdown: Math.max(0, peak - pnl) };
  }

  /** Called when a person has resumed the runs: resets all limits. */
  resumed(): void {
    const runs = Object.entries(this.#kept.runs).map(([name, run]) => [name, { ...run, dayBegan: run.pnl }] as const);
    this.#kept = { ...this.#kept, runs: Object.fromEntries(runs), peak: this.sums.pnl, acted: [] };
  }

  /** Call it with the figures of the runs; an absent run keeps its last figures. Returns each limit that is exceeded and has not acted yet. */
  check(figures: ReadonlyMap<string, RunFigures>, now: Millis): readonly Breach[] {
    this.#take(figures, Math.floor(now / DAY));
    const { acted } = this.#kept;
    const breaches = this.#exceeded().filter(({ limit }) => !acted.includes(limit));
    if (breaches.length > 0) this.#kept = { ...this.#kept, acted: [...acted, ...breaches.map(({ limit }) => limit)] };
    return breaches;
  }

  /** Updates the profit of each run, and the peak of all. On a new day, the profits at its beginning are those of the last figures. */
  #take(figures: ReadonlyMap<string, RunFigures>, day: number): void {
    const isNewDay = day !== this.#kept.day;
    const runs: Record<string, KeptRun> = {};
    for (const [name, run] of Object.entries(this.#kept.runs)) runs[name] = isNewDay ? { ...run, dayBegan: run.pnl } : run;
    for (const [name, { pnl, gross }] of figures) {
      const { first = pnl, dayBegan = pnl } = runs[name] ?? {};
      runs[name] = { pnl, first, dayBegan };
      this.#gross.set(name, gross);
    }
    this.#kept = { ...this.#kept, day, runs };
    this.#kept = { ...this.#kept, peak: Math.max(this.#kept.peak, this.sums.pnl) };
  }

  #exceeded(): readonly Breach[] {
    const { gross, today, drawdown } = this.sums;
    const { 'gross-notional': most, 'daily-loss': loss, drawdown: fall } = this.#settings;
    const breaches: Breach[] = [];
    if (most !== undefined && gross > most.maxNotional * MICROS_PER_UNIT)
      breaches.push({
        limit: 'gross-notional',
        mode: most.mode,
        reason: `its runs hold ${money(gross)}; the limit is ${most.maxNotional}`,
      });
    if (loss !== undefined && -today >= loss.maxLoss * MICROS_PER_UNIT)
      breaches.push({
        limit: 'daily-loss',
        mode: loss.mode,
        reason: `${money(-today)} lost since 00:00 UTC or the last resume; the limit is ${loss.maxLoss}`,
      });
    if (fall !== undefined && drawdown >= fall.maxLoss * MICROS_PER_UNIT)
      breaches.push({
        limit: 'drawdown',
        mode: fall.mode,
        reason: `${money(drawdown)} below the largest profit; the limit is ${fall.maxLoss}`,
      });
    return breaches;
  }
}

const money = (micros: number): string => (micros / MICROS_PER_UNIT).toFixed(2);
