// Parses the option `--queue`.
import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/nearest.ts';
import type { QueueModel } from '../exchange/recorded/queue.ts';

/** Default power of the probabilistic queue model: the middle of the usual values. */
const DEFAULT_POWER = 3;

const QUEUES: readonly string[] = ['conservative', 'probabilistic', 'exact'];
const HOW_TO_QUEUE = 'write conservative, probabilistic, probabilistic:2 or exact';

/** Throws a UserError for anything else than `conservative`, `probabilistic`, `probabilistic:POWER` and `exact`. */
export function parseQueue(text: string): QueueModel {
  const [, kind, power] = /^(conservative|probabilistic|exact)(?::(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (kind === 'probabilistic' && Number(power ?? DEFAULT_POWER) > 0) return { kind, power: Number(power ?? DEFAULT_POWER) };
  if ((kind === 'conservative' || kind === 'exact') && power === undefined) return { kind };
  const word = text.split(':')[0] ?? '';
  throw new UserError({
    code: 'option',
    message: `--queue "${text}" is not a queue model`,
    hint: QUEUES.includes(word) ? HOW_TO_QUEUE : suggestion(word, QUEUES),
  });
}
