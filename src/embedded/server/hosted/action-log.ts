// The newest signed actions that were executed, as they arrived, and the endpoint that lists them.
import type { Millis } from '../../../base/clock.ts';
import { Ring } from '../../../base/collections/recent.ts';
import { jsonReply, RefusedRequest } from '../../../base/server/reply.ts';
import { type Route, route } from '../../../base/server/routing.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { ActionId } from '../../../bot/domain/ids.ts';
import { idNumber } from '../reply-values.ts';
import { cursorOf, required } from './parameters.ts';

export interface ListedAction {
  readonly actionId: ActionId;
  /** Exchange time of the execution. */
  readonly time: Millis;
  /** The action with its length before it, without the signature. */
  readonly framed: Uint8Array;
}

/** Maximum number of ids in a request, and of actions that are kept. */
const MAX_ACTIONS = 1_000;

export class ActionLog {
  readonly #actions = new Ring<ListedAction>(MAX_ACTIONS);

  add(action: ListedAction): void {
    this.#actions.push(action);
  }

  /** Returns the actions after `from` up to `to`, oldest first. */
  between(from: bigint, to: bigint): readonly ListedAction[] {
    return this.#actions.values().filter(({ actionId }) => BigInt(actionId) > from && BigInt(actionId) <= to);
  }
}

export const actionLogEndpoint = (log: ActionLog): Route =>
  route({
    path: '/action',
    query: { from: cursorOf, to: cursorOf, clientVersion: (text: string) => text },
    answer: ({ query }) => {
      const [from, to] = [BigInt(required(query.from, 'from')), BigInt(required(query.to, 'to'))];
      const requested = to - from;
      if (requested > MAX_ACTIONS) throw new RefusedRequest(400, { requested, maximal: MAX_ACTIONS });
      return jsonReply(
        log.between(from, to).map(({ actionId, time, framed }) => ({
          actionId: idNumber(actionId),
          physicalTime: timeText(time),
          payload: Buffer.from(framed).toString('base64'),
        })),
      );
    },
  });
