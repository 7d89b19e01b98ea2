// Repeats the events of a recorded run with an engine that sends what it decides itself.
import { JSON_LIMITS, readJson } from '../../src/base/text/json.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import { turnText } from '../../src/bot/run/state/turn-recording.ts';
import { assembleReplay, type FollowerOptions } from '../../src/research/parity/follower.ts';

/** Yields each resulting turn as text, in the form of the recording. */
export function* replay(lines: Iterable<string>, options: FollowerOptions): Iterable<string> {
  const { engine } = assembleReplay(options, {});
  for (const line of lines) yield turnText(engine.step(...(readJson(line, JSON_LIMITS.state) as Turn).events));
}
