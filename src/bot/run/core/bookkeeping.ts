// Records each turn: in the journal before its actions are sent, in the recording and the lines for watchers afterwards.
import type { Subject } from 'rxjs';
import type { Millis } from '../../../base/clock.ts';
import { concat } from '../../../base/collections/lists.ts';
import { messageOf } from '../../../base/errors.ts';
import { timeText } from '../../../base/text/duration.ts';
import { type JournalLine, type Line, type LogLine, linesOf, logLinesOf } from '../../accounting/lines.ts';
import type { RunCounts } from '../../accounting/run-counts.ts';
import { TurnCauses } from '../../accounting/turn-causes.ts';
import type { MarketId } from '../../domain/ids.ts';
import { type Lots, lots } from '../../domain/numbers.ts';
import type { Turn } from '../../domain/turn.ts';
import type { World } from '../../world/world.ts';
import type { Baseline, FundingSeen, NewEntry, Remembered } from '../state/entries.ts';
import { LossKeeper } from '../state/loss-entries.ts';
import type { State } from '../state/state.ts';
import { turnText } from '../state/turn-recording.ts';

/** Interval of the funding entries; a crash may lose the last minute. */
const FUNDING_EVERY: Millis = 60_000;

const NONE: readonly never[] = [];

export interface BookkeepingParts {
  readonly state: State;
  /** Contains everything that happened before this process. */
  readonly counts: RunCounts;
  readonly world: World;
  readonly lines: Subject<Line>;
  readonly logs: Subject<LogLine>;
}

export class Bookkeeping {
  readonly causes = new TurnCauses();
  readonly #parts: BookkeepingParts;
  /** The position in each market from fills before this process. */
  readonly #earlierPositions: ReadonlyMap<MarketId, Lots>;
  #baselines: ReadonlyMap<MarketId, Lots>;
  readonly #losses: LossKeeper;
  #isTakingOver: boolean;
  /** The lines of the last recorded turn. */
  #written: readonly JournalLine[] = NONE;
  #funding = '';
  #fundingAt: Millis = -Infinity;

  constructor(parts: BookkeepingParts) {
    const { world } = parts;
    this.#parts = parts;
    this.#earlierPositions = new Map([...world.markets.keys()].map((market) => [market, world.accounting.profit.fills.position(market)]));
    this.#baselines = world.baselines();
    this.#losses = new LossKeeper(world);
    this.#isTakingOver = world.isTakingOver;
  }

  /**
   * Records a turn in the counts and the journal, before its actions are sent. Entries of a turn with actions become durable with the record of those
   * actions: see `flush`.
   */
  record(turn: Turn): void {
    const { state, counts, world, lines } = this.#parts;
    counts.add(turn);
    // No lines are made if neither a journal is kept nor anything reads them, as in most backtests.
    this.#written = state.append === undefined && !lines.observed ? NONE : linesOf(turn, world.markets);
    if (state.append === undefined) return; // as in a backtest: no journal, so no entries for a later process either
    const sawAccount = turn.events.some(({ kind }) => kind === 'accountSeen');
    const entries = concat<JournalLine | NewEntry>(this.#written, this.#newEntries(turn, sawAccount));
    state.append(entries, turn.actions.length > 0 ? 'more' : undefined);
  }

  /** Makes all entries durable, if the record of the actions did not. */
  flush(): void {
    this.#parts.state.append?.(NONE);
  }

  /** Adds the recorded turn to the recording and the lines. Nothing that is sent depends on them, so it is called after sending. */
  show(turn: Turn): void {
    const { lines, logs } = this.#parts;
    const written = this.#written;
    this.causes.add(turn);
    this.#recordTurn(turn);
    const logged = logLinesOf(turn);
    for (const line of logged) logs.next(line);
    if (lines.observed) for (const line of concat<Line>(logged, written)) lines.next(line);
  }

  /** A turn that cannot be written as JSON is missing in the recording; the run continues. */
  #recordTurn(turn: Turn): void {
    const { state } = this.#parts;
    if (state.record === undefined) return;
    let text: string;
    try {
      text = turnText(turn);
    } catch (error) {
      return state.interruptRecording?.(`a turn cannot be written as JSON: ${messageOf(error)}`);
    }
    state.record(text);
  }

  #newEntries({ at, memory }: Turn, sawAccount: boolean): readonly NewEntry[] {
    const orders = concat<NewEntry>(this.#newBaselines(at), this.#takeoverEnd(at));
    const money = concat<NewEntry>(sawAccount ? this.#newFunding(at) : NONE, this.#losses.entries(at));
    return concat<NewEntry>(concat<NewEntry>(orders, money), memory === undefined ? NONE : remembered(memory, at));
  }

  /** Returns the baselines that changed. The world has positions before this process's fills; the journal needs those before all fills of the run. */
  #newBaselines(at: Millis): readonly Baseline[] {
    const { world } = this.#parts;
    const before = this.#baselines;
    this.#baselines = world.baselines();
    if (this.#baselines === before) return NONE;
    return [...this.#baselines]
      .filter(([id, size]) => before.get(id) !== size)
      .map(([id, size]) => {
        const market = world.market(id);
        const first = lots(size - (this.#earlierPositions.get(id) ?? 0));
        return { kind: 'baseline', at: timeText(at), market: market.symbol, size: market.sizeText(first) };
      });
  }

  /** Returns the entry for the end of the takeover, after which a restart does not continue it. */
  #takeoverEnd(at: Millis): readonly NewEntry[] {
    if (!this.#isTakingOver || this.#parts.world.isTakingOver) return NONE;
    this.#isTakingOver = false;
    return [{ kind: 'takeover', at: timeText(at) }];
  }

  #newFunding(at: Millis): readonly FundingSeen[] {
    if (at < this.#fundingAt + FUNDING_EVERY) return NONE;
    this.#fundingAt = at;
    const carry = this.#parts.world.accounting.profit.funding.carry();
    const before = this.#funding;
    this.#funding = JSON.stringify(carry);
    return this.#funding === before ? [] : [{ kind: 'funding', at: timeText(at), ...carry }];
  }
}

const remembered = (memory: NonNullable<Turn['memory']>, at: Millis): readonly Remembered[] =>
  Object.entries(memory).map(([name, value]) => ({ kind: 'memory', at: timeText(at), name, value }));
