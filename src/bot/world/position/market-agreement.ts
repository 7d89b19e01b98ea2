// Checks for one market that each account shows the position before the run plus our fills since.
import type { Millis } from '../../../base/clock.ts';
import { type ActionId, compareIds, NO_ACTION } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots } from '../../domain/numbers.ts';
import { type Fill, positionChange } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';
import { ACCEPTED_AFTER, LAG } from '../orders/proof.ts';
import type { Fault } from '../seen.ts';

/** Number of consecutive unexplained accounts that make a fault. A single account may have been read in the middle of an update. */
const IN_A_ROW = 2;
/** No cache keeps an account for this long. */
const CACHED_FOR: Millis = 60_000;
/** Added to the assumed lag of the list of trades while the position before the run is unknown and there are trades. */
const MORE_LAG: Millis = 1_000;
/** Maximum number of accounts that wait for a poll of fills, and of unexplained ones that are remembered. */
const MAX_WAITING = 16;

interface Traded {
  /** Signed lots. */
  readonly change: number;
  /** Exchange time. */
  readonly time: Millis;
  readonly reportedAt: Millis;
  /** The action of the trade. */
  readonly actionId: ActionId;
  /** When its order was sent: an account that arrived before cannot include it. Undefined if that is not known. */
  readonly sentAt: Millis | undefined;
}

/** The least and the most that a position can be, in signed lots. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

export interface ShownPosition {
  readonly size: number;
  readonly asked: Millis;
  /** When the first account with the same number was requested. */
  readonly since: Millis;
  readonly at: Millis;
  /** The last action in the position; undefined if the account shows none. */
  readonly actionId: ActionId | undefined;
}

/**
 * An account must include the older fills and may include some newer ones, so it may show the position after any prefix of the fills that contains
 * the older ones.
 */
export class MarketAgreement {
  readonly #market: Market;
  readonly #alarms: Alarms;
  /** The possible positions before all fills; a single value once it is known. */
  #baselines: readonly number[] | undefined;
  /** True if an earlier process knew that position. */
  #isAdopted = false;
  /** `#sum`: the sum of the fills that every later account includes. `#recent`: the fills after them, ordered by time. */
  #sum = 0;
  /** The newest action of the fills in `#sum`. */
  #summedTo: ActionId = NO_ACTION;
  #recent: Traded[] = [];
  /** The sum of all fills. */
  #traded = 0;
  #hasTraded = false;
  /** What an account of the first moments may lack: the sums of the newest fills of earlier processes, and 0. */
  #missing: readonly number[] = [0];
  /** When the first account was requested. */
  #firstAsked: Millis | undefined;
  /** Accounts that were not explained by the fills received before them, but may be by later fills. Oldest first. */
  #waiting: ShownPosition[] = [];
  /** The newest accounts that no fills have explained. Later fills may still explain them. */
  #unexplained: readonly ShownPosition[] = [];
  #failed = 0;
  /** Spot markets only: the positions before all fills that the unexplained accounts imply. */
  #moved: { readonly baselines: readonly number[]; readonly since: Millis } | undefined;
  /** The newest account, if it agrees; `lacked`: the sum of fills received since that it must include, by its last action. */
  #agreed: { readonly shown: ShownPosition; lacked: number } | undefined;
  fault: Fault | undefined;
  isAccepted = false;

  constructor(market: Market, alarms: Alarms) {
    this.#market = market;
    this.#alarms = alarms;
  }

  get baseline(): Lots | undefined {
    const first = this.#baselines?.length === 1 ? this.#baselines[0] : undefined;
    return first === undefined ? undefined : lots(first);
  }

  /** True while fills that may still be listed would explain an account. */
  get awaitsFills(): boolean {
    return this.baseline !== undefined && this.#waiting.length > 0;
  }

  /** When the newest account was requested that our fills, also those received later, do not explain. */
  get disagreedAsOf(): Millis | undefined {
    return this.#unexplained.at(-1)?.asked;
  }

  /** When the newest account was requested if our fills explain its position. */
  get agreedAsOf(): Millis | undefined {
    return this.#agreed?.shown.asked;
  }

  get isSpot(): boolean {
    return this.#market.spec.kind === 'spot';
  }

  get explained(): Lots | undefined {
    const { baseline } = this;
    return baseline === undefined ? undefined : lots(baseline + this.#traded);
  }

  /** The bounds of `explained` while several positions before the fills are possible; undefined before the first account. */
  get explainedWithin(): Bounds | undefined {
    const baselines = this.#baselines ?? this.#waiting.flatMap((shown) => this.#possible(shown));
    if (baselines.length === 0) return undefined;
    return { low: Math.min(...baselines) + this.#traded, high: Math.max(...baselines) + this.#traded };
  }

  adopt(size: Lots): void {
    this.#baselines = [size];
    this.#isAdopted = true;
  }

  /** Learns the position before the fills from the next accounts, because those before were not ours. Keeps the one of an earlier process. */
  learnAnew(): void {
    if (this.#isAdopted) return;
    this.#baselines = undefined;
    [this.#waiting, this.#unexplained] = [[], []];
    [this.#failed, this.fault, this.isAccepted, this.#agreed] = [0, undefined, false, undefined];
  }

  /** `changes`: the newest fills of earlier processes in signed lots, newest first. */
  adoptFills(changes: readonly number[]): void {
    let sum = 0;
    this.#missing = [0, ...changes.map((change) => (sum += change))];
  }

  add(fill: Fill, { reportedAt, sentAt }: Pick<Traded, 'reportedAt' | 'sentAt'>): void {
    this.#hasTraded = true;
    const { time, actionId } = fill;
    const before = this.#recent.findLastIndex((other) => other.time <= time);
    const change = positionChange(fill);
    this.#traded += change;
    this.#recent.splice(before + 1, 0, { change, time, actionId, reportedAt, sentAt });
    if (this.#agreed !== undefined && includes(this.#agreed.shown, actionId)) this.#agreed.lacked += change;
    this.#unexplained = this.#unexplained.filter((shown) => !this.#isExplained(shown));
  }

  accountSeen(shown: ShownPosition): void {
    this.#firstAsked ??= shown.asked;
    if (this.#waiting.length === 0) this.#sumUp(shown);
    if (this.#isExplained(shown)) return this.#agrees(shown);
    this.#waiting.push(shown);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.splice(1, 1); // the first one shows the position before the fills best
  }

  /**
   * Checks the waiting accounts that arrived before `asked`: all trades made before that time have been received. A wrong position before the run
   * would stay, so while it is unknown and there were trades, the accounts wait longer.
   */
  checkBefore(asked: Millis, now: Millis): void {
    const agreed = this.#agreed;
    if (agreed !== undefined && agreed.lacked !== 0 && agreed.shown.at <= asked && this.baseline !== undefined)
      this.#disagrees(agreed.shown, now); // it agreed only because trades were listed late
    const until = this.baseline === undefined && this.#hasTraded ? asked - MORE_LAG : asked;
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= until) {
      const [shown] = this.#waiting.splice(0, 1) as [ShownPosition];
      this.#sumUp(shown);
      const isNewest = this.#agreed === undefined || shown.at > this.#agreed.shown.at;
      if (isNewest) this.#check(shown, now);
      else if (!this.#isExplained(shown)) this.#stayedUnexplained(shown); // the newer one may agree only because two missing trades cancel each other out
    }
  }

  /** True if the fills already received explain the account. */
  #isExplained(shown: ShownPosition): boolean {
    const { baseline } = this;
    if (baseline === undefined) return false;
    if (this.#recent.length > 0) return this.#possible(shown).includes(baseline);
    return shown.size === baseline + this.#sum && !excludes(shown, this.#summedTo);
  }

  #check(shown: ShownPosition, now: Millis): void {
    const possible = this.#possible(shown);
    const left = this.#baselines?.filter((baseline) => possible.includes(baseline)) ?? possible;
    if (left.length > 0) {
      this.#baselines = left;
      return this.#agrees(shown);
    }
    if (this.baseline === undefined)
      this.#baselines = possible; // a foreign trade was made before the first position was known
    else {
      this.#disagrees(shown, now);
      if (this.isSpot) this.#balanceMoved(shown, { possible, now });
    }
  }

  /**
   * Returns the positions before all fills that the account implies: one for each prefix of the fills that it may include. An account that lacks fills
   * of earlier processes lacks all of this one. None if its last action is older than a fill that it must include.
   */
  #possible(shown: ShownPosition): readonly number[] {
    const { size, at } = shown;
    const mustHold = this.#mustHold(shown);
    if (this.#isOld(shown)) return [];
    const isKnown = this.baseline !== undefined;
    const later = this.#recent.findIndex(
      ({ sentAt, actionId }) => (sentAt !== undefined && sentAt >= at) || (isKnown && excludes(shown, actionId)),
    );
    const mayHold = later === -1 ? this.#recent.length : Math.max(mustHold, later);
    const possible = new Set<number>(mustHold === 0 ? this.#missingIn(shown).map((missing) => size + missing - this.#sum) : []);
    let sum = this.#sum;
    for (let count = 0; count <= mayHold; count++) {
      if (count > 0) sum += this.#recent[count - 1]?.change ?? 0;
      if (count >= mustHold) possible.add(size - sum);
    }
    return [...possible];
  }

  /** True if the last action in the position is older than a fill that the account must include. */
  #isOld(shown: ShownPosition): boolean {
    if (this.baseline === undefined) return false;
    const held = this.#recent.slice(0, this.#mustHold(shown));
    return excludes(shown, this.#summedTo) || held.some(({ actionId }) => excludes(shown, actionId));
  }

  /** An account with the number of the first one may come from a cache, and be older than this process. No cache lags for CACHED_FOR. */
  #missingIn({ since, asked }: ShownPosition): readonly number[] {
    const { baseline } = this;
    const first = this.#firstAsked ?? asked;
    return baseline === undefined && since < first + LAG && asked < first + CACHED_FOR ? this.#missing : [];
  }

  #agrees(shown: ShownPosition): void {
    this.#failed = 0;
    this.#moved = undefined;
    this.#agreed = { shown, lacked: 0 };
    this.fault = undefined;
    this.isAccepted = false;
  }

  #stayedUnexplained(shown: ShownPosition): void {
    this.#unexplained = [...this.#unexplained.slice(1 - MAX_WAITING), shown];
  }

  #disagrees(shown: ShownPosition, now: Millis): void {
    const { size, actionId } = shown;
    this.#failed += 1;
    this.#stayedUnexplained(shown);
    this.#agreed = undefined;
    if (this.#failed < IN_A_ROW) return;
    const text = (held: number): string => this.#market.sizeText(lots(held));
    const otherwise = this.isSpot ? ', or the balance was moved otherwise' : '';
    const why = this.#isOld(shown)
      ? `the account shows it as of action ${actionId}, which is older than our fills`
      : `a trade is missing from the record, or it was not ours${otherwise}`;
    const reason = `the position is ${text(size)}, our fills explain ${text(this.explained ?? 0)}: ${why}`;
    if (this.fault === undefined) this.#alarms.raise({ name: 'position', market: this.#market.id, reason });
    this.fault = { reason, since: this.fault?.since ?? now };
    this.isAccepted = now - this.fault.since >= ACCEPTED_AFTER;
  }

  /**
   * Accepts a spot balance that differs by the same amount for ACCEPTED_AFTER, whatever we trade meanwhile: it was changed by a deposit, a withdrawal or a
   * foreign trade.
   */
  #balanceMoved(shown: ShownPosition, { possible, now }: { possible: readonly number[]; now: Millis }): void {
    const before = this.#moved;
    const same = before?.baselines.filter((baseline) => possible.includes(baseline)) ?? [];
    this.#moved = before === undefined || same.length === 0 ? { baselines: possible, since: now } : { ...before, baselines: same };
    const [baseline] = this.#moved.baselines;
    const by = baseline === undefined ? 0 : baseline - (this.baseline ?? 0);
    if (this.#moved.baselines.length !== 1 || now - this.#moved.since < ACCEPTED_AFTER) return;
    this.#baselines = this.#moved.baselines;
    const reason = `the balance has been off by ${this.#market.sizeText(lots(by))} for ${ACCEPTED_AFTER / 1_000} s: counted as a deposit or a withdrawal from now on`;
    this.#alarms.raise({ name: 'position', market: this.#market.id, reason });
    this.#agrees(shown);
  }

  /**
   * Returns how many fills the account must include: those received at least LAG before it was requested, and those until the last action in its
   * position. While the position before the run is unknown, only the first, and an account with an unchanged update number counts as requested when that
   * number first appeared.
   */
  #mustHold(shown: ShownPosition): number {
    const isKnown = this.baseline !== undefined;
    const from = (isKnown ? shown.asked : shown.since) - LAG;
    return this.#recent.findLastIndex(({ reportedAt, actionId }) => reportedAt <= from || (isKnown && includes(shown, actionId))) + 1;
  }

  /** Moves the fills that the account must include to `#sum`: all later accounts include them too. */
  #sumUp(shown: ShownPosition): void {
    const held = this.#mustHold(shown);
    if (held === 0) return;
    for (const { change, actionId } of this.#recent.splice(0, held)) {
      this.#sum += change;
      if (compareIds(actionId, this.#summedTo) > 0) this.#summedTo = actionId;
    }
  }
}

/** True if the account must include the trades of that action. */
const includes = ({ actionId: last }: ShownPosition, actionId: ActionId): boolean =>
  last !== undefined && last !== NO_ACTION && actionId !== NO_ACTION && compareIds(actionId, last) <= 0;

/** True if the account cannot include the trades of that action, because an older one is the last in its position. */
const excludes = ({ actionId: last }: ShownPosition, actionId: ActionId): boolean =>
  last !== undefined && last !== NO_ACTION && actionId !== NO_ACTION && compareIds(actionId, last) > 0;
