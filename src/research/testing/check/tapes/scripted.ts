// Makes one script for each market of a strategy, and the history from before the scripts.
import type { Millis } from '../../../../base/clock.ts';
import { SCRIPT_START } from '../../market-script.ts';
import { movedTape } from '../../memory-tape.ts';
import type { PlayedWith, Subject } from '../subject.ts';
import { longestCandle } from './candle-tapes.ts';
import { pastBefore } from './past.ts';
import { CALM_SECONDS, Script } from './scenarios.ts';

const CALM: Millis = CALM_SECONDS * 1_000;
/** A moment at which candles of every length end. */
const MIDNIGHT = Date.UTC(2026, 0, 6);

export interface Scripted extends Pick<PlayedWith, 'tapes' | 'history'> {
  readonly start: Millis;
}

/**
 * Returns a tape for each market, with the script that `write` writes. For a strategy that asks for candles, the calm beginning ends at midnight, where a candle of
 * every length ends.
 */
export function scripted(subject: Subject, write: (script: Script) => void, until?: number): Scripted {
  const scripts = subject.tapes.map(({ header: { market, basePrice } }) => {
    const script = new Script({ spec: market, basePrice });
    write(script);
    return script.tape(until);
  });
  if (longestCandle(subject.strategy, subject.params) === undefined) return { tapes: scripts, start: SCRIPT_START };
  const start = MIDNIGHT - CALM;
  return { tapes: scripts.map((tape) => movedTape(tape, start - SCRIPT_START)), history: pastBefore(start, subject), start };
}
