// Judges accounts by the exchange's update numbers. Drops older accounts. If the numbers have gone back or leapt although the accounts are newer, begins a
// new series. An account whose number does not fit the series is called stray. Of two strays in a row that fit each other, the second begins a new one if
//   - both show an action of ours that is newer than the last account of the series, or
//   - the second was requested later after that account arrived than any replica can lag (`NEWER_AFTER`).

import { Subject } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { memoizeLast } from '../../../../base/collections/recent.ts';
import type { SeenAnswer } from '../../../../base/streams/answer.ts';
import type { Account } from '../../../domain/account.ts';
import type { HealthSeen } from '../../../domain/event.ts';
import { compareIds, numberIn, type OrderId, seriesIn, type UpdateId } from '../../../domain/ids.ts';
import { ACCEPTED_AFTER } from '../../../world/orders/proof.ts';

/** An action of ours that the exchange executed: the order rests since then, or is gone. */
export interface ExecutedAction {
  /** When it was sent, and when its answer arrived. */
  readonly sent: Millis;
  readonly answered: Millis;
  /** Undefined if nothing rests, or if the receipt does not say. */
  readonly orderId: OrderId | undefined;
  readonly rests: boolean;
}

/** Numbers may count the actions of the whole exchange, or be times. Between two accounts they may grow by this much in each second, plus `MOST_AT_ONCE`. */
const MOST_PER_SECOND = 10_000_000_000n;
const MOST_AT_ONCE = 1_000_000_000_000n;
/**
 * A second stray is newer than the series if it was requested this long after the last account of the series arrived: five times the greatest lag of a
 * replica. If it has the number of the first stray, both may come from a cache: then the wait is ACCEPTED_AFTER, as for any other doubtful answer.
 */
const NEWER_AFTER: Millis = 10_000;
const ACTIONS_KEPT = 20;

interface Numbered {
  readonly number: UpdateId;
  /** When it arrived, and by how much the clock had jumped by then. */
  readonly at: Millis;
  readonly skipped: Millis;
}

/** An account outside of the series. */
interface Stray extends Numbered {
  readonly account: Account;
  /** True if it shows an action of ours that is newer than the series. */
  readonly isProved: boolean;
}

export class AccountSeries {
  readonly findings = new Subject<HealthSeen>();
  readonly #clock: Clock;
  readonly #named: (account: Account) => Account;
  #series: number;
  #newest: Numbered | undefined;
  #stray: Stray | undefined;
  #actions: ExecutedAction[] = [];
  #isReported = false;

  /** `earlier`: the number of the newest account that an earlier process of the run knew. */
  constructor({ clock, earlier }: { readonly clock: Clock; readonly earlier?: UpdateId | undefined }) {
    this.#clock = clock;
    this.#series = earlier === undefined ? 0 : seriesIn(earlier);
    this.#newest = earlier === undefined ? undefined : { number: numberIn(earlier), at: clock.now(), skipped: clock.skipped() };
    this.#named = memoizeLast((account) => ({ ...account, updateId: `${this.#series}/${account.updateId}` }));
  }

  /** Records an action that the exchange has executed. */
  executed(action: ExecutedAction): void {
    this.#actions = [...this.#actions, action].slice(-ACTIONS_KEPT);
  }

  /** Returns the account with its number in the series; undefined if it is not believed. */
  take({ value: account, asked, at }: SeenAnswer<Account>): Account | undefined {
    const newest = this.#newest;
    const number = account.updateId;
    if (newest === undefined || this.#follows(number, newest)) return this.#accepted(account, at);
    const before = this.#stray;
    const isNext = before !== undefined && this.#follows(number, before);
    const isProved = this.#showsNewer(account, { newest, asked, before: isNext ? before : undefined });
    this.#stray = { number, at, skipped: this.#clock.skipped(), account, isProved };
    // Without the time that the machine slept.
    const waited = asked - newest.at - (this.#clock.skipped() - newest.skipped);
    const isLate = isNext && waited >= (number === before.number ? ACCEPTED_AFTER : NEWER_AFTER);
    const leaps = compareIds(number, newest.number) > 0;
    if (isProved || isLate || leaps) this.#report(number, { newest: newest.number, isProved, leaps });
    if (!isNext || !(isLate || (isProved && before.isProved))) return undefined;
    this.#series += 1;
    return this.#accepted(account, at);
  }

  #accepted(account: Account, at: Millis): Account {
    this.#newest = { number: account.updateId, at, skipped: this.#clock.skipped() };
    this.#stray = undefined;
    this.#actions = this.#actions.filter(({ sent }) => sent >= at);
    if (this.#isReported) {
      this.#isReported = false;
      this.findings.next({ ...this.#finding, healthy: true, reason: `accounts are numbered from ${account.updateId} on` });
    }
    return this.#series === 0 ? account : this.#named(account);
  }

  /** True if the number is not lower, and not higher than actions or time can have made it. */
  #follows(number: UpdateId, { number: before, at }: Numbered): boolean {
    if (compareIds(number, before) < 0) return false;
    // Below MOST_AT_ONCE no leap is possible. Saves the BigInts: this runs for each account.
    if (number.length < MOST_AT_ONCE.toString().length) return true;
    const seconds = BigInt(Math.ceil(Math.max(0, this.#clock.now() - at) / 1_000));
    return BigInt(number) - BigInt(before) <= MOST_AT_ONCE + seconds * MOST_PER_SECOND;
  }

  /**
   * True if the account shows an action that was sent after the newest account of the series had arrived, and none that contradicts it. An order that
   * is gone shows a cancel only if the account before listed it, because an account from before the order lacks it too. A
   * successor of a proved account is proved too.
   */
  #showsNewer(
    { orders }: Account,
    { newest, asked, before }: { readonly newest: Numbered; readonly asked: Millis; readonly before: Stray | undefined },
  ): boolean {
    const lists = (orderId: OrderId | undefined, listed = orders): boolean => listed.some((order) => order.orderId === orderId);
    const relevant = this.#actions.filter(({ sent, answered }) => sent >= newest.at && answered <= asked);
    if (relevant.some(({ orderId, rests }) => !rests && lists(orderId))) return false;
    if (before?.isProved === true) return true;
    return relevant.some(({ orderId, rests }) => (rests ? lists(orderId) : before !== undefined && lists(orderId, before.account.orders)));
  }

  get #finding(): Pick<HealthSeen, 'kind' | 'at' | 'stream'> {
    return { kind: 'healthSeen', at: this.#clock.now(), stream: 'numbering' };
  }

  #report(number: UpdateId, { newest, isProved, leaps }: { newest: UpdateId; isProved: boolean; leaps: boolean }): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const how = isProved
      ? 'although it shows an action of ours that is newer'
      : leaps
        ? 'which no trading explains'
        : 'for longer than any replica lags';
    const reason = `the exchange numbers an account of ours ${number} after ${newest}, ${how}; it is believed again when two accounts in a row agree and show our newest action, or come later than any replica lags`;
    this.findings.next({ ...this.#finding, healthy: false, reason });
  }
}
