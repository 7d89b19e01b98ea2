// Plays recorded values of all inputs of a strategy, in a backtest. Apart from `bot/run/inputs/open.ts`, so that a backtest does not load HTTP clients and servers.
import { merge, type Observable } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/phrases.ts';
import type { InputEvent } from '../../bot/domain/event.ts';
import { inputEvents } from '../../bot/run/inputs/events.ts';
import { playRecorded, type RecordedInputs } from '../../bot/run/inputs/recorded.ts';
import type { Inputs } from '../../bot/strategy/inputs.ts';

/** Returns the events of recorded values; undefined if there are none. Throws a `UserError` for a name that the strategy does not declare. */
export function recordedInputs(inputs: Inputs, recorded: RecordedInputs, clock: Clock): Observable<InputEvent> | undefined {
  if (Object.keys(recorded).length === 0) return undefined;
  const names = Object.keys(inputs);
  return merge(
    ...Object.entries(recorded).map(([name, values]) => {
      const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
      if (input !== undefined) return inputEvents(playRecorded(values, clock), { name, input, clock });
      const hint = names.length === 0 ? undefined : suggestion(name, names);
      throw new UserError({ code: 'input', message: `the strategy has no input "${name}"`, hint: hint ?? 'it declares no inputs' });
    }),
  );
}
