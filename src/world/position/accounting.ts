// Profit and loss of the account, updated by each event.
// `profit.ts`: profit from fills, marks and funding. `losses.ts`: losses by day, from the peak and by hour.
// `agreement.ts`, `market-agreement.ts`: whether fills explain positions. `holdings.ts`: what the account holds.
// `exposure.ts`: the worst-case position. `late-trades.ts`, `spot-fills.ts`: trades that the newest account may lack.
// `account-state.ts`: all of these for one account.
import type { Account } from '../../domain/account.ts';
import type { FundingCarry } from '../../domain/accounting/account-funding.ts';
import type { AccountSeen, Command, FillsSeen, InfoSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, MICROS_PER_UNIT } from '../../domain/numbers.ts';
import type { Seen } from '../seen.ts';
import { type LossCarry, Losses } from './losses.ts';
import { Profit, type ProfitCarry } from './profit.ts';

/** The state that a later process continues from. */
export interface AccountingCarry extends ProfitCarry, LossCarry {}

/** State that is needed besides the event. */
export interface AccountingInputs {
  readonly account: Seen<Account> | undefined;
  /** In seconds. */
  readonly engineTime: Seen<number> | undefined;
  /** The positions before the first fill. */
  baselines(): ReadonlyMap<MarketId, Lots>;
}

export class Accounting {
  readonly losses = new Losses();
  readonly profit: Profit;
  readonly #spot: readonly Market[];

  constructor(markets: readonly Market[]) {
    this.profit = new Profit(markets);
    this.#spot = markets.filter(({ spec }) => spec.kind === 'spot');
  }

  /** Must be called before any event. */
  resume(carry: AccountingCarry, funding: FundingCarry | undefined): void {
    this.profit.resume(carry, funding);
    this.losses.resume(carry);
  }

  apply(event: FillsSeen | AccountSeen | InfoSeen | Command, world: AccountingInputs): void {
    if (event.kind === 'fillsSeen') this.profit.filled(event);
    if (event.kind === 'accountSeen') this.profit.accountSeen(event.account);
    if (event.kind === 'command' && event.command === 'mode' && event.by !== undefined) this.losses.stopped(event.by);
    if (event.kind === 'command' && event.command === 'count-anew') this.losses.countAnew(event.stops);
    if (event.kind !== 'infoSeen') return;
    this.profit.infoSeen(event);
    this.profit.value(world.baselines());
    this.#updateLosses(world);
  }

  #updateLosses({ account, engineTime }: AccountingInputs): void {
    const profit = this.profit.total;
    if (account === undefined || engineTime === undefined || profit === undefined) return;
    this.losses.see({ profit, equity: this.#equity(account.value) }, engineTime.value);
  }

  /**
   * Returns the exchange's figure. That figure may omit spot balances, so with spot markets it is at least the value of the tokens that the run
   * trades.
   */
  #equity({ margins, balances }: Account): number {
    if (this.#spot.length === 0) return margins.mf;
    const amountOf = (token: number): number => balances.find(({ tokenId }) => tokenId === token)?.amount ?? 0;
    const base = this.#spot.reduce(
      (sum, market) => sum + (this.profit.worth(market.id, market.lots(amountOf(market.spec.baseTokenId))) ?? 0),
      0,
    );
    const quotes = new Set(this.#spot.map(({ spec }) => spec.quoteTokenId));
    const quote = [...quotes].reduce((sum, token) => sum + amountOf(token) * MICROS_PER_UNIT, 0);
    return Math.max(margins.mf, base + quote);
  }
}
