// One kind of question asked again and again, as a poller does it; its answers as events, and whether it can be relied upon.
import type { Cancel, Clock, Millis } from '../../base/clock.ts';
import type { HealthSeen } from '../../domain/event.ts';
import type { Seen } from '../../streams/answer.ts';

/** What a question is told while the exchange of the recording is not known. */
export const GAP = Symbol('gap');

export interface Question<T, E> extends Pick<HealthSeen, 'stream' | 'market'> {
  /** What the stream brings, in words. */
  readonly what: string;
  /** From one asking to the next. */
  readonly everyMs: Millis;
  /** Sends what has to be sent; `home` is called once, with the answer, when it is back. */
  readonly ask: (home: (answer: T | typeof GAP) => void) => void;
  readonly events: (seen: Seen<T>) => E | undefined;
}

/** Asks first after `phase` of an interval, and never again before it was answered. */
export function stream<T, E>(
  { clock, phase }: { clock: Clock; phase: number },
  { stream, market, what, everyMs, ask, events }: Question<T, E>,
  tell: (event: E | HealthSeen) => void,
): Cancel {
  let healthy: boolean | undefined;
  const judge = (sound: boolean, reason: string): void => {
    if (healthy === sound) return;
    healthy = sound;
    tell({ kind: 'healthSeen', at: clock.now(), stream, ...(market !== undefined && { market }), healthy, reason });
  };
  let next: Cancel;
  let stopped = false;
  const turn = (): void => {
    const asked = clock.now();
    ask((answer) => {
      if (stopped) return;
      const at = clock.now();
      judge(answer !== GAP, answer === GAP ? `no ${what}: the recording has a gap here` : `${what} seen`);
      const event = answer === GAP ? undefined : events({ kind: 'seen', value: answer, asked, at });
      if (event !== undefined) tell(event);
      if (!stopped) next = clock.at(Math.max(at, asked + everyMs), turn);
    });
  };
  next = clock.at(clock.now() + phase * everyMs, turn);
  return () => {
    stopped = true;
    next();
  };
}
