// Position = what was there before + our fills, of perpetuals and of spot markets (the balance of the base token): held against every account, for a trade that is missing and for hands that are not ours.
import type { Millis } from '../../base/clock.ts';
import type { AccountSeen, FillsSeen } from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import { signOf } from '../../domain/side.ts';
import type { Alarms } from '../alarms.ts';
import { LAG } from '../orders/proof.ts';
import type { Revisions } from '../revisions.ts';
import type { Fault } from '../seen.ts';

/** When the newest account whose position our fills explain was asked for; undefined while the newest that was judged is not explained. */
export type AgreedAsOf = (market: MarketId) => Millis | undefined;

/** So many accounts in a row must not be explained. One may have been taken while the exchange was showing half of something. */
const IN_A_ROW = 2;
/** A balance of a spot market that differs for so long by one amount is taken as it is. */
const MOVED_FOR: Millis = 60_000;
/** Accounts that may wait for a round of fills at once. */
const MOST_WAITING = 16;

interface Traded {
  /** Signed lots. */
  readonly change: number;
  /** Exchange time. */
  readonly time: Millis;
  readonly told: Millis;
}

interface Shown {
  readonly size: number;
  readonly asked: Millis;
  readonly at: Millis;
}

export class Agreement {
  readonly #markets: ReadonlyMap<MarketId, Books>;
  readonly #revisions: Revisions;
  #known: ReadonlyMap<MarketId, Lots> = new Map();

  constructor(markets: readonly Market[], { alarms, revisions }: { alarms: Alarms; revisions: Revisions }) {
    this.#revisions = revisions;
    this.#markets = new Map(markets.map((market) => [market.id, new Books(market, alarms)]));
  }

  /** What is held before the first fill that will be told, where an earlier process knew it. */
  adopt(baselines: Iterable<readonly [MarketId, Lots]>): void {
    for (const [market, size] of baselines) this.#markets.get(market)?.adopt(size);
    this.#learn();
  }

  /** What was held before the first fill that was told, of the markets where it is known. The same map until there is more to know. */
  baselines(): ReadonlyMap<MarketId, Lots> {
    return this.#known;
  }

  unexplained(market: MarketId): Fault | undefined {
    return this.#markets.get(market)?.fault;
  }

  agreedAsOf(market: MarketId): Millis | undefined {
    return this.#markets.get(market)?.agreedAsOf;
  }

  /** What was there before the first fill, and all fills that were told; undefined while it is not known what was there before. */
  explained(market: MarketId): Lots | undefined {
    return this.#markets.get(market)?.explained;
  }

  accountSeen({ account, asked, at }: AccountSeen): void {
    for (const [id, books] of this.#markets) {
      const size = account.positions.find(({ market }) => market === id)?.size ?? 0;
      const before = books.fault;
      books.show({ size, asked, at });
      if (books.fault !== before) this.#revisions.moved('agreement');
    }
  }

  filled({ fills, asked, at }: FillsSeen): void {
    for (const fill of fills) this.#markets.get(fill.market)?.add(fill, at);
    for (const books of this.#markets.values()) {
      const before = books.fault;
      books.judgeBefore(asked, at);
      if (books.fault !== before) this.#revisions.moved('agreement');
    }
    this.#learn();
  }

  #learn(): void {
    for (const [id, { baseline, isSpot }] of this.#markets) {
      if (baseline === undefined || this.#known.get(id) === baseline) continue;
      this.#known = new Map([...this.#known, [id, baseline]]);
      if (!isSpot) continue;
      this.#revisions.moved('agreement');
      this.#revisions.moved('exposure');
    }
  }
}

/** One market. Between the fills that an account must hold and those that it can hold, every prefix in their order is a position it may show. */
class Books {
  readonly #market: Market;
  readonly #alarms: Alarms;
  /** What may have been there before all fills; one value once it is known. */
  #baselines: readonly number[] | undefined;
  /** The sum of fills that every later account holds, and those after them in order of time. */
  #sum = 0;
  #recent: Traded[] = [];
  /** Not explained by what was told when they came: more may be told. Oldest first. */
  #waiting: Shown[] = [];
  #failed = 0;
  /** Of a spot market: what the first of the accounts that do not agree would mean to have been there before all fills. */
  #moved: { readonly baselines: readonly number[]; readonly since: Millis } | undefined;
  agreedAsOf: Millis | undefined;
  fault: Fault | undefined;

  constructor(market: Market, alarms: Alarms) {
    this.#market = market;
    this.#alarms = alarms;
  }

  get baseline(): Lots | undefined {
    const first = this.#baselines?.length === 1 ? this.#baselines[0] : undefined;
    return first === undefined ? undefined : lots(first);
  }

  get isSpot(): boolean {
    return this.#market.spec.kind === 'spot';
  }

  get explained(): Lots | undefined {
    const { baseline } = this;
    return baseline === undefined ? undefined : lots(this.#recent.reduce((sum, { change }) => sum + change, baseline + this.#sum));
  }

  adopt(size: Lots): void {
    this.#baselines = [size];
  }

  add({ side, size, time }: Fill, told: Millis): void {
    const before = this.#recent.findLastIndex((other) => other.time <= time);
    this.#recent.splice(before + 1, 0, { change: signOf(side) * size, time, told });
  }

  show(shown: Shown): void {
    if (this.#waiting.length === 0) this.#fold(shown.asked);
    if (this.#isExplained(shown)) return this.#agrees(shown);
    this.#waiting.push(shown);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }

  /** All trades made before `asked` have been told: whatever an account showed that had come by then is explained now, or never. */
  judgeBefore(asked: Millis, now: Millis): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= asked) {
      const [shown] = this.#waiting.splice(0, 1) as [Shown];
      this.#fold(shown.asked);
      this.#judge(shown, now);
    }
  }

  /** By what is known already. */
  #isExplained(shown: Shown): boolean {
    const { baseline } = this;
    if (baseline === undefined) return false;
    return this.#recent.length === 0 ? shown.size === baseline + this.#sum : this.#possible(shown).includes(baseline);
  }

  #judge(shown: Shown, now: Millis): void {
    const possible = this.#possible(shown);
    const left = this.#baselines?.filter((baseline) => possible.includes(baseline)) ?? possible;
    if (left.length > 0) {
      this.#baselines = left;
      return this.#agrees(shown);
    }
    if (this.baseline === undefined)
      this.#baselines = possible; // somebody traded while we were still looking what there was
    else {
      this.#disagrees(shown, now);
      if (this.isSpot) this.#balanceMoved(shown, { possible, now });
    }
  }

  /** What was there before all fills, if the account is right: one answer for each prefix that it may hold. */
  #possible({ size, asked }: Shown): readonly number[] {
    const mustHold = this.#recent.findLastIndex(({ told }) => told <= asked - LAG) + 1;
    const possible: number[] = [];
    let sum = this.#sum;
    for (let count = 0; count <= this.#recent.length; count++) {
      if (count > 0) sum += this.#recent[count - 1]?.change ?? 0;
      if (count >= mustHold && !possible.includes(size - sum)) possible.push(size - sum);
    }
    return possible;
  }

  #agrees({ asked, at }: Shown): void {
    if (this.#waiting.length > 0) this.#waiting = this.#waiting.filter((waiting) => waiting.at > at);
    [this.#failed, this.#moved, this.agreedAsOf, this.fault] = [0, undefined, asked, undefined];
  }

  #disagrees({ size }: Shown, now: Millis): void {
    this.#failed += 1;
    this.agreedAsOf = undefined;
    if (this.#failed < IN_A_ROW) return;
    const text = (held: number): string => this.#market.sizeText(lots(held));
    const otherwise = this.isSpot ? ', or the balance was moved otherwise' : '';
    const reason = `the position is ${text(size)}, our fills explain ${text(this.explained ?? 0)}: a trade is missing from the record, or it was not ours${otherwise}`;
    if (this.fault === undefined) this.#alarms.raise({ name: 'position', market: this.#market.id, reason });
    this.fault = { reason, since: this.fault?.since ?? now };
  }

  /** A balance that differs by the same amount for MOVED_FOR, whatever we trade meanwhile, was moved by a deposit, a withdrawal or another's trade. */
  #balanceMoved(shown: Shown, { possible, now }: { possible: readonly number[]; now: Millis }): void {
    const before = this.#moved;
    const same = before?.baselines.filter((baseline) => possible.includes(baseline)) ?? [];
    this.#moved = before === undefined || same.length === 0 ? { baselines: possible, since: now } : { ...before, baselines: same };
    const [baseline] = this.#moved.baselines;
    const by = baseline === undefined ? 0 : baseline - (this.baseline ?? 0);
    if (this.#moved.baselines.length !== 1 || now - this.#moved.since < MOVED_FOR) return;
    this.#baselines = this.#moved.baselines;
    const reason = `the balance has been off by ${this.#market.sizeText(lots(by))} for ${MOVED_FOR / 1_000} s: counted as a deposit or a withdrawal from now on`;
    this.#alarms.raise({ name: 'position', market: this.#market.id, reason });
    this.#agrees(shown);
  }

  /** Fills that were told long before an account was asked for are in that one and in all after it. */
  #fold(asked: Millis): void {
    const held = this.#recent.findLastIndex(({ told }) => told <= asked - LAG) + 1;
    if (held === 0) return;
    for (const { change } of this.#recent.splice(0, held)) this.#sum += change;
  }
}
