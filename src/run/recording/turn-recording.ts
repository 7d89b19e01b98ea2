// The recording of a run: enough to repeat every turn and get the same bytes.

import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { Action } from '../../domain/action.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import { Market, type MarketSpec } from '../../domain/market.ts';
import type { Turn } from '../../domain/turn.ts';
import type { Polling } from '../../exchange/kit/streams/polling.ts';
import { assemble, type Parts } from '../core/assemble.ts';
import { clientOrderIds } from '../core/client-order-ids.ts';
import type { History } from '../state/history.ts';
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
  readonly history: History;
  /** Turns that are missing before this segment. */
  readonly gap?: RecordingGap | undefined;
  readonly foreign?: Parts['foreign'];
  /** True for a live run; passed to `rulesFrom`. */
  readonly live?: boolean | undefined;
  /** The order life by the exchange's rules, in seconds, if known. */
  readonly orderLife?: number | undefined;
  /** True if accounts and trades alone do not prove an order absent. */
  readonly needsWitness?: boolean | undefined;
  /** True if the run checked the answers about its account. */
  readonly bindsAccounts?: boolean | undefined;
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

export interface ReplayOptions extends Pick<Parts, 'decide' | 'rules'> {
  readonly header: RecordingHeader;
}

/**
 * Returns a function that repeats recorded turns one by one and returns the turn as decided now. The recorded actions count as sent, so one different
 * turn does not make the next ones differ.
 */
export function follower(options: ReplayOptions): (recorded: Turn) => Turn {
  let next = Number(clientOrderIds(options.header.startedAt, options.header.history)());
  let [recordedActions, taken]: [readonly Action[], boolean] = [[], false];
  const nextClientOrderId = (): ClientOrderId => String(next++);
  const sentInstead = (): readonly Action[] => {
    taken = true;
    return recordedActions;
  };
  const { world, engine } = assembleReplay(options, { nextClientOrderId, sentInstead });
  return (recorded) => {
    const before = next;
    [recordedActions, taken] = [recorded.actions, false];
    const turn = engine.step(...recorded.events);
    if (!taken && recordedActions.length > 0) world.markSent(recordedActions);
    const last = recordedActions.findLast(({ kind }) => kind === 'place');
    next = last === undefined ? before : Number(last.clientOrderId) + 1;
    return turn;
  };
}

/** Makes the engine of a recorded run, with the same client order ids unless given others. */
export function assembleReplay({ header, decide, rules }: ReplayOptions, parts: Pick<Parts, 'nextClientOrderId' | 'sentInstead'>) {
  const { history, startedAt, foreign, orderLife, needsWitness, bindsAccounts } = header;
  const markets = header.markets.map((spec) => new Market(spec));
  return assemble({ markets, history, startedAt, decide, rules, foreign, orderLife, needsWitness, bindsAccounts, ...parts });
}
