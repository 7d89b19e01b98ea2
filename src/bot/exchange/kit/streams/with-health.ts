// Turns a stream of answers into events: the values and the health of the stream.
import type { OperatorFunction } from 'rxjs';
import type { Answer, SeenAnswer } from '../../../../base/streams/answer.ts';
import { type HealthOptions, watched } from '../../../../base/streams/health.ts';
import type { HealthSeen, StreamName } from '../../../domain/event.ts';
import type { MarketId } from '../../../domain/ids.ts';

export interface WithHealthOptions<T, E> extends HealthOptions<T> {
  readonly stream: StreamName;
  readonly market?: MarketId | undefined;
  readonly events: (seen: SeenAnswer<T>) => readonly E[];
}

/** Emits the health verdict before the value, so nothing is decided on data already known to be stale. */
export const withHealth = <T, E>({
  stream,
  market,
  events,
  ...options
}: WithHealthOptions<T, E>): OperatorFunction<Answer<T>, E | HealthSeen> =>
  watched<T, E | HealthSeen>(options, {
    report: ({ healthy, reason, at }) => ({ kind: 'healthSeen', at, stream, ...(market !== undefined && { market }), healthy, reason }),
    events,
  });
