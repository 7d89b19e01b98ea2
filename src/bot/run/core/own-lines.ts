// The lines that a run adds to those of its turns: what a stop waits for, and what is wrong with the exchange or the records although nothing is held.
import type { Subject } from 'rxjs';
import { type FindingLine, type Line, timeText } from '../../accounting/lines.ts';
import type { HealthSeen } from '../../domain/event.ts';
import type { Turn } from '../../domain/turn.ts';
import { ClosingLines } from './ending.ts';
import type { Run } from './run.ts';

/** Streams whose health no gate and no guard reads, so that no finding of a turn names them. */
const REPORTED: ReadonlySet<string> = new Set(['actions', 'clock', 'orders', 'recording', 'sessions']);

export class HealthLines {
  readonly #unhealthy = new Set<string>();

  /** Returns a line for each stream that has become unhealthy in the turn. */
  lines({ events, health = [] }: Pick<Turn, 'events' | 'health'>): readonly FindingLine[] {
    const seen = [...events.filter((event) => event.kind === 'healthSeen'), ...health];
    return seen.flatMap((one) => this.#line(one) ?? []);
  }

  #line({ stream, healthy, at, reason }: HealthSeen): FindingLine | undefined {
    if (!REPORTED.has(stream)) return undefined;
    const isNew = !healthy && !this.#unhealthy.has(stream);
    if (healthy) this.#unhealthy.delete(stream);
    else this.#unhealthy.add(stream);
    return isNew ? { kind: 'finding', at: timeText(at), guard: stream, verdict: 'report', reason } : undefined;
  }
}

/** Adds the lines to `lines` until the run has ended. They are printed, and not journaled. */
export function addOwnLines({ world, turns }: Run, lines: Subject<Line>): void {
  const [closing, health] = [new ClosingLines(world), new HealthLines()];
  turns.subscribe((turn) => {
    const due = closing.line();
    for (const line of [...health.lines(turn), ...(due === undefined ? [] : [due])]) lines.next(line);
  });
}
