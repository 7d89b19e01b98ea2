// Checks that the position in each account is the baseline plus our fills. The baseline is the position before our first fill. In a spot market the position is
// the balance of the base token.
// A mismatch means that a trade is missing from the record, or that someone else trades on the account.
import type { Millis } from '../../../base/clock.ts';
import { positionIn } from '../../domain/account.ts';
import type { AccountSeen, FillsSeen } from '../../domain/event.ts';
import type { MarketId, UpdateId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';
import type { Revisions } from '../revisions.ts';
import type { Fault } from '../seen.ts';
import { type Bounds, MarketAgreement } from './market-agreement.ts';

interface AgreementParts {
  readonly alarms: Alarms;
  readonly revisions: Revisions;
  /** Returns when the order of a fill was sent; undefined if that is not known. */
  readonly sentAt: (fill: Fill) => Millis | undefined;
}

export class Agreement {
  readonly #markets: ReadonlyMap<MarketId, MarketAgreement>;
  /** The same as a list, because an iterator of a map costs more than what is done for one market. */
  readonly #list: readonly (readonly [MarketId, MarketAgreement])[];
  readonly #revisions: Revisions;
  readonly #sentAt: AgreementParts['sentAt'];
  #baselines: ReadonlyMap<MarketId, Lots> = new Map();
  /** The newest update number, and when the first account with it was requested. */
  #newest: { readonly updateId?: UpdateId; readonly since: Millis } = { since: 0 };

  constructor(markets: readonly Market[], { alarms, revisions, sentAt }: AgreementParts) {
    this.#revisions = revisions;
    this.#sentAt = sentAt;
    this.#list = markets.map((market) => [market.id, new MarketAgreement(market, alarms)]);
    this.#markets = new Map(this.#list);
  }

  /**
   * Takes the baselines that an earlier process knew. For the other markets it takes the newest fills of earlier processes, newest first: the first account
   * may not include them yet.
   */
  adopt(baselines: Iterable<readonly [MarketId, Lots]>, newestFills: Iterable<readonly [MarketId, readonly number[]]>): void {
    for (const [market, size] of baselines) this.#markets.get(market)?.adopt(size);
    for (const [market, changes] of newestFills) this.#markets.get(market)?.adoptFills(changes);
    this.#updateBaselines();
  }

  /** The baselines that are known. The same map until more is known. */
  baselines(): ReadonlyMap<MarketId, Lots> {
    return this.#baselines;
  }

  unexplained(market: MarketId): Fault | undefined {
    return this.#markets.get(market)?.fault;
  }

  readonly agreedAsOf = (market: MarketId): Millis | undefined => this.#markets.get(market)?.agreedAsOf;

  readonly disagreedAsOf = (market: MarketId): Millis | undefined => this.#markets.get(market)?.disagreedAsOf;

  /** The baseline plus all fills received; undefined while the baseline is not known. */
  explained(market: MarketId): Lots | undefined {
    return this.#markets.get(market)?.explained;
  }

  /** The bounds of `explained` while several baselines are possible; undefined before the first account. */
  explainedWithin(market: MarketId): Bounds | undefined {
    return this.#markets.get(market)?.explainedWithin;
  }

  /** True if the accounts have differed from our fills for longer than an account can lag; their position is then accepted. */
  isAccepted(market: MarketId): boolean {
    return this.#markets.get(market)?.isAccepted === true;
  }

  /** Learns the baselines anew, because the accounts until now were not ours. Those of an earlier process stay. */
  learnAnew(): void {
    for (const market of this.#markets.values()) market.learnAnew();
    this.#baselines = new Map([...this.#baselines].filter(([id]) => this.#markets.get(id)?.baseline !== undefined));
    this.#revisions.markChanged('agreement');
  }

  /** True while an account that arrived by `until` is not explained yet, and fills that are not listed yet may explain it. */
  awaitsFills(until: Millis): boolean {
    return [...this.#markets.values()].some((market) => market.awaitsFills(until));
  }

  accountSeen({ account: { updateId, positions }, asked, at }: AccountSeen): void {
    if (updateId !== this.#newest.updateId) this.#newest = { updateId, since: asked };
    const { since } = this.#newest;
    for (const [id, agreement] of this.#list) {
      const position = positionIn(positions, id);
      const before = agreement.fault;
      agreement.accountSeen({ size: position?.size ?? 0, asked, since, at, actionId: position?.actionId });
      if (agreement.fault !== before) this.#revisions.markChanged('agreement');
    }
  }

  filled({ fills, earlier = [], asked, at }: FillsSeen): void {
    for (const fill of earlier) this.#markets.get(fill.market)?.addEarlier(fill);
    for (const fill of fills) this.#markets.get(fill.market)?.add(fill, { reportedAt: at, sentAt: this.#sentAt(fill) });
    for (const [, agreement] of this.#list) {
      const before = agreement.fault;
      agreement.checkBefore(asked, at);
      if (agreement.fault !== before) this.#revisions.markChanged('agreement');
    }
    this.#updateBaselines();
  }

  #updateBaselines(): void {
    for (const [id, { baseline, isSpot }] of this.#list) {
      if (baseline === undefined || this.#baselines.get(id) === baseline) continue;
      this.#baselines = new Map([...this.#baselines, [id, baseline]]);
      if (!isSpot) continue;
      this.#revisions.markChanged('agreement');
      this.#revisions.markChanged('exposure');
    }
  }
}
