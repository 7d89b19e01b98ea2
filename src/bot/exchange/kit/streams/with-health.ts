// Turns a stream of answers into events: the values and the health of the stream.
import { concatMap, connect, filter, map, merge, type Observable } from 'rxjs';
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { Answer, SeenAnswer } from '../../../../base/streams/answer.ts';
import { type HealthOptions, health } from '../../../../base/streams/health.ts';
import type { HealthSeen, StreamName } from '../../../domain/event.ts';
import type { MarketId } from '../../../domain/ids.ts';

export interface WithHealthOptions<T, E> {
  readonly clock: Clock;
  readonly stream: StreamName;
  readonly market?: MarketId | undefined;
  /** What the stream delivers, for messages. */
  readonly what: string;
  readonly maxAgeMs: Millis;
  readonly seenBefore?: HealthOptions<T>['seenBefore'];
  readonly stuck?: HealthOptions<T>['stuck'];
  readonly events: (seen: SeenAnswer<T>) => readonly E[];
}

/** Emits the health verdict before the value, so nothing is decided on data already known to be stale. */
export function withHealth<T, E>({ clock, stream, market, what, maxAgeMs, seenBefore, stuck, events }: WithHealthOptions<T, E>) {
  return (answers: Observable<Answer<T>>): Observable<E | HealthSeen> =>
    answers.pipe(
      connect((shared) => {
        const verdicts = shared.pipe(
          health({ clock, what, maxAgeMs, seenBefore, stuck }),
          map(
            ({ healthy, reason, at }): HealthSeen => ({
              kind: 'healthSeen',
              at,
              stream,
              ...(market !== undefined && { market }),
              healthy,
              reason,
            }),
          ),
        );
        const seen = shared.pipe(
          filter((answer) => answer.kind === 'seen'),
          concatMap(events),
        );
        return merge(verdicts, seen);
      }),
    );
}
