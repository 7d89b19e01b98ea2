// Stores profit and loss for the loss limits in the journal, and restores them in a later process.
import type { Millis } from '../../base/clock.ts';
import type { Market } from '../../domain/market.ts';
import type { Mode } from '../../domain/mode.ts';
import type { Ledger } from '../../report/accounting/ledger.ts';
import { type CorrectionLine, correctionOf, type FillLine, fillOf, timeText } from '../../report/accounting/lines.ts';
import { type LossCarry, NO_LOSSES, resumedByPerson } from '../../world/position/losses.ts';
import { Profit } from '../../world/position/profit.ts';
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

export interface FillsOfRun {
  readonly markets: ReadonlyMap<string, Market>;
  /** Has all fills of the run so far. */
  readonly ledger: Ledger;
}

/** The newest loss entry plus the fills after it; without one, all fills of the run. */
export function accountingOf(entries: readonly Entry[], { markets, ledger }: FillsOfRun): Pick<RecoveredState, 'accounting' | 'funding'> {
  const newest = entries.findLast((entry) => entry.kind === 'losses');
  const state = newest === undefined ? stateOfFills(ledger) : stateOf(newest);
  if (state === undefined) return {};
  const { cash, held, profit: total, markets: parts = {}, ...losses } = state;
  const profit = new Profit(markets.values());
  const positions = Object.entries(held).flatMap(([symbol, size]) => {
    const market = markets.get(symbol);
    return market === undefined ? [] : [[market.id, market.parseSize(size)] as const];
  });
  const byMarket = Object.entries(parts).flatMap(([symbol, part]) => {
    const market = markets.get(symbol);
    return market === undefined ? [] : [{ market: market.id, ...part }];
  });
  profit.resume({ cash, held: positions, profit: total, byMarket });
  for (const line of fillsAfterLosses(entries)) {
    const market = markets.get(line.market);
    if (market === undefined) continue;
    if (line.kind === 'fill') profit.filled({ fills: [fillOf(line, market)] });
    else profit.corrected(correctionOf(line, market));
  }
  const funding = entries.findLast((entry) => entry.kind === 'funding');
  return { accounting: { ...losses, ...profit.carry() }, ...(funding !== undefined && { funding }) };
}

type LossState = Omit<LossesSeen, 'kind' | 'at'>;

const stateOf = ({ kind: _kind, at: _at, profit, ...state }: LossesSeen): LossState => ({ ...state, profit: profit ?? state.last });

const cashOf = ({ cash, fees }: { readonly cash: number; readonly fees: number }): number => cash - fees;

/** The state of a run that ended before its first loss entry; undefined if nothing was filled. */
function stateOfFills(ledger: Ledger): LossState | undefined {
  const traded = Object.entries(ledger.carry().markets);
  if (traded.length === 0) return undefined;
  const cash = traded.reduce((total, [, market]) => total + cashOf(market), 0);
  const markets = Object.fromEntries(traded.map(([symbol, market]) => [symbol, { cash: cashOf(market), profit: 0 }]));
  return { ...NO_LOSSES, cash, markets, held: Object.fromEntries(traded.map(([symbol, { position }]) => [symbol, position])) };
}

/** The profit alone, as it was last known, for a process on a new exchange: positions and losses of the earlier one ended with it. */
export function onlyProfitOf({ accounting }: Pick<RecoveredState, 'accounting'>): Pick<RecoveredState, 'accounting'> {
  if (accounting?.profit === undefined) return {};
  const byMarket = accounting.byMarket?.map(({ market, profit }) => ({ market, cash: profit, profit }));
  return { accounting: { ...NO_LOSSES, cash: accounting.profit, held: [], profit: accounting.profit, byMarket } };
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
    const { cash, held, profit, byMarket } = accounting.profit.carry();
    const texts = held.map(([id, size]) => {
      const market = this.#world.market(id);
      return [market.symbol, market.sizeText(size)] as const;
    });
    const markets =
      byMarket && Object.fromEntries(byMarket.map(({ market, ...part }) => [this.#world.market(market).symbol, part] as const));
    return [{ kind: 'losses', at: timeText(at), ...losses, cash, profit, held: Object.fromEntries(texts), ...(markets && { markets }) }];
  }

  #isDue({ day, hour, stopped, resumed, peak = 0, last }: LossCarry, at: Millis): boolean {
    const before = this.#written;
    if (before === undefined || day !== before.day || hour !== before.hour) return true;
    if (stopped.length !== before.stopped.length || resumed !== before.resumed) return true;
    if (this.#world.stopping !== undefined) return true;
    const equity = this.#world.account?.value.margins.mf ?? 0;
    if (peak - (before.peak ?? 0) > equity * HIGHER) return true;
    return at >= this.#writtenAt + EVERY && last !== before.last;
  }
}
