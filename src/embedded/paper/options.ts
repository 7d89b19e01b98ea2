// The options of a paper run: whose data it follows, and what it assumes; the identity of its account; the parser of `--queue`.

import { UserError } from '../../base/errors.ts';
import { suggestion } from '../../base/text/phrases.ts';
import type { FeeRates } from '../../bot/domain/market.ts';
import type { Micros } from '../../bot/domain/numbers.ts';
import type { AccountHolder } from '../../bot/run/core/start-check.ts';
import type { VenueOptions } from '../../bot/run/core/venue.ts';
import type { VenueKind } from '../../venues/kind/venue-kind.ts';
import type { LatencySpec } from '../adapter/latency.ts';
import type { QueueModel } from '../exchange/recorded/queue.ts';

export interface PaperAssumptions {
  /** If absent, the measured latency is used. */
  readonly latency?: LatencySpec | undefined;
  readonly queue?: QueueModel | undefined;
  readonly deposit?: Micros | undefined;
  readonly fees?: FeeRates | undefined;
  /** File of the tape; with several markets the symbol goes before the extension. Default: in the state directory. */
  readonly record?: string | undefined;
}

export interface PaperOptions extends VenueOptions {
  /** The public data of the exchange at `url`. */
  readonly connectFeed: NonNullable<VenueKind['feed']>;
  readonly url: string;
  readonly seed: string;
  readonly assumptions: PaperAssumptions;
  /** The state directory. */
  readonly directory: string;
  readonly onBug: (thrown: unknown) => void;
}

/** The identity of the simulated account: the exchange `paper`, and the address of the data that it follows. */
export const paperAccountHolder = (url: string): AccountHolder => ({ exchange: 'paper', url: new URL(url).origin });

/** Default power of the probabilistic queue model: the middle of the usual values. */
const DEFAULT_POWER = 3;

const QUEUES: readonly string[] = ['conservative', 'probabilistic', 'exact'];
const HOW_TO_QUEUE = 'write conservative, probabilistic, probabilistic:2 or exact';

/** Parses the option `--queue`. Throws a UserError for anything else than `conservative`, `probabilistic`, `probabilistic:POWER` and `exact`. */
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
