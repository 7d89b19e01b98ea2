// Invariant, by the exchange's own record: no order rests at the price of another one that the living process does not know.
import type { RestingOrder } from '../../../bot/domain/account.ts';
import type { MakeCheck, Process, Scene } from '../environment/scene.ts';

export const doubled: MakeCheck = (scene) => {
  const { venue, tolerated, record, isAlive, fail } = scene;
  const processes = new Map<number, Process>();
  /** By client order id: how many orders its strategy wanted at its price when it was placed. */
  const wanted = new Map<string, number>();
  return {
    turn({ actions, intents }, by) {
      processes.set(by.number, by);
      for (const action of actions) {
        const intent = action.kind === 'place' ? intents.find(({ market }) => market === action.market) : undefined;
        if (action.kind !== 'place' || intent?.kind !== 'quote') continue;
        const levels = action.side === 'bid' ? intent.bids : intent.asks;
        wanted.set(action.clientOrderId, levels.filter(({ price }) => price === action.price).length);
      }
    },
    answered(action, receipt, copy) {
      if (action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder' || receipt.posted === undefined) return;
      const { clientOrderId = '', marketId, side, price } = action;
      const [most, signedAction] = [wanted.get(clientOrderId), venue.truth.placements(clientOrderId)[0]];
      if (copy > 1 || signedAction === undefined || signedAction.sentAt < record.lostAt) return; // V1 and V4 check copies
      const world = [...processes.values()].findLast(({ number }) => isAlive(number))?.trading?.run.world;
      if (most === undefined || world === undefined) return;
      const knownIds = new Set(world.orders().flatMap((order) => [order.clientOrderId, order.orderId]));
      const here = venue.truth
        .resting()
        .filter((order) => order.market === marketId && order.side === side && BigInt(order.price) === price);
      const unknown = here.filter((order) => !knownIds.has(order.clientOrderId) && !knownIds.has(order.orderId));
      const isAlarmPending = unknown.some((order) =>
        tolerated.pendingAlarms.some((pending) => pending.clientOrderId === order.clientOrderId),
      );
      if (
        here.length > most &&
        unknown.length > 0 &&
        !isAlarmPending &&
        !unknown.every((order) => wasHidden(order, signedAction.process, scene))
      )
        fail(
          'V2',
          `order ${clientOrderId} rests at ${price} beside ${unknown.map(({ orderId }) => orderId).join(', ')}, of which the process does not know`,
        );
    },
  };
};

/**
 * True for an order of a lost state that no account of the process could show: all that it has received by now are older than the order, and the last
 * was older than a replica may lag.
 */
function wasHidden({ clientOrderId = '' }: RestingOrder, process: number, { venue, tolerated, record }: Scene): boolean {
  const placements = venue.truth.placements(clientOrderId);
  const isOfLostState = placements.length > 0 && placements.every(({ sentAt }) => sentAt < record.lostAt);
  const actions = placements.flatMap(({ executions }) => executions.map(({ receipt }) => Number(receipt.actionId)));
  return isOfLostState && tolerated.isMisled(process) && actions.every((action) => action > tolerated.newest(process));
}
