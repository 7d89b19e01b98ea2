// Checks for one market that each account snapshot shows the baseline plus our fills. The baseline is the position before our first fill. A snapshot may be
// older than our newest fills, so it may show the baseline plus only the earlier ones.
import type { Millis } from '../../../base/clock.ts';
import { type ActionId, compareIds, NO_ACTION } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots } from '../../domain/numbers.ts';
import { type Fill, positionChange } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';
import { ACCEPTED_AFTER, LAG } from '../orders/proof.ts';
import type { Fault } from '../seen.ts';

/** Number of consecutive unexplained snapshots that make a fault. A single one may have been read in the middle of an update. */
const IN_A_ROW = 2;
/** No cache keeps a snapshot for this long. */
const CACHED_FOR: Millis = 60_000;
/** Added to the assumed lag of the list of trades while the baseline is unknown and there are trades. */
const MORE_LAG: Millis = 1_000;
/** Maximum number of snapshots that wait for a poll of fills, and of unexplained ones that are remembered. */
const MAX_WAITING = 16;

interface Traded {
  /** Signed lots. */
  readonly change: number;
  /** Exchange time. */
  readonly time: Millis;
  readonly reportedAt: Millis;
  /** The action of the trade. */
  readonly actionId: ActionId;
  /** When its order was sent: a snapshot that arrived before cannot include the trade. Undefined if that is not known. */
  readonly sentAt: Millis | undefined;
}

/** The least and the most that a position can be, in signed lots. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** The position in one account snapshot. */
export interface ShownPosition {
  readonly size: number;
  readonly asked: Millis;
  /** When the first snapshot with the same update number was requested. */
  readonly since: Millis;
  readonly at: Millis;
  /** The last action in the position; undefined if the snapshot shows none. */
  readonly actionId: ActionId | undefined;
}

/**
 * Fills are ordered by time. A snapshot must include those up to some fill and may include any number of the next ones: its position is the baseline plus
 * the sum of the fills up to one of these. Example: a baseline of 10, then fills of +2, which it must include, and +3. The snapshot may show 12 or 15.
 */
export class MarketAgreement {
  readonly #market: Market;
  readonly #alarms: Alarms;
  /** The possible baselines; a single value once the baseline is known. */
  #baselines: readonly number[] | undefined;
  /** True if an earlier process knew the baseline. */
  #isAdopted = false;
  /** The sum of the fills that every later snapshot includes. */
  #sum = 0;
  /** The newest action of the fills in `#sum`. */
  #summedTo: ActionId = NO_ACTION;
  /** The fills after those in `#sum`, ordered by time. */
  #recent: Traded[] = [];
  /** The sum of all fills. */
  #traded = 0;
  #hasTraded = false;
  /** What a snapshot of the first moments may lack: the sums of the newest 0, 1, 2 … fills of earlier processes. */
  #missing: readonly number[] = [0];
  /** The trades from before the first fill of this process: a snapshot whose last action is older than theirs lacks them. */
  #earlier: Pick<Traded, 'change' | 'actionId'>[] = [];
  /** When the first snapshot was requested. */
  #firstAsked: Millis | undefined;
  /** Snapshots that the fills received before them do not explain, but later fills may. Oldest first. */
  #waiting: ShownPosition[] = [];
  /** The newest snapshots that no fills have explained. Later fills may still explain them. */
  #unexplained: readonly ShownPosition[] = [];
  #failed = 0;
  /** Spot markets only: the baselines that the unexplained snapshots imply. */
  #moved: { readonly baselines: readonly number[]; readonly since: Millis } | undefined;
  /** The newest snapshot, if it agrees; `lacked`: the sum of the fills received later although the snapshot's last action covers them. */
  #agreed: { readonly shown: ShownPosition; lacked: number } | undefined;
  fault: Fault | undefined;
  /** True if the disagreement has lasted ACCEPTED_AFTER. */
  isAccepted = false;

  constructor(market: Market, alarms: Alarms) {
    this.#market = market;
    this.#alarms = alarms;
  }

  get baseline(): Lots | undefined {
    const first = this.#baselines?.length === 1 ? this.#baselines[0] : undefined;
    return first === undefined ? undefined : lots(first);
  }

  /** True while a snapshot that arrived by `until` waits for fills that are not listed yet and may explain it. */
  awaitsFills(until: Millis): boolean {
    const [oldest] = this.#waiting;
    return this.baseline !== undefined && oldest !== undefined && oldest.at <= until;
  }

  /** When the newest snapshot was requested that our fills, also those received later, do not explain. */
  get disagreedAsOf(): Millis | undefined {
    return this.#unexplained.at(-1)?.asked;
  }

  /** When the newest snapshot was requested, if our fills explain its position. */
  get agreedAsOf(): Millis | undefined {
    return this.#agreed?.shown.asked;
  }

  get isSpot(): boolean {
    return this.#market.spec.kind === 'spot';
  }

  /** The baseline plus all our fills; undefined while the baseline is unknown. */
  get explained(): Lots | undefined {
    const { baseline } = this;
    return baseline === undefined ? undefined : lots(baseline + this.#traded);
  }

  /** The bounds of `explained` while several baselines are possible; undefined before the first snapshot. */
  get explainedWithin(): Bounds | undefined {
    const baselines = this.#baselines ?? this.#waiting.flatMap((shown) => this.#baselinesImpliedBy(shown));
    if (baselines.length === 0) return undefined;
    return { low: Math.min(...baselines) + this.#traded, high: Math.max(...baselines) + this.#traded };
  }

  /** Takes over the baseline of an earlier process. */
  adopt(size: Lots): void {
    this.#baselines = [size];
    this.#isAdopted = true;
  }

  /** Learns the baseline from the next snapshots, because those before were not of our account. Keeps the baseline of an earlier process. */
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

  /** Adds a trade from before the run, or one that an earlier process has reported. */
  addEarlier(fill: Fill): void {
    this.#earlier.push({ change: positionChange(fill), actionId: fill.actionId });
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
    if (this.#waiting.length === 0) this.#sumIncluded(shown);
    if (this.#isExplained(shown)) return this.#recordAgreement(shown);
    this.#waiting.push(shown);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.splice(1, 1); // the first one shows the baseline best
  }

  /**
   * Checks the waiting snapshots that arrived before `asked`: all trades made before that time have been received. A wrong baseline would never be
   * corrected, so while it is unknown and there were trades, the snapshots wait longer.
   */
  checkBefore(asked: Millis, now: Millis): void {
    const agreed = this.#agreed;
    if (agreed !== undefined && agreed.lacked !== 0 && agreed.shown.at <= asked && this.baseline !== undefined)
      this.#recordDisagreement(agreed.shown, now); // it agreed only because trades were listed late
    const until = this.baseline === undefined && this.#hasTraded ? asked - MORE_LAG : asked;
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= until) {
      const [shown] = this.#waiting.splice(0, 1) as [ShownPosition];
      this.#sumIncluded(shown);
      const isNewest = this.#agreed === undefined || shown.at > this.#agreed.shown.at;
      if (isNewest) this.#check(shown, now);
      else if (!this.#isExplained(shown)) this.#keepUnexplained(shown); // the newer one may agree only because two missing trades cancel each other out
    }
  }

  /** True if the fills already received explain the snapshot. */
  #isExplained(shown: ShownPosition): boolean {
    const { baseline } = this;
    if (baseline === undefined) return false;
    if (this.#recent.length > 0) return this.#baselinesImpliedBy(shown).includes(baseline);
    return shown.size === baseline + this.#sum && !excludes(shown, this.#summedTo);
  }

  #check(shown: ShownPosition, now: Millis): void {
    const possible = this.#baselinesImpliedBy(shown);
    const left = this.#baselines?.filter((baseline) => possible.includes(baseline)) ?? possible;
    if (left.length > 0) {
      this.#baselines = left;
      return this.#recordAgreement(shown);
    }
    if (this.baseline === undefined)
      this.#baselines = possible; // somebody else traded before the baseline was known
    else {
      this.#recordDisagreement(shown, now);
      if (this.isSpot) this.#acceptMovedBalance(shown, { possible, now });
    }
  }

  /**
   * Returns the baselines that the snapshot implies: one for each number of fills that it may include. None if its last action is older than a fill that
   * it must include. A snapshot that lacks fills of earlier processes lacks all fills of this one.
   */
  #baselinesImpliedBy(shown: ShownPosition): readonly number[] {
    const { size, at } = shown;
    const mustHold = this.#countIncluded(shown);
    if (this.#isOld(shown)) return [];
    const isKnown = this.baseline !== undefined;
    const later = this.#recent.findIndex(
      ({ sentAt, actionId }) => (sentAt !== undefined && sentAt >= at) || (isKnown && excludes(shown, actionId)),
    );
    const mayHold = later === -1 ? this.#recent.length : Math.max(mustHold, later);
    const possible = new Set<number>(mustHold === 0 ? this.#sumsMissingIn(shown).map((missing) => size + missing - this.#sum) : []);
    let sum = this.#sum;
    for (let count = 0; count <= mayHold; count++) {
      if (count > 0) sum += this.#recent[count - 1]?.change ?? 0;
      if (count >= mustHold) possible.add(size - sum);
    }
    return [...possible];
  }

  /** True if the last action in the position is older than a fill that the snapshot must include. */
  #isOld(shown: ShownPosition): boolean {
    if (this.baseline === undefined) return false;
    const held = this.#recent.slice(0, this.#countIncluded(shown));
    return excludes(shown, this.#summedTo) || held.some(({ actionId }) => excludes(shown, actionId));
  }

  /**
   * Returns what a snapshot may lack of the trades before the first fill of this process, because it comes from a cache, for CACHED_FOR at most: the newest
   * fills of earlier processes, if it has the update number of the first; and the trades after its last action, unless the exchange has rolled them back.
   */
  #sumsMissingIn(shown: ShownPosition): readonly number[] {
    const { since, asked } = shown;
    const first = this.#firstAsked ?? asked;
    if (this.baseline !== undefined || asked >= first + CACHED_FOR) return [];
    const later = this.#earlier.filter(({ actionId }) => excludes(shown, actionId));
    return [...(since < first + LAG ? this.#missing : []), later.reduce((sum, { change }) => sum + change, 0)];
  }

  #recordAgreement(shown: ShownPosition): void {
    this.#failed = 0;
    this.#moved = undefined;
    this.#agreed = { shown, lacked: 0 };
    this.fault = undefined;
    this.isAccepted = false;
  }

  #keepUnexplained(shown: ShownPosition): void {
    this.#unexplained = [...this.#unexplained.slice(1 - MAX_WAITING), shown];
  }

  #recordDisagreement(shown: ShownPosition, now: Millis): void {
    const { size, actionId } = shown;
    this.#failed += 1;
    this.#keepUnexplained(shown);
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
  #acceptMovedBalance(shown: ShownPosition, { possible, now }: { possible: readonly number[]; now: Millis }): void {
    const before = this.#moved;
    const same = before?.baselines.filter((baseline) => possible.includes(baseline)) ?? [];
    this.#moved = before === undefined || same.length === 0 ? { baselines: possible, since: now } : { ...before, baselines: same };
    const [baseline] = this.#moved.baselines;
    const by = baseline === undefined ? 0 : baseline - (this.baseline ?? 0);
    if (this.#moved.baselines.length !== 1 || now - this.#moved.since < ACCEPTED_AFTER) return;
    this.#baselines = this.#moved.baselines;
    const reason = `the balance has been off by ${this.#market.sizeText(lots(by))} for ${ACCEPTED_AFTER / 1_000} s: counted as a deposit or a withdrawal from now on`;
    this.#alarms.raise({ name: 'position', market: this.#market.id, reason });
    this.#recordAgreement(shown);
  }

  /**
   * Returns how many fills the snapshot must include: first, those received at least LAG before it was requested; second, those until the last action in
   * its position. While the baseline is unknown, the second rule is not used, and a snapshot with an unchanged update number counts as requested when that
   * number first appeared.
   */
  #countIncluded(shown: ShownPosition): number {
    const isKnown = this.baseline !== undefined;
    const from = (isKnown ? shown.asked : shown.since) - LAG;
    return this.#recent.findLastIndex(({ reportedAt, actionId }) => reportedAt <= from || (isKnown && includes(shown, actionId))) + 1;
  }

  /** Moves the fills that the snapshot must include to `#sum`: all later ones include them too. */
  #sumIncluded(shown: ShownPosition): void {
    const held = this.#countIncluded(shown);
    if (held === 0) return;
    for (const { change, actionId } of this.#recent.splice(0, held)) {
      this.#sum += change;
      if (compareIds(actionId, this.#summedTo) > 0) this.#summedTo = actionId;
    }
  }
}

/** True if the snapshot must include the trades of that action. */
const includes = ({ actionId: last }: ShownPosition, actionId: ActionId): boolean =>
  last !== undefined && last !== NO_ACTION && actionId !== NO_ACTION && compareIds(actionId, last) <= 0;

/** True if the snapshot cannot include the trades of that action, because an older one is the last in its position. */
const excludes = ({ actionId: last }: ShownPosition, actionId: ActionId): boolean =>
  last !== undefined && last !== NO_ACTION && actionId !== NO_ACTION && compareIds(actionId, last) > 0;
