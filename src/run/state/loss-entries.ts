// Stores profit and loss for the loss limits in the journal, and restores them in a later process.
import type { Millis } from '../../base/clock.ts';
import type { Market } from '../../domain/market.ts';
import type { Mode } from '../../domain/mode.ts';
import { type FillLine, fillOf, timeText } from '../../report/accounting/lines.ts';
import { type LossCarry, resumedByPerson } from '../../world/position/losses.ts';
import { Profit } from '../../world/position/profit.ts';
import type { RecoveredState } from '../../world/recovered-state.ts';
import type { World } from '../../world/world.ts';
import type { Entry, LossesSeen } from './entries.ts';

/** Shortest interval between entries, unless the day, the hour or a stop changes. */
const EVERY: Millis = 60_000;
/** A new profit peak that is higher by this fraction of the account is written at once. */
const HIGHER = 0.0005;
const NONE: readonly LossesSeen[] = [];

/** Fills after the newest loss entry. */
export function fillsAfterLosses(entries: readonly Entry[]): readonly FillLine[] {
  const counted = entries.findLastIndex(({ kind }) => kind === 'losses');
  return counted < 0 ? [] : entries.slice(counted + 1).filter((entry) => entry.kind === 'fill');
}

/** The newest loss entry plus the fills after it; undefined if there is none. */
export function accountingOf(
  entries: readonly Entry[],
  markets: ReadonlyMap<string, Market>,
): Pick<RecoveredState, 'accounting' | 'funding'> {
  const newest = entries.findLast((entry) => entry.kind === 'losses');
  if (newest === undefined) return {};
  const { kind: _kind, at: _at, cash, held, ...losses } = newest;
  const profit = new Profit(markets.values());
  const positions = Object.entries(held).flatMap(([symbol, size]) => {
    const market = markets.get(symbol);
    return market === undefined ? [] : [[market.id, market.parseSize(size)] as const];
  });
  profit.resume({ cash, held: positions }, undefined);
  const fills = fillsAfterLosses(entries).flatMap((line) => {
    const market = markets.get(line.market);
    return market === undefined ? [] : [fillOf(line, market)];
  });
  profit.filled({ fills });
  const funding = entries.findLast((entry) => entry.kind === 'funding');
  return { accounting: { ...losses, ...profit.carry() }, ...(funding !== undefined && { funding }) };
}

/**
 * Returns the accounting at the start of a process: if the kill switch is not set, a person has resumed the run since a stop acted, so that stop is
 * reset.
 */
export function accountingAtStart(
  { accounting }: Pick<RecoveredState, 'accounting'>,
  killSwitch: Mode | undefined,
): Pick<RecoveredState, 'accounting'> {
  if (accounting === undefined || killSwitch !== 'active') return {};
  return { accounting: { ...accounting, ...resumedByPerson(accounting) } };
}

/** Decides when profit and loss must be written again. */
export class LossKeeper {
  readonly #world: World;
  #seen: LossCarry | undefined;
  #written: LossCarry | undefined;
  #writtenAt: Millis = -Infinity;

  constructor(world: World) {
    this.#world = world;
  }

  /** Entries to write now, after the fills of this turn; none if little has changed since the last one. */
  entries(at: Millis): readonly LossesSeen[] {
    const { accounting } = this.#world;
    const losses = accounting.losses.carry();
    if (losses === undefined || losses === this.#seen) return NONE;
    this.#seen = losses;
    if (!this.#isDue(losses, at)) return NONE;
    this.#written = losses;
    this.#writtenAt = at;
    const { cash, held } = accounting.profit.carry();
    const texts = held.map(([id, size]) => {
      const market = this.#world.market(id);
      return [market.symbol, market.sizeText(size)] as const;
    });
    return [{ kind: 'losses', at: timeText(at), ...losses, cash, held: Object.fromEntries(texts) }];
  }

  #isDue({ day, hour, stopped, resumed, peak = 0, last }: LossCarry, at: Millis): boolean {
    const before = this.#written;
    if (before === undefined || day !== before.day || hour !== before.hour) return true;
    if (stopped.length !== before.stopped.length || resumed !== before.resumed) return true;
    const equity = this.#world.account?.value.margins.mf ?? 0;
    if (peak - (before.peak ?? 0) > equity * HIGHER) return true;
    return at >= this.#writtenAt + EVERY && last !== before.last;
  }
}
