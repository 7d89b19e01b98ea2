// Turns the inputs of a strategy into events: values, and the health of each input.
// poll-url.ts, watch-file.ts, open-stream.ts: where values come from in a run; signals.ts: signals from other programs
// recorded.ts                   values of a file, for backtests, and the lines that a run writes for them
// open.ts                       all inputs of a run; research/backtest/recorded-inputs.ts: all inputs of a backtest
import { concat, connect, distinctUntilChanged, filter, map, merge, type Observable, of, skip, startWith, switchMap, take } from 'rxjs';
import type { Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { type Answer, failed, type SeenAnswer } from '../../../base/streams/answer.ts';
import { health, type StreamHealth } from '../../../base/streams/health.ts';
import { withoutKeys } from '../../../base/text/secrets.ts';
import { printable } from '../../../base/text/visible.ts';
import type { InputEvent, InputHealth, InputSeen } from '../../domain/event.ts';
import { type JsonValue, jsonFault } from '../../domain/json.ts';
import type { Input } from '../../strategy/inputs.ts';

/** The largest value, in characters of JSON. */
const MAX_CHARACTERS = 64 * 1024;

/** The answers of one source: any values, of which only JSON is passed on. */
export type Answers = Observable<Answer<unknown>>;

/** Turns the answers of one input into events. An answer that is not JSON, or too large, counts as a failure. */
export function inputEvents(
  answers: Answers,
  { name, input, clock }: { name: string; input: Input; clock: Clock },
): Observable<InputEvent> {
  return answers.pipe(
    map((answer) => checked(answer)),
    connect((shared) => {
      const verdicts = shared
        .pipe(verdictsOf(input, clock))
        .pipe(
          map(
            ({ healthy, reason, at }): InputHealth => ({ kind: 'inputHealth', at, name, healthy, reason: printable(withoutKeys(reason)) }),
          ),
        );
      const values = shared.pipe(
        filter((answer) => answer.kind === 'seen'),
        map((seen) => eventOf(seen, { name, input })),
      );
      return merge(verdicts, values);
    }),
  );
}

function eventOf({ value, asked, at }: SeenAnswer<JsonValue>, { name, input }: { name: string; input: Input }): InputSeen {
  return { kind: 'inputSeen', at, asked, name, value, ...(input.kind === 'webhook' && { signal: {} }) };
}

/** An input with an age limit fails when its value is too old. Any other fails from the first failure until the next value. */
function verdictsOf({ maxAgeMs, kind }: Input, clock: Clock): (answers: Observable<Answer<JsonValue>>) => Observable<StreamHealth> {
  if (maxAgeMs !== undefined && kind !== 'webhook') {
    const byAge = health<JsonValue>({ clock, what: 'new value', maxAgeMs });
    return connect((answers) => answers.pipe(byAge, withLaterFailure(answers)));
  }
  return (answers) =>
    answers.pipe(
      map(
        (answer): StreamHealth => ({
          healthy: answer.kind === 'seen',
          reason: answer.kind === 'seen' ? 'a value came' : answer.reason,
          at: answer.at,
        }),
      ),
      startWith({ healthy: true, reason: '', at: clock.now() }),
      distinctUntilChanged((before, after) => before.healthy === after.healthy),
      skip(1),
    );
}

/** A request may fail after the value has become too old. The verdict is then emitted once more, with the reason of the first such failure. */
function withLaterFailure(answers: Observable<Answer<JsonValue>>): (verdicts: Observable<StreamHealth>) => Observable<StreamHealth> {
  const failures = answers.pipe(filter((answer) => answer.kind === 'failed'));
  const later = (verdict: StreamHealth): Observable<StreamHealth> =>
    failures.pipe(
      filter(({ reason }) => !verdict.reason.includes(reason)),
      take(1),
      map(({ reason, at }) => ({ ...verdict, reason: `${verdict.reason}; ${reason}`, at })),
    );
  return switchMap((verdict) => (verdict.healthy ? of(verdict) : concat(of(verdict), later(verdict))));
}

function checked(answer: Answer<unknown>): Answer<JsonValue> {
  if (answer.kind === 'failed') return answer;
  try {
    const fault = jsonFault(answer.value, 'the value');
    if (fault !== undefined) return failed(answer, `${fault}, which is not JSON`);
    const text = JSON.stringify(answer.value);
    if (text.length > MAX_CHARACTERS)
      return failed(answer, `the value has ${text.length} characters of JSON; at most ${MAX_CHARACTERS} are allowed`);
    return { ...answer, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    return failed(answer, messageOf(error));
  }
}
