// Invariant: what the bot reports about its orders is true, at once and at the end, and no order is sent twice. docs/reliability.md lists the numbers.
import type { AccountSeen } from '../../../bot/domain/event.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import type { MakeCheck, Process, Scene } from '../environment/scene.ts';
import { hasEnded } from '../record/durable-record.ts';
import type { SignedAction } from '../record/signed-action.ts';
import type { Situation } from '../record/situations.ts';
import type { PendingAlarm, ToleratedReason } from '../record/tolerated-faults.ts';
import { contradictionOf } from './last-reports.ts';

export const orders: MakeCheck = (scene) => {
  const { venue, record, tolerated, fail, reached } = scene;
  let last: Process | undefined;
  return {
    started(by) {
      last = by;
    },
    received(request, { body }, { asked, altered, by }) {
      const made = altered || !venue.api.isAccount(request) ? undefined : venue.replies.madeAt(body);
      if (made !== undefined) tolerated.sawAge(by.number, asked - made);
    },
    turn(turn, by) {
      if (turn.actions.some(({ kind }) => kind === 'place')) checkNotSentAgain(turn, by.trading?.run.world, scene);
      for (const { name, reason } of turn.alarms)
        for (const pending of tolerated.pendingAlarms) if (isOf(pending, { name, reason })) tolerated.resolve(pending);
      for (const event of turn.events) {
        if (event.kind !== 'accountSeen' || event.account !== by.trading?.run.world.account?.value) continue; // the bot did not use it
        tolerated.sawAccount(by.number, venue.actionOf(event.account.updateId));
        if (!tolerated.isMisled(by.number) && !tolerated.hasJustBegun(by.number)) checkPendingAlarms(event, by, scene);
      }
      for (const { order, status, reason } of turn.changes) {
        if (reason === 'cancelled by us' && !venue.truth.wasCancelledByUs(order.orderId))
          fail('V4', `order ${order.clientOrderId} is reported as cancelled by us; no cancel of it was executed`);
        if (status !== 'filled' && status !== 'cancelled' && status !== 'rejected') continue;
        const { clientOrderId, market } = order;
        const resting = venue.truth.restingPlacement(clientOrderId);
        const signedAction = resting ?? (status === 'rejected' ? executedPlacement(scene, clientOrderId) : undefined);
        if (signedAction === undefined) continue;
        const why = tolerated.forEnding(signedAction, {
          status,
          reason,
          process: by.number,
          undone: venue.truth.undone.orders.has(clientOrderId),
          hasId: order.orderId !== undefined,
        });
        if (why !== undefined) tolerated.expectAlarm({ clientOrderId, market, why });
        else if (resting !== undefined) fail('V4', `order ${clientOrderId} is reported as ${status} (${reason ?? ''}), and rests`);
      }
    },
    rolledBack({ orders: undone }) {
      tolerated.rolledBack();
      for (const clientOrderId of undone) {
        const latest = record.latest(clientOrderId);
        const [signedAction] = venue.truth.placements(clientOrderId);
        if (latest === undefined || !hasEnded(latest) || signedAction?.action.kind !== 'placeOrder') continue;
        if (venue.truth.restingPlacement(clientOrderId) !== undefined)
          tolerated.expectAlarm({ clientOrderId, market: signedAction.action.marketId, why: 'undone' });
      }
    },
    answered(action, receipt) {
      if (action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder' || action.clientOrderId === undefined) return;
      const { clientOrderId, marketId: market } = action;
      const latest = record.latest(clientOrderId);
      const [signedAction] = venue.truth.placements(clientOrderId);
      const why = signedAction && tolerated.forExecution(signedAction);
      if (why === undefined && (latest === undefined || !hasEnded(latest))) return;
      if (why === undefined)
        return fail('V4', `order ${clientOrderId} was reported as ${latest?.status} (${latest?.reason ?? ''}), and is executed`);
      if (tolerated.hasRunEnded) tolerated.unseen.set(clientOrderId, receipt);
      else tolerated.expectAlarm({ clientOrderId, market, why });
      reached(executedAfterEnd(why));
    },
    quiescent() {
      const outcomes = venue.truth.outcomes();
      for (const [clientOrderId, history] of record.orders) {
        const line = history.lines.at(-1);
        if (line === undefined) continue;
        const market = venue.exchange.markets.find(({ symbol }) => symbol === line.market);
        const size = market?.parseSize(line.size) ?? 0;
        const outcome = outcomes.get(clientOrderId) ?? { executed: 0, filled: 0, open: false };
        const contradiction = contradictionOf({ clientOrderId, history, line, size, outcome }, { scene, last });
        if (contradiction !== undefined)
          fail('V4', `order ${clientOrderId} of ${size} is reported as ${line.status} (${line.reason ?? ''}); ${contradiction}`);
      }
      for (const clientOrderId of venue.truth.clientIds())
        if (!record.orders.has(clientOrderId)) fail('V4', `order ${clientOrderId} was sent and never reported`);
      if (
        tolerated.pendingAlarms.some(({ why }) => why === 'ghost') &&
        hasGhostAlarm(scene) &&
        new KillSwitch(scene.disk).get().mode === 'active'
      )
        fail('V22', 'an order turned up whose absence had been proved, and the bot continues as before');
    },
  };
};

/** The placement that was executed. A copy of refused bytes may also rest, or take at once. */
const executedPlacement = ({ venue }: Scene, clientOrderId: string): SignedAction | undefined =>
  venue.truth.placements(clientOrderId).find(({ executions }) => executions.length > 0);

function executedAfterEnd(why: ToleratedReason): Situation {
  if (why === 'ghost') return 'ended order executed: engine time went back';
  if (why === 'copy') return 'ended order executed: copy of a refused request';
  return 'ended order executed: the exchange had forgotten its id';
}

/** Checks a good account that was requested long after: the orders that it lists must be ours again, with an alarm. */
function checkPendingAlarms({ account }: AccountSeen, by: Process, { tolerated, venue, fail }: Scene): void {
  for (const pending of tolerated.due()) {
    const { clientOrderId, why } = pending;
    if (venue.actionOf(account.updateId) <= pending.account) continue;
    const listed = account.orders.find((order) => order.clientOrderId === clientOrderId);
    const isListed = listed !== undefined;
    if (isListed && tolerated.mayBeForgotten(pending)) continue;
    if (
      isListed &&
      by.trading?.run.world.orders().every((order) => order.clientOrderId !== clientOrderId && order.orderId !== listed.orderId)
    )
      fail('V4', `order ${clientOrderId} was reported as ended (${why}), is listed, and the bot does not take it over`);
    else if (isListed && why !== 'again')
      fail('V22', `order ${clientOrderId} was reported as ended (${why}), is listed, and no alarm was raised`);
    else if (isListed || venue.truth.restingPlacement(clientOrderId) === undefined) tolerated.resolve(pending);
  }
}

const isOf = ({ clientOrderId }: PendingAlarm, { name, reason }: { name: string; reason: string }): boolean =>
  name === 'ghost' && reason.includes(clientOrderId);

const hasGhostAlarm = ({ tolerated, record }: Scene): boolean =>
  record.alarms.some(({ alarm, reason }) =>
    tolerated.pendingAlarms.some(
      (pending) => pending.why === 'ghost' && isOf(pending, { name: alarm, reason }) && !reason.includes('rejected'),
    ),
  );

/** No more orders rest at one price than the strategy intends there; otherwise an order without an answer was sent again. */
function checkNotSentAgain(
  { actions, intents }: Turn,
  world: { orders(market: number): readonly { side: string; price: number; status: string; clientOrderId: string }[] } | undefined,
  { fail }: Scene,
): void {
  for (const action of actions) {
    if (action.kind !== 'place') continue;
    const intent = intents.find(({ market }) => market === action.market);
    if (intent?.kind !== 'quote') continue;
    const isHere = ({ price }: { price: number }): boolean => price === action.price;
    const wanted = (action.side === 'bid' ? intent.bids : intent.asks).filter(isHere).length;
    const standing = (world?.orders(action.market) ?? []).filter((order) => order.side === action.side && isHere(order));
    const undecided = standing.filter(
      ({ status, clientOrderId }) => clientOrderId !== action.clientOrderId && (status === 'unknown' || status === 'pending'),
    );
    if (undecided.length > 0 && standing.length > wanted) {
      fail(
        'V2',
        `${action.clientOrderId} is placed for what ${undecided.map(({ clientOrderId }) => clientOrderId).join(', ')} may stand for already`,
      );
    }
  }
}
