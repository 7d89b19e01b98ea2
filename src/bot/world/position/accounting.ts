// Profit and loss of the account, updated by each event.
// `profit.ts`: profit from fills, marks and funding. `losses.ts`: losses by day, from the peak and by hour.
// `agreement.ts`, `market-agreement.ts`: whether fills explain positions. `holdings.ts`: what the account holds.
// `bot/world/exposure.ts`: the worst-case position. `late-trades.ts`, `spot-fills.ts`: trades that the newest account may lack.
// `account-state.ts`: all of these for one account. `account-binding.ts`: which answers about the account are ours.
import type { Account } from '../../domain/account.ts';
import type { FundingCarry } from '../../domain/accounting/account-funding.ts';
import { areTotalsEqual, NO_TOTALS, type RunTotals } from '../../domain/accounting/run-totals.ts';
import type { AccountSeen, Command, FillsSeen, InfoSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, MICROS_PER_UNIT, micros } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import type { Seen } from '../seen.ts';
import { type LossCarry, Losses } from './losses.ts';
import { Profit, type ProfitCarry } from './profit.ts';

/** The state that a later process continues from. */
export interface AccountingCarry extends ProfitCarry, LossCarry {}

/** What an earlier process left: its profit and losses, its count of the funding, and its latest fills. */
export interface EarlierAccounting {
  readonly accounting?: AccountingCarry | undefined;
  readonly funding?: FundingCarry | undefined;
  readonly booked?: readonly Fill[] | undefined;
}

/** Returns the totals that a process left behind. */
export function totalsOf(earlier: EarlierAccounting, markets: readonly Market[]): RunTotals {
  const accounting = new Accounting(markets);
  accounting.resume(earlier);
  return accounting.totals;
}

/** State that is needed besides the event. */
export interface AccountingInputs {
  readonly account: Seen<Account> | undefined;
  /** In seconds. */
  readonly engineTime: Seen<number> | undefined;
  /** The positions before the first fill. */
  baselines(): ReadonlyMap<MarketId, Lots>;
  readonly binding: {
    /** The account's worth if a sudden change that our fills do not explain is left out; undefined if there is no such change. */
    readonly worthWithoutUnexplained: number | undefined;
  };
}

export class Accounting {
  losses = new Losses();
  profit: Profit;
  readonly #markets: readonly Market[];
  readonly #spot: readonly Market[];
  #earlier: EarlierAccounting = {};
  #totals = NO_TOTALS;
  /** The revision of the profit from which `#totals` was made. */
  #revision = -1;
  #dayOpening: number | undefined;

  constructor(markets: readonly Market[]) {
    this.profit = new Profit(markets);
    this.#markets = markets;
    this.#spot = markets.filter(({ spec }) => spec.kind === 'spot');
  }

  /**
   * The totals for displays, with the newest prices. Loss limits do not use these but the median of the last three readings. The same object
   * until a total changes. The realised profit of an earlier process is left out while the average entry of its positions is not known.
   */
  get totals(): RunTotals {
    const { profit, losses } = this;
    const opening = losses.dayOpening ?? profit.opening;
    if (profit.revision === this.#revision && opening === this.#dayOpening) return this.#totals;
    this.#revision = profit.revision;
    this.#dayOpening = opening;
    const total = profit.newest;
    const { fills, volume, fees } = profit.fills.totals();
    const { realised, funding } = profit;
    const totals: RunTotals = {
      profit: total,
      today: micros(total - (opening ?? total)),
      realised,
      fees: micros(fees),
      funding: funding.total,
      volume: micros(volume),
      fills,
      provisional: profit.fills.provisional,
    };
    if (!areTotalsEqual(totals, this.#totals)) this.#totals = totals;
    return this.#totals;
  }

  /** Must be called before any event. */
  resume(earlier: EarlierAccounting): void {
    this.#earlier = earlier;
    const { accounting, funding, booked } = earlier;
    if (accounting !== undefined) {
      this.profit.resume(accounting);
      this.losses.resume(accounting);
    }
    this.profit.resumeFunding(funding, booked);
  }

  /** Forgets the positions, the funding and the worth that accounts have shown to this process, because they were not ours. Must be called before any fill. */
  beginAnew(): void {
    [this.profit, this.losses, this.#revision] = [new Profit(this.#markets), new Losses(), -1];
    this.resume(this.#earlier);
  }

  apply(event: FillsSeen | AccountSeen | InfoSeen | Command, world: AccountingInputs): void {
    if (event.kind === 'fillsSeen') this.profit.filled(event);
    if (event.kind === 'accountSeen') this.profit.accountSeen(event);
    // a change of mode: `by` may name the loss limit that caused it
    if (event.kind === 'command' && event.command === 'mode' && event.by !== undefined) this.losses.stopped(event.by);
    // a person resumed: these stops count from here
    if (event.kind === 'command' && event.command === 'count-anew') this.losses.countAnew(event.stops);
    if (event.kind !== 'infoSeen') return;
    this.profit.infoSeen(event);
    this.profit.countBaselines(world.baselines());
    this.#updateLosses(world);
  }

  #updateLosses({ account, engineTime, binding }: AccountingInputs): void {
    const profit = this.profit.total;
    if (account === undefined || engineTime === undefined || profit === undefined) return;
    // an unexplained drop does not count as a loss until it is confirmed
    const equity = Math.max(this.worthOf(account.value), binding.worthWithoutUnexplained ?? Number.NEGATIVE_INFINITY);
    this.losses.see({ profit, equity }, engineTime.value, this.profit.opening);
  }

  /**
   * Returns what the account is worth by the exchange's figure, in millionths of the quote token. That figure may omit spot balances, so with spot
   * markets it is at least the value of the tokens that the run trades. With `spotApart` it never includes spot balances, so they are added.
   */
  worthOf({ margins, balances, spotApart }: Account): number {
    if (this.#spot.length === 0) return margins.mf;
    const amountOf = (token: number): number => balances.find(({ tokenId }) => tokenId === token)?.amount ?? 0;
    const base = this.#spot.reduce(
      (sum, market) => sum + (this.profit.worth(market.id, market.wholeLots(amountOf(market.spec.baseTokenId))) ?? 0),
      0,
    );
    const quotes = new Set(this.#spot.map(({ spec }) => spec.quoteTokenId));
    const quote = [...quotes].reduce((sum, token) => sum + amountOf(token) * MICROS_PER_UNIT, 0);
    return spotApart === true ? margins.mf + base + quote : Math.max(margins.mf, base + quote);
  }
}
