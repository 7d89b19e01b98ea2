// Repeats one kind of request like a poller, and emits its answers and the health of the stream.
import type { Cancel, Millis } from '../../base/clock.ts';
import type { HealthSeen } from '../../bot/domain/event.ts';
import type { VenueContext } from './venue-context.ts';

/** The answer during a gap of the recording, in which the exchange's state is unknown. */
export const GAP = Symbol('gap');

export interface StreamQuestion<T, E> extends Pick<HealthSeen, 'stream' | 'market'> {
  /** What the stream delivers, for messages. */
  readonly what: string;
  /** Time from the start of one request to the start of the next. */
  readonly everyMs: Millis;
  /** Returns the answer to a request that arrives now. */
  readonly look: () => T | typeof GAP;
  /** Sends the requests of one read, if several are needed; calls `onReply` once, with the last answer. */
  readonly ask?: ((onReply: (answer: T | typeof GAP) => void) => void) | undefined;
  /** True for data of the account. */
  readonly own?: boolean | undefined;
  /** Returns the event of an answer that arrived at `at`. */
  readonly eventOf: (value: T, asked: Millis, at: Millis) => E | undefined;
}

type Context = Pick<VenueContext, 'clock' | 'phase' | 'network' | 'looks'>;

/**
 * Sends the first request after `phase` of an interval, and each further one after the previous answer. With `looks`, as on a tape of candles, those decide
 * when requests are sent.
 */
export function stream<T, E>(context: Context, question: StreamQuestion<T, E>, emit: (event: E | HealthSeen) => void): Cancel {
  const { clock, phase, network, looks } = context;
  const { everyMs, look, own = false, ask = (onReply) => network.request('seen', look, onReply) } = question;
  const answered = answerHandler(context, question, emit);
  let stopped = false;
  if (looks !== undefined) {
    return looks.add({
      own,
      look: () => (question.market === undefined || looks.shows(question.market) ? look() : GAP),
      answered,
    });
  }
  let next: Cancel;
  const sendRequest = (): void => {
    const asked = clock.now();
    ask((answer) => {
      if (stopped) return;
      const at = clock.now();
      answered(answer, asked);
      if (!stopped) next = clock.at(Math.max(at, asked + everyMs), sendRequest);
    });
  };
  next = clock.at(clock.now() + phase * everyMs, sendRequest);
  return () => {
    stopped = true;
    next();
  };
}

/** Returns a function that emits the events of an answer. */
function answerHandler<T, E>(
  { clock, looks }: Context,
  { stream: name, market, what, eventOf }: StreamQuestion<T, E>,
  emit: (event: E | HealthSeen) => void,
): (answer: T | typeof GAP, asked: Millis) => void {
  let healthy: boolean | undefined;
  const setHealth = (value: boolean): void => {
    if (healthy === value) return;
    healthy = value;
    const where = looks === undefined ? 'the data has a gap here' : 'no candle of this market begins or ends here';
    const reason = value ? `${what} seen` : `no ${what}: ${where}`;
    emit({ kind: 'healthSeen', at: clock.now(), stream: name, ...(market !== undefined && { market }), healthy, reason });
  };
  return (answer, asked) => {
    setHealth(answer !== GAP);
    const event = answer === GAP ? undefined : eventOf(answer, asked, clock.now());
    if (event !== undefined) emit(event);
  };
}
