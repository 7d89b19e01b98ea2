// Stores profit and loss for the loss limits in the journal, and restores them in a later process.
import type { Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import { type CorrectionLine, correctionOf, type FillLine, fillOf } from '../../accounting/lines.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Mode } from '../../domain/mode.ts';
import type { EarlierAccounting } from '../../world/position/accounting.ts';
import { type LossCarry, type Losses, NO_LOSSES, resumedByPerson } from '../../world/position/losses.ts';
import { Profit, type ProfitCarry } from '../../world/position/profit.ts';
import type { RecoveredState } from '../../world/recovered-state.ts';
import type { World } from '../../world/world.ts';
import type { Entry, LossesSeen } from './entries.ts';

/** Shortest interval between entries, unless the day, the hour or a stop changes. */
const EVERY: Millis = 60_000;
/** A new profit peak that is higher by this fraction of the account is written at once. */
const HIGHER = 0.0005;
const NONE: readonly LossesSeen[] = [];

/** Fills and corrections of fills after the newest loss entry. */
export function fillsAfterLosses(entries: readonly Entry[]): readonly (FillLine | CorrectionLine)[] {
  const counted = entries.findLastIndex(({ kind }) => kind === 'losses');
  return counted < 0 ? [] : entries.slice(counted + 1).filter((entry) => entry.kind === 'fill' || entry.kind === 'correction');
}

/** Returns the money of the run so far: all its fills, and with the newest loss entry what they do not show. */
export function profitFrom(entries: readonly Entry[], markets: ReadonlyMap<string, Market>): Profit {
  const profit = new Profit(markets.values());
  const losses = entries.findLast((entry) => entry.kind === 'losses');
  for (const entry of entries) {
    if (entry.kind === 'carry') profit.resumeFills(entry.ledger);
    else if (entry === losses) profit.resume(profitCarryOf(losses, markets));
    else if (entry.kind === 'fill' || entry.kind === 'correction') {
      const market = markets.get(entry.market);
      if (market === undefined) continue; // not traded by this process
      if (entry.kind === 'fill') profit.filled({ fills: [fillOf(entry, market)] });
      else profit.corrected(correctionOf(entry, market));
    }
  }
  return profit;
}

function profitCarryOf(
  { cash, held, last, profit = last, costs = {}, markets: parts = {} }: LossesSeen,
  markets: ReadonlyMap<string, Market>,
): ProfitCarry {
  const byId = <Value, Result>(values: Readonly<Record<string, Value>>, map: (market: Market, value: Value) => Result): readonly Result[] =>
    Object.entries(values).flatMap(([symbol, value]) => {
      const market = markets.get(symbol);
      return market === undefined ? [] : [map(market, value)];
    });
  return {
    cash,
    profit,
    held: byId(held, (market, size) => [market.id, market.parseSize(size)] as const),
    costs: byId(costs, ({ id }, cost) => [id, cost] as const),
    byMarket: byId(parts, ({ id }, part) => ({ market: id, ...part })),
  };
}

/** Returns profit and losses as a later process continues them, with the newest count of the funding. */
export function accountingOf(entries: readonly Entry[], profit: Profit): Pick<RecoveredState, 'accounting' | 'funding'> {
  const losses = entries.findLast((entry) => entry.kind === 'losses');
  const funding = entries.findLast((entry) => entry.kind === 'funding');
  profit.resumeFunding(funding);
  const carry = profit.carry();
  const isEmpty = losses === undefined && carry.held.length === 0;
  return {
    ...(!isEmpty && { accounting: { ...lossCarryOf(losses), ...carry } }),
    ...(funding !== undefined && { funding }),
  };
}

function lossCarryOf(entry: LossesSeen | undefined): LossCarry {
  if (entry === undefined) return NO_LOSSES;
  const { kind: _kind, at: _at, cash: _cash, profit: _profit, held: _held, costs: _costs, markets: _markets, ...losses } = entry;
  return losses;
}

/**
 * The totals alone, as they were last known, for a process on a new exchange: positions and losses of the earlier one ended with it. The funding is a
 * part of the profit.
 */
export function onlyTotalsOf({ accounting, funding }: EarlierAccounting, markets: readonly Market[]): EarlierAccounting {
  if (accounting?.profit === undefined) return {};
  const { profit, fills } = accounting;
  const { total = 0, markets: fundingBy = {} } = funding ?? {};
  const byMarket = accounting.byMarket?.map((part) => {
    const symbol = markets.find(({ id }) => id === part.market)?.symbol;
    return { ...part, cash: part.profit - (symbol === undefined ? 0 : (fundingBy[symbol] ?? 0)) };
  });
  return {
    accounting: { ...NO_LOSSES, fills, cash: profit - total, held: [], profit, byMarket },
    ...(funding !== undefined && { funding: { total, markets: fundingBy } }),
  };
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
  /** The losses at the last call. */
  #seen: LossCarry | undefined;
  #written: LossCarry | undefined;
  /** The object that `#written` came from; the accounting has another one after it began anew. */
  #writtenOf: Losses | undefined;
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
    this.#writtenOf = accounting.losses;
    this.#writtenAt = at;
    const { cash, held, costs = [], profit, byMarket } = accounting.profit.carry();
    const symbolOf = (id: MarketId): string => this.#world.market(id).symbol;
    const sizes = held.map(([id, size]) => [symbolOf(id), this.#world.market(id).sizeText(size)] as const);
    const bySymbol = { held: Object.fromEntries(sizes), costs: Object.fromEntries(costs.map(([id, cost]) => [symbolOf(id), cost])) };
    const markets = byMarket && Object.fromEntries(byMarket.map(({ market, ...part }) => [symbolOf(market), part] as const));
    return [{ kind: 'losses', at: timeText(at), ...losses, cash, profit, ...bySymbol, ...(markets && { markets }) }];
  }

  #isDue({ day, hour, stopped, resumed, peak = 0, last }: LossCarry, at: Millis): boolean {
    const before = this.#written;
    if (before === undefined || this.#writtenOf !== this.#world.accounting.losses || day !== before.day || hour !== before.hour)
      return true;
    if (stopped.length !== before.stopped.length || resumed !== before.resumed) return true;
    if (this.#world.stopping !== undefined) return true;
    const equity = this.#world.account?.value.margins.mf ?? 0;
    if (peak - (before.peak ?? 0) > equity * HIGHER) return true;
    return at >= this.#writtenAt + EVERY && last !== before.last;
  }
}
