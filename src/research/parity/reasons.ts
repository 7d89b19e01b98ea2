// Finds the reason why a fill or an order is only in the run or only in the backtest. What each reason costs: `pnl-causes.ts`.
import type { Millis } from '../../base/clock.ts';
import { DEFAULT_ORDER_LIFE } from '../../bot/domain/action.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import type { AttributedFill, ParityMatch } from './match.ts';
import { NEAR } from './match.ts';
import type { OwnRecord, RunOrder } from './own-orders.ts';

/**
 * `queue`: both orders rested, and one was filled earlier or further. `latency`: one reached the exchange, or was cancelled, at another time relative
 * to the fill. `rejected`: the exchange refused one of the two. `unknown`: the run's order got no answer. `guard`: a guard or a gate held one back.
 * `data`: the run could not read the market at that time.
 */
export const REASONS = ['latency', 'queue', 'data', 'rejected', 'guard', 'unknown'] as const;
export type ReasonKind = (typeof REASONS)[number];

export interface ParityDifference {
  readonly kind: 'order' | 'fill';
  readonly only: 'run' | 'backtest';
  /** Time by the run's clock. */
  readonly at: Millis;
  readonly market: MarketId;
  readonly reason: ReasonKind;
  /** True if the difference follows from an earlier one, because positions or resting orders already differ. */
  readonly follows: boolean;
  readonly order: RunOrder | undefined;
  readonly fill?: AttributedFill | undefined;
}

type Side = ParityDifference['only'];
type UnexplainedDifference = Omit<ParityDifference, 'reason' | 'follows'>;

/** Returns all differences in the order of their times, each with its reason. */
export function differencesOf(
  { fills, orders, twins }: ParityMatch,
  records: Readonly<Record<Side, OwnRecord>>,
): readonly ParityDifference[] {
  const fillOf =
    (only: Side) =>
    (fill: AttributedFill): UnexplainedDifference => {
      return { kind: 'fill', only, at: fill.fill.time + records[only].clockOffset, market: fill.fill.market, order: fill.order, fill };
    };
  const orderOf =
    (only: Side) =>
    (order: RunOrder): UnexplainedDifference => ({ kind: 'order', only, at: order.sentAt, market: order.market, order });
  const open = [
    ...fills.onlyRun.map(fillOf('run')),
    ...fills.onlyBacktest.map(fillOf('backtest')),
    ...orders.onlyRun.map(orderOf('run')),
    ...orders.onlyBacktest.map(orderOf('backtest')),
  ].toSorted((a, b) => a.at - b.at || RANK[a.kind] - RANK[b.kind]);
  const reasons = new Reasons(twins, records);
  const answers = differentOutcomes(orders.both);
  let answered = 0;
  return open.map((difference) => {
    for (; answered < answers.length && answers[answered]!.at <= difference.at; answered++) reasons.setRoot(answers[answered]!.reason);
    return reasons.explain(difference);
  });
}

/** Returns when the exchange answered an order of both differently, in order of time, and the reason. Later differences follow from these. */
function differentOutcomes(both: ParityMatch['orders']['both']): readonly { readonly at: Millis; readonly reason: ReasonKind }[] {
  return both
    .filter(({ run, backtest }) => run.outcome !== backtest.outcome)
    .map(
      ({ run }) =>
        ({ at: run.sentAt, reason: run.outcome === 'unknown' || run.outcome === 'unanswered' ? 'unknown' : 'rejected' }) as const,
    )
    .toSorted((a, b) => a.at - b.at);
}

/** How long it takes to resolve an order without an answer: the order's life, and five seconds of polls. */
const UNRESOLVED: Millis = (DEFAULT_ORDER_LIFE + 5) * 1_000;

/** At the same time a fill comes first, because it changes the intents. */
const RANK = { fill: 0, order: 1 } as const;

class Reasons {
  readonly #twins: ParityMatch['twins'];
  readonly #records: Readonly<Record<Side, OwnRecord>>;
  readonly #unanswered: readonly RunOrder[];
  /** The reason of the last difference that does not follow from another. */
  #root: ReasonKind | undefined;

  constructor(twins: ParityMatch['twins'], records: Readonly<Record<Side, OwnRecord>>) {
    this.#twins = twins;
    this.#records = records;
    this.#unanswered = [...records.run.orders.values()].filter(({ outcome }) => outcome === 'unknown' || outcome === 'unanswered');
  }

  /** Sets the cause of later differences, if it is not itself an order or a fill. */
  setRoot(reason: ReasonKind): void {
    this.#root = reason;
  }

  /** Returns the difference with its reason: its own, else the one that it follows from. Its own reason becomes the root of later differences. */
  explain(difference: UnexplainedDifference): ParityDifference {
    const [own, follows] = [this.#own(difference), this.#root !== undefined];
    const reason = own ?? this.#root ?? 'latency';
    if (own !== undefined) this.#root = own;
    return { ...difference, reason, follows: own === undefined && follows };
  }

  /** Returns the difference's own reason; undefined if it follows from an earlier difference. */
  #own({ kind, only, at, market, order }: UnexplainedDifference): ReasonKind | undefined {
    const twin = order && this.#twins.get(order);
    if ([order, twin].some((one) => one?.outcome === 'unknown' || one?.outcome === 'unanswered')) return 'unknown';
    if (this.#isInDataGap(market, at)) return 'data';
    if (order === undefined) return undefined;
    if (kind === 'fill' && twin !== undefined) return this.#ofFill({ order, twin, at, only });
    if (kind === 'fill') return undefined; // its order is only in the run or only in the backtest, and has the reason
    if (!this.#isHeldByOne(order)) return undefined;
    return this.#isUnresolved(market, at) ? 'unknown' : 'guard';
  }

  /** Returns the reason why `order` was filled and `twin` was not. */
  #ofFill({ order, twin, at, only }: { order: RunOrder; twin: RunOrder; at: Millis; only: Side }): ReasonKind {
    if (twin.outcome === 'rejected' || order.outcome === 'rejected') return 'rejected';
    const offset = this.#records[only === 'run' ? 'backtest' : 'run'].clockOffset;
    const filled = twin.fills.reduce((sum, { size }) => sum + size, 0);
    const filledAt = Math.max(...twin.fills.map(({ time }) => time + offset));
    if (twin.arrival >= at) return 'latency';
    return filled < twin.size && twin.gone <= at && twin.gone > filledAt ? 'latency' : 'queue';
  }

  #isInDataGap(market: MarketId, at: Millis): boolean {
    return this.#records.run.dataGaps.some(
      (span) => (span.market === undefined || span.market === market) && at >= span.from - NEAR && at <= span.to + NEAR,
    );
  }

  /** True if an order of the run had an unknown status at that time, in which case guards and gates are stricter. */
  #isUnresolved(market: MarketId, at: Millis): boolean {
    return this.#unanswered.some((order) => order.market === market && order.sentAt <= at && at <= order.sentAt + UNRESOLVED);
  }

  /** True if, at that time, a guard held such an order back in one of the run and the backtest, and not in the other. */
  #isHeldByOne({ market, side, sentAt }: RunOrder): boolean {
    const heldBy = (record: OwnRecord): boolean =>
      record.findings.some(
        (finding) =>
          Math.abs(finding.at - sentAt) <= NEAR &&
          (finding.market ?? market) === market &&
          (finding.side ?? side) === side &&
          ['shrink', 'refuse', 'hold'].includes(finding.verdict),
      );
    return heldBy(this.#records.run) !== heldBy(this.#records.backtest);
  }
}
