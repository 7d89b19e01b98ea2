// The recording of a run: enough to repeat every turn and get the same bytes.

import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { MarketSpec } from '../../domain/market.ts';
import type { Turn } from '../../domain/turn.ts';
import type { Polling } from '../../exchange/kit/streams/polling.ts';
import type { ForeignOrdersPolicy } from './entries.ts';
import type { EarlierHistory } from './history.ts';
import type { RecordingGap } from './turn-recorder.ts';

/** Raised when turns have something new that readers rely on; 5: the totals of the run. */
const VERSION = 5;

/** The origin of a run's decisions, with which a replay finds the same strategy and reports changes since. */
export interface Origin {
  /** Version of this program. */
  readonly tickwright: string;
  /** The strategy's file as an absolute path; absent for a built-in strategy. */
  readonly file?: string | undefined;
  /** `strategyHash` of its code. */
  readonly code: string;
  /** The intervals of the polls. */
  readonly polling: Polling;
}

/** The first line of a recording. Each line after it is one turn as JSON. */
export interface RecordingHeader {
  readonly kind: 'recording';
  readonly version: typeof VERSION;
  readonly strategy: string;
  readonly params: unknown;
  readonly limits: unknown;
  readonly seed: string;
  readonly startedAt: Millis;
  readonly markets: readonly MarketSpec[];
  readonly history: EarlierHistory;
  /** Turns that are missing before this segment. */
  readonly gap?: RecordingGap | undefined;
  readonly foreign?: ForeignOrdersPolicy | undefined;
  /** True for a live run; passed to `rulesFrom`. */
  readonly live?: boolean | undefined;
  /** The order life by the exchange's rules, in seconds, if known. */
  readonly orderLife?: number | undefined;
  /** True if accounts and trades alone do not prove an order absent. */
  readonly needsWitness?: boolean | undefined;
  /** True if the run checked the answers about its account. */
  readonly bindsAccounts?: boolean | undefined;
  /** How far the accounts of the exchange may be behind, if it is longer than usual. */
  readonly accountLag?: Millis | undefined;
  /** What the public data was worth, as sentences; absent if nothing was to be said. */
  readonly quality?: string | undefined;
  /** Absent if the run was not started by the command line. */
  readonly origin?: Origin | undefined;
}

export const headerText = (header: Omit<RecordingHeader, 'kind' | 'version'>): string =>
  JSON.stringify({ kind: 'recording', version: VERSION, ...header });
export const turnText = (turn: Turn): string => JSON.stringify(turn);

export function readHeader(line: string): RecordingHeader {
  const header = readJson(line, JSON_LIMITS.state) as RecordingHeader;
  if (header.kind !== 'recording' || header.version !== VERSION)
    throw new UserError({ code: 'recording', message: `not a recording of version ${VERSION}` });
  return header;
}
