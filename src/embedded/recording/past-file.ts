// Records the past candles that a paper run received, and when, so that a backtest of its tape receives the same at the same times.

import { Observable } from 'rxjs';
import { z } from 'zod';
import type { Clock, Millis } from '../../base/clock.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { readNamedFile } from '../../base/files/text-file.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import { lots, ticks } from '../../bot/domain/numbers.ts';
import type { PastCandles, Venue } from '../../bot/exchange/port.ts';

/** In the state directory. */
export const PAST_FILE = 'past.jsonl';

export interface PastSeen extends PastCandles {
  /** When the run received the candles, by its own clock. */
  readonly at: Millis;
  /** Symbol. */
  readonly market: string;
}

const price = z.int().transform(ticks);
const shape = z.object({
  at: z.number(),
  market: z.string(),
  span: z.int().positive(),
  candles: z.array(
    z.object({
      start: z.int(),
      open: price,
      high: price,
      low: price,
      close: price,
      volume: z.int().transform(lots).optional(),
    }),
  ),
});

export const pastLine = (seen: PastSeen): string => JSON.stringify(seen);

/** Throws a UserError with file and line. */
export function readPast(file: string): readonly PastSeen[] {
  return readNamedFile(file, { code: 'past', what: `--past ${file}`, hint: `it is ${PAST_FILE} in the state directory of a paper run` })
    .split('\n')
    .flatMap((line, index): PastSeen[] => {
      if (line.trim() === '') return [];
      try {
        return [shape.parse(readJson(line, JSON_LIMITS.file))];
      } catch (error) {
        const message = `not the past of a paper run: ${error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)}`;
        throw new UserError({ code: 'past', message, place: { file, line: index + 1 }, hint: `--past takes ${PAST_FILE} of a paper run` });
      }
    });
}

/** Answers each request for a market with the next recorded answer, at its time; never answers a request that had no answer in the run. */
export function replayedPast(past: readonly PastSeen[], clock: Clock): NonNullable<Venue['history']> {
  const left = [...past];
  return ({ market: { symbol } }) =>
    new Observable<PastCandles>((listener) => {
      const index = left.findIndex(({ market }) => market === symbol);
      const [next] = index < 0 ? [] : left.splice(index, 1);
      if (next === undefined) return undefined;
      return clock.at(next.at, () => {
        listener.next({ span: next.span, candles: next.candles });
        listener.complete();
      });
    });
}
