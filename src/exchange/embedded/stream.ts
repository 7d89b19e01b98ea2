// One kind of request repeated as by a poller: its answers as events, and whether it can be relied upon.
import type { Cancel, Clock, Millis } from '../../base/clock.ts';
import type { HealthSeen } from '../../domain/event.ts';
import type { Seen } from '../../streams/answer.ts';

/** The answer while the recording does not know the state of the exchange. */
export const GAP = Symbol('gap');

export interface Question<T, E> extends Pick<HealthSeen, 'stream' | 'market'> {
  /** What the stream delivers, in words. */
  readonly what: string;
  /** From the start of one request to the start of the next. */
  readonly everyMs: Millis;
  /** Sends the request; `home` is called once, with the answer, when it is back. */
  readonly ask: (onReply: (answer: T | typeof GAP) => void) => void;
  readonly events: (seen: Seen<T>) => E | undefined;
}

/** Sends the first request after `phase` of an interval, and each further one only after the one before was answered. */
export function stream<T, E>(
  { clock, phase }: { clock: Clock; phase: number },
  { stream, market, what, everyMs, ask, events }: Question<T, E>,
  emit: (event: E | HealthSeen) => void,
): Cancel {
  let healthy: boolean | undefined;
  const setHealth = (sound: boolean, reason: string): void => {
    if (healthy === sound) return;
    healthy = sound;
    emit({ kind: 'healthSeen', at: clock.now(), stream, ...(market !== undefined && { market }), healthy, reason });
  };
  let next: Cancel;
  let stopped = false;
  const turn = (): void => {
    const asked = clock.now();
    ask((answer) => {
      if (stopped) return;
      const at = clock.now();
      setHealth(answer !== GAP, answer === GAP ? `no ${what}: the recording has a gap here` : `${what} seen`);
      const event = answer === GAP ? undefined : events({ kind: 'seen', value: answer, asked, at });
      if (event !== undefined) emit(event);
      if (!stopped) next = clock.at(Math.max(at, asked + everyMs), turn);
    });
  };
  next = clock.at(clock.now() + phase * everyMs, turn);
  return () => {
    stopped = true;
    next();
  };
}
