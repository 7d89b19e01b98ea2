// Turns an Observable of the strategy's author into answers, and subscribes again after an error.
import { Observable, repeat, timer } from 'rxjs';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Answer } from '../../../base/streams/answer.ts';
import { backOffMs } from '../../../base/streams/back-off.ts';
import { schedulerFrom } from '../../../base/streams/scheduler.ts';
import type { StreamInput, Subscribable } from '../../strategy/inputs.ts';
import type { Answers } from './events.ts';

const FIRST_PAUSE = 1_000;

export function openStream({ open }: StreamInput, { clock, rng }: { clock: Clock; rng: Rng }): Answers {
  const scheduler = schedulerFrom(clock);
  let failures = 0;
  const once = new Observable<Answer<unknown>>((subscriber) => {
    const seen = (value: unknown): void => {
      failures = 0;
      subscriber.next({ kind: 'seen', value, asked: clock.now(), at: clock.now() });
    };
    const fail = (error: unknown): void => {
      failures += 1;
      const now = clock.now();
      subscriber.next({ kind: 'failed', reason: `its stream failed: ${messageOf(error)}`, error, asked: now, at: now });
      subscriber.complete();
    };
    return opened(open, { next: seen, error: fail, complete: () => undefined }); // after completion the last value stays
  });
  const pause = (): number => FIRST_PAUSE + backOffMs({ rng, firstMs: FIRST_PAUSE, retryAfterCapMs: 0 }, Math.max(1, failures));
  return once.pipe(repeat({ delay: () => timer(pause(), scheduler) }));
}

/** Returns the unsubscribe function. Errors of the author's code become errors of the stream. */
function opened(open: StreamInput['open'], observer: Parameters<Subscribable['subscribe']>[0]): () => void {
  try {
    const subscription = open().subscribe(observer);
    return () => {
      try {
        subscription.unsubscribe();
      } catch {
        // errors of the author's clean-up must not disturb the end of the run
      }
    };
  } catch (error) {
    observer.error(error);
    return () => undefined;
  }
}
