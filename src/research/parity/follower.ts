// Repeats the turns of a recording one by one, with the engine and the ids of its run.
import type { Action } from '../../bot/domain/action.ts';
import type { ClientOrderId } from '../../bot/domain/ids.ts';
import { Market } from '../../bot/domain/market.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import { assemble, type RunParts } from '../../bot/run/core/assemble.ts';
import { clientOrderIds } from '../../bot/run/state/client-order-ids.ts';
import type { RecordingHeader } from '../../bot/run/state/turn-recording.ts';

export interface FollowerOptions extends Pick<RunParts, 'decide' | 'rules'> {
  readonly header: RecordingHeader;
}

/**
 * Returns a function that repeats recorded turns one by one and returns the turn as decided now. The recorded actions count as sent, so one different
 * turn does not make the next ones differ.
 */
export function follower(options: FollowerOptions): (recorded: Turn) => Turn {
  let next = Number(clientOrderIds(options.header.startedAt, options.header.history)());
  let [recordedActions, wasSent]: [readonly Action[], boolean] = [[], false];
  const nextClientOrderId = (): ClientOrderId => String(next++);
  const sentInstead = (): readonly Action[] => {
    wasSent = true;
    return recordedActions;
  };
  const { world, engine } = assembleReplay(options, { nextClientOrderId, sentInstead });
  return (recorded) => {
    const before = next;
    [recordedActions, wasSent] = [recorded.actions, false];
    const turn = engine.step(...recorded.events);
    if (!wasSent && recordedActions.length > 0) world.markSent(recordedActions); // the engine sent nothing, so it did not ask
    const last = recordedActions.findLast(({ kind }) => kind === 'place');
    next = last === undefined ? before : Number(last.clientOrderId) + 1;
    return turn;
  };
}

/** Makes the engine of a recorded run, with the same client order ids unless given others. */
export function assembleReplay({ header, decide, rules }: FollowerOptions, parts: Pick<RunParts, 'nextClientOrderId' | 'sentInstead'>) {
  const { history, startedAt, foreign, orderLife, needsWitness, bindsAccounts, accountLag } = header;
  const markets = header.markets.map((spec) => new Market(spec));
  return assemble({ markets, history, startedAt, decide, rules, foreign, orderLife, needsWitness, bindsAccounts, accountLag, ...parts });
}
