// Decides whether an answer of the exchange shows our account or another one: by our orders in it, and by the positions and the worth that our fills
// explain. An answer that is not ours changes nothing in the world; until one is ours again, a gate holds (`bot/risk/gates/account.ts`).
import type { Millis } from '../../../base/clock.ts';
import { counted } from '../../../base/text/phrases.ts';
import type { Account } from '../../domain/account.ts';
import type { AccountSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, MICROS_PER_UNIT } from '../../domain/numbers.ts';
import type { Alarms } from '../alarms.ts';
import { ACCEPTED_AFTER, LAG } from '../orders/proof.ts';
import type { Fault } from '../seen.ts';
import type { AccountState } from './account-state.ts';
import type { Accounting } from './accounting.ts';

/** Answers that are not ours for this long raise an alarm. */
const ALARM_AFTER: Millis = 30_000;
/** Between two answers, the worth may move without a fill or a price by this fraction of the sum of the worth and the notional of the positions. */
const WORTH_TOLERANCE = 0.1;

export interface AccountBindingParts {
  readonly markets: readonly Market[];
  readonly accountState: AccountState;
  readonly accounting: Accounting;
  readonly alarms: Alarms;
  /** False if the accounts come from the exchange in this process, which never answers wrongly: each is then ours. */
  readonly isActive: boolean;
}

/** Why an answer is not ours, and how long answers must agree on it until it is accepted nevertheless. */
interface Contradiction {
  readonly reason: string;
  readonly acceptedAfter: Millis;
}

/** Answers in a row that are not ours. */
interface Doubt extends Contradiction {
  /** When the first of them arrived. */
  readonly since: Millis;
  /** The first answer that agrees with the newest one. */
  readonly first: AccountSeen;
  /** True if an alarm was raised. */
  readonly isReported: boolean;
}

/** What an account is worth, and the profit by our fills at that time, in millionths of the quote token. */
interface Worth {
  readonly worth: number;
  readonly profit: number | undefined;
}

/** A change of the worth that no fill explains, and when the first account that shows it was requested. */
interface Shift {
  readonly by: number;
  readonly since: Millis;
}

export class AccountBinding {
  readonly #parts: AccountBindingParts;
  #doubt: Doubt | undefined;
  /** When the oldest and the newest account since the last doubt were requested. */
  #bound: { readonly first: Millis; readonly newest: Millis } | undefined;
  /** The last worth that our fills explain. */
  #explained: Worth | undefined;
  #shift: Shift | undefined;
  /** When the first of the accounts in a row was requested that are bankrupt or below their maintenance margin. */
  #failingSince: Millis | undefined;
  /** False until an account has shown an order of ours: the first accounts may then all have been another one's. */
  #hasShownOurs = false;

  constructor(parts: AccountBindingParts) {
    this.#parts = parts;
  }

  /** Why the newest answers are not believed to be ours; undefined while they are. */
  get fault(): Fault | undefined {
    return this.#doubt;
  }

  /** True if our fills and two accounts, requested at least LAG apart, agree, so that a decision that only a person can undo may rest on them. */
  get isConfirmed(): boolean {
    const { isActive, accountState, markets } = this.#parts;
    if (!isActive) return true;
    if (this.#doubt !== undefined || this.#bound === undefined || this.#bound.newest < this.#bound.first + LAG) return false;
    const { agreement } = accountState;
    return markets.every(({ id }) => agreement.unexplained(id) === undefined || agreement.isAccepted(id));
  }

  /** `confirmed` if two accounts, requested at least LAG apart, are bankrupt or below their maintenance margin; `once` if only the newest is. */
  get failing(): 'confirmed' | 'once' | undefined {
    if (!this.#parts.isActive) return isFailing(this.#parts.accountState.holdings.account?.value) ? 'confirmed' : undefined;
    if (this.#failingSince === undefined || this.#bound === undefined) return undefined;
    return this.#doubt === undefined && this.#bound.newest >= this.#failingSince + LAG ? 'confirmed' : 'once';
  }

  /** True while an account that arrived until then shows a position that only fills which may still be listed would explain. */
  awaitsFills(until: Millis): boolean {
    return this.#parts.accountState.agreement.awaitsFills(until);
  }

  /** What the account would be worth without a change that no fill explains and that may be wrong; undefined if there is none. */
  get worthWithoutUnexplained(): number | undefined {
    return this.#shift === undefined ? undefined : this.#expectedWorth();
  }

  /** The position that the newest account shows and the one that our fills explain, if they differ and neither has been accepted. */
  disagreement(market: MarketId): { readonly shown: Lots; readonly explained: Lots } | undefined {
    const { holdings, agreement } = this.#parts.accountState;
    const shown = holdings.position(market)?.size ?? lots(0);
    const explained = agreement.explained(market);
    return explained === undefined || explained === shown || agreement.isAccepted(market) ? undefined : { shown, explained };
  }

  /** Judges an answer. Returns false if it is not ours: nothing may then follow from it. */
  accepts(answer: AccountSeen): boolean {
    if (!this.#parts.isActive) return true;
    const contradiction = this.#findContradiction(answer.account);
    if (contradiction === undefined) {
      this.#doubt = undefined;
      this.#recordAnswer(answer, answer.asked);
      return true;
    }
    const doubt = this.#recordDoubt(answer, contradiction);
    if (answer.asked < doubt.first.asked + contradiction.acceptedAfter) return false;
    // answers have agreed for long enough: this one is accepted although it contradicts what is known
    this.#doubt = undefined;
    if (contradiction.acceptedAfter > LAG) this.#forget();
    else if (this.#hasNothingOfOurs) this.#learnAnew();
    else this.#shift = { by: this.#worthOf(answer.account) - (this.#expectedWorth() ?? 0), since: doubt.first.asked };
    this.#recordAnswer(answer, doubt.first.asked);
    return true;
  }

  /** Counts an answer that is not ours. Answers that differ from those before begin anew. */
  #recordDoubt(answer: AccountSeen, contradiction: Contradiction): Doubt {
    const { at, account } = answer;
    const before = this.#doubt;
    const isSame = before?.acceptedAfter === contradiction.acceptedAfter && this.#isNear(before.first.account, account);
    const since = before?.since ?? at;
    const isReported = before?.isReported === true || at - since >= ALARM_AFTER;
    if (isReported && before?.isReported !== true)
      this.#parts.alarms.raise({ name: 'account', reason: `${contradiction.reason}; nothing is placed until an answer is ours again` });
    this.#doubt = { ...contradiction, since, isReported, first: isSame ? before.first : answer };
    this.#bound = undefined;
    this.#failingSince = undefined;
    return this.#doubt;
  }

  /**
   * Records an accepted answer. `first`: when the first of the answers was requested that agree with it. While its worth is shifted, the explained worth stays;
   * after ACCEPTED_AFTER the shifted worth counts as explained.
   */
  #recordAnswer({ account, asked }: AccountSeen, first: Millis): void {
    this.#bound = { first: this.#bound?.first ?? first, newest: asked };
    this.#failingSince = isFailing(account) ? (this.#failingSince ?? first) : undefined;
    if (this.#shift !== undefined && this.#shift.since >= first) return; // just found
    const worth = this.#worthOf(account);
    const isShifted = this.#shift !== undefined && !this.#isExplained(worth, this.#expectedWorth(), account);
    if (isShifted && asked < this.#shift!.since + ACCEPTED_AFTER) return;
    this.#shift = undefined;
    this.#explained = { worth, profit: this.#parts.accounting.profit.total };
  }

  /**
   * Returns why an answer is not ours; undefined if nothing speaks against it. It is not ours if it lists none of our orders and two of these differ from what
   * we know: orders, a position, the worth. It is not believed either if it contradicts itself, or if only its worth cannot be explained.
   */
  #findContradiction(account: Account): Contradiction | undefined {
    const { isOurs, missing } = this.#ordersIn(account);
    const position = this.#impossiblePosition(account);
    const isFirstWithOurs = isOurs && !this.#hasShownOurs;
    this.#hasShownOurs ||= isOurs;
    const worth = this.#worthOf(account);
    const expected = this.#expectedWorth();
    const isExplained = this.#isExplained(worth, expected, account);
    if (isFirstWithOurs && position !== undefined && !isExplained) {
      this.#learnAnew(); // the accounts before showed nothing of ours, and this one does
      return undefined;
    }
    const orders = missing === 0 ? undefined : `none of our ${counted(missing, 'order')}`;
    const value = isExplained ? undefined : `a worth of ${money(worth)}, where our fills explain ${money(expected ?? 0)}`;
    const against = [orders, position, value].filter((part) => part !== undefined);
    if (!isOurs && against.length > 1)
      return { reason: `the exchange shows an account that is not ours: ${against.join('; ')}`, acceptedAfter: ACCEPTED_AFTER };
    const { bankruptcy, mf, mmf } = account.margins;
    if (bankruptcy && mf >= mmf)
      return {
        reason: `the exchange reports the account as bankrupt and as worth ${money(mf)}, which contradict each other`,
        acceptedAfter: ACCEPTED_AFTER,
      };
    const isShort = worth <= 0 || mf < mmf;
    if (expected === undefined && isShort && this.#moneyIn(account) > Math.max(0, mmf))
      return {
        reason: `the exchange shows a worth of ${money(worth)} beside balances and positions of more`,
        acceptedAfter: ACCEPTED_AFTER,
      };
    if (isExplained || this.#isKnownShift(worth, account)) return undefined;
    return { reason: `the exchange shows ${value}`, acceptedAfter: isShort ? ACCEPTED_AFTER : LAG };
  }

  /** `missing`: the number of our orders that rested in the last account, if this one lists no order of ours. */
  #ordersIn({ orders }: Account): { readonly isOurs: boolean; readonly missing: number } {
    const ours = this.#parts.accountState.orders;
    const isOurs = orders.some((order) => ours.foreign.isOurs(order));
    return { isOurs, missing: isOurs ? 0 : ours.live().filter(({ status, missing }) => status === 'open' && missing !== true).length };
  }

  /** Returns the first position that neither our fills nor any fill of our orders explains. */
  #impossiblePosition({ positions }: Account): string | undefined {
    const { holdings, agreement } = this.#parts.accountState;
    if (holdings.account === undefined) return undefined;
    for (const market of this.#parts.markets) {
      const { id } = market;
      const size = positions.find((position) => position.market === id)?.size ?? 0;
      const explained = agreement.explained(id) ?? holdings.held(id);
      const { low, high, bids, asks } = holdings.exposure(id);
      if (size === explained || (size >= low - asks && size <= high + bids)) continue;
      return `a position of ${market.sizeText(lots(size))}, where our fills explain ${market.sizeText(explained)}`;
    }
    return undefined;
  }

  /** Returns the last worth that our fills explain, with the profit since; undefined while either is not known. */
  #expectedWorth(): number | undefined {
    const { total } = this.#parts.accounting.profit;
    const before = this.#explained;
    return before?.profit === undefined || total === undefined ? undefined : before.worth + total - before.profit;
  }

  #worthOf(account: Account): number {
    return this.#parts.accounting.worthOf(account);
  }

  /** Quote money and unrealised profit, in millionths: what an account is worth at least, also to a process that knows nothing of it yet. */
  #moneyIn({ balances, positions }: Account): number {
    const quotes = new Set(this.#parts.markets.map(({ spec }) => spec.quoteTokenId));
    const cash = balances.reduce((sum, { tokenId, amount }) => (quotes.has(tokenId) ? sum + amount * MICROS_PER_UNIT : sum), 0);
    return positions.reduce((sum, { tradingPnl, fundingPaymentPnl }) => sum + tradingPnl + fundingPaymentPnl, cash);
  }

  /** True if a worth is near the expected one, or none is expected. */
  #isExplained(worth: number, expected: number | undefined, account: Account): boolean {
    return expected === undefined || Math.abs(worth - expected) <= this.#toleranceOf(expected, account);
  }

  /** True if a worth is what our fills explain, plus the shift that was accepted before. */
  #isKnownShift(worth: number, account: Account): boolean {
    const expected = this.#expectedWorth();
    return this.#shift !== undefined && expected !== undefined && this.#isExplained(worth, expected + this.#shift.by, account);
  }

  /** Returns how far a worth may be off. The notional in the answer may be wrong too, so it counts only up to that in the last accepted answer. */
  #toleranceOf(worth: number, { margins: { pn } }: Account): number {
    const accepted = this.#parts.accountState.holdings.account?.value.margins.pn ?? pn;
    return WORTH_TOLERANCE * (Math.abs(worth) + Math.min(accepted, pn));
  }

  /** True if both accounts may be answers about the same account at slightly different times. */
  #isNear(one: Account, other: Account): boolean {
    return one.margins.bankruptcy === other.margins.bankruptcy && this.#isExplained(this.#worthOf(one), this.#worthOf(other), other);
  }

  /**
   * True until an order or a fill shows that an answer is of our account. Until then an answer with another worth is as credible as those before it, which
   * may have shown another account.
   */
  get #hasNothingOfOurs(): boolean {
    return !this.#hasShownOurs && this.#parts.accounting.totals.fills === 0;
  }

  /** Begins anew, because the accounts before may have been of another account. */
  #learnAnew(): void {
    this.#forget();
    this.#parts.accountState.agreement.learnAnew();
    if (this.#parts.accounting.totals.fills === 0) this.#parts.accounting.beginAnew();
  }

  /** Forgets what the accounts before have shown. */
  #forget(): void {
    [this.#explained, this.#shift, this.#bound, this.#failingSince] = [undefined, undefined, undefined, undefined];
  }
}

const isFailing = (account: Account | undefined): boolean =>
  account !== undefined && (account.margins.bankruptcy || account.margins.mf < account.margins.mmf);

const money = (amount: number): string => (amount / MICROS_PER_UNIT).toFixed(2);
