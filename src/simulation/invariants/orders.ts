// Invariant: what the bot reports about its orders is true, at once and at the end, and no order is sent twice.
import type { Millis } from '../../base/clock.ts';
import type { AccountSeen } from '../../domain/event.ts';
import type { Turn } from '../../domain/turn.ts';
import { KillSwitch } from '../../journal/kill-switch.ts';
import { mayHaveLost, mayHaveTaken } from '../misattributed.ts';
import { hasEnded } from './record/durable-record.ts';
import type { MakeCheck, Process, Scene } from './record/scene.ts';
import type { PendingAlarm } from './record/tolerated-faults.ts';

export const orders: MakeCheck = (scene) => {
  const { venue, record, tolerated, fail, reached } = scene;
  let last: Process | undefined;
  return {
    trades(by) {
      last = by;
    },
    received(request, { body }, { asked, altered, by }) {
      const made = altered || !/^\/account\/\d+$/.test(request.path) ? undefined : venue.replies.madeAt(body);
      if (made !== undefined) tolerated.shown(by.number, asked - made);
    },
    turn(turn, by) {
      if (turn.actions.some(({ kind }) => kind === 'place')) wantedOnce(turn, by.trading?.run.world, scene);
      for (const { name, reason } of turn.alarms)
        for (const pending of tolerated.pendingAlarms) if (isOf(pending, { name, reason })) tolerated.pay(pending);
      for (const event of turn.events) {
        if (event.kind !== 'accountSeen') continue;
        tolerated.sawAccount(by.number, Number(event.account.updateId));
        if (!tolerated.sawOldAccount(by.number) && !tolerated.hasJustBegun(by.number)) checkPendingAlarms(event, by, scene);
      }
      for (const { order, status, reason } of turn.changes) {
        if (reason === 'cancelled by us' && !venue.truth.wasCancelledByUs(order.orderId))
          fail('V4', `order ${order.clientOrderId} is reported as cancelled by us; no cancel of it was executed`);
        if (status !== 'filled' && status !== 'cancelled' && status !== 'rejected') continue;
        const signedAction = venue.truth.restingPlacement(order.clientOrderId);
        if (signedAction === undefined) continue;
        const { clientOrderId, market } = order;
        const why = tolerated.forEnding(signedAction, {
          status,
          reason,
          process: by.number,
          undone: venue.truth.undone.orders.has(clientOrderId),
        });
        if (why !== undefined) tolerated.expectAlarm({ clientOrderId, market, why });
        else fail('V4', `order ${clientOrderId} is reported as ${status} (${reason ?? ''}), and rests`);
      }
    },
    rolledBack({ orders: undone }) {
      tolerated.undone();
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
      if (tolerated.isOver) tolerated.unseen.set(clientOrderId, receipt);
      else tolerated.expectAlarm({ clientOrderId, market, why });
      reached(
        `ended order executed: ${why === 'ghost' ? 'engine time went back' : why === 'copy' ? 'copy of a refused request' : 'the exchange had forgotten its id'}`,
      );
    },
    quiescent() {
      const fates = venue.truth.fates();
      for (const [clientOrderId, history] of record.orders) {
        const line = history.lines.at(-1);
        if (line === undefined) continue;
        const market = venue.exchange.markets.find(({ symbol }) => symbol === line.market);
        const size = market?.parseSize(line.size) ?? 0;
        const fate = fates.get(clientOrderId) ?? { executed: 0, filled: 0, open: false };
        const say = (what: string): void =>
          fail('V4', `order ${clientOrderId} of ${size} is reported as ${line.status} (${line.reason ?? ''}); ${what}`);
        const isGiven = (record.losses > 0 || venue.truth.isCopy(line.orderId)) && venue.truth.placements(clientOrderId).length === 0;
        if (isGiven) continue; // a name that was given to an order taken over
        if (history.first < record.lostAt && !fate.open) continue; // the process that reported it never received how it ended
        const isForgotten = tolerated.isDiskBad(history.last) || !record.isDurable(clientOrderId);
        if (line.status === 'placed' && fate.executed === 0 && isForgotten) continue; // lost with its process: nothing is sent before it is durable
        if (tolerated.isUnexplained && isHeldUnknown(last, clientOrderId)) continue;
        if ((!hasEnded(line) || fate.open) && tolerated.isBehind(venue.truth.accountNumber)) continue; // no account since could show it
        if (!hasEnded(line)) say('all has ended');
        else if (tolerated.unseen.has(clientOrderId)) continue;
        else if (fate.open) say('it rests');
        else if (fate.executed > 1 || venue.truth.undone.orders.has(clientOrderId) || venue.truth.misread.has(clientOrderId))
          continue; // V1 covers the first, V5 the second; the third has another size than it reports
        else if (line.status === 'filled' && fate.filled !== size) {
          const isMistaken = hasTwin(scene, clientOrderId) || mayHaveTaken(scene, clientOrderId, size - fate.filled);
          if (!isMistaken) say(`${fate.filled} of it filled`);
        } else if (line.status === 'cancelled' && fate.filled === size && !tolerated.isUnexplained && !isConfused(scene, clientOrderId))
          say('all of it filled');
        else if (line.status === 'rejected' && fate.executed > 0 && !isReported(scene, clientOrderId))
          say(`it was executed, and ${fate.filled} of it filled`);
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

/**
 * True if the last process has the order as unknown and an unexplained position there, so that its absence cannot be proved; also if an earlier
 * process reported last.
 */
function isHeldUnknown(last: Process | undefined, id: string): boolean {
  const world = last?.trading?.run.world;
  const order = world?.orders().find(({ clientOrderId }) => clientOrderId === id);
  return order?.status === 'unknown' && world?.unexplained(order.market) !== undefined;
}

/** Checks a good account that was requested long after: the orders that it lists must be ours again, with an alarm. */
function checkPendingAlarms({ account }: AccountSeen, by: Process, { tolerated, venue, fail }: Scene): void {
  for (const pending of tolerated.due()) {
    const { clientOrderId, why } = pending;
    if (Number(account.updateId) <= pending.account) continue;
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
    else if (isListed || venue.truth.restingPlacement(clientOrderId) === undefined) tolerated.pay(pending);
  }
}

const isOf = ({ clientOrderId }: PendingAlarm, { name, reason }: { name: string; reason: string }): boolean =>
  name === 'ghost' && reason.includes(clientOrderId);

/**
 * True if a copy of a refused order was executed and is gone again. If it filled, its fills have no order that the bot knows, and an alarm reports
 * that.
 */
function isReported({ venue, record, tolerated }: Scene, clientOrderId: string): boolean {
  const wasCopied = venue.truth.placements(clientOrderId).some(({ arrivals }) => arrivals > 1);
  if (!wasCopied && !tolerated.pendingAlarms.some((pending) => pending.clientOrderId === clientOrderId)) return false;
  const filled = venue.truth.fates().get(clientOrderId)?.filled ?? 0;
  return filled === 0 || record.alarms.some(({ alarm }) => alarm === 'ghost' || alarm === 'company' || alarm === 'position');
}

const hasGhostAlarm = ({ tolerated, record }: Scene): boolean =>
  record.alarms.some(({ alarm, reason }) =>
    tolerated.pendingAlarms.some(
      (pending) => pending.why === 'ghost' && isOf(pending, { name: alarm, reason }) && !reason.includes('rejected'),
    ),
  );

/** True if the bot knew the order by its terms only, and booked its fills as a stranger's trades, with an alarm. */
function isConfused(scene: Scene, clientOrderId: string): boolean {
  const { options, record } = scene;
  const line = record.orders.get(clientOrderId)?.lines[0];
  const isReportedFor = ({ tradeId }: { readonly tradeId: string }): boolean =>
    record.alarms.some(({ alarm, reason }) => alarm === 'company' && reason.startsWith(`trade ${tradeId} `));
  const asStrangers = (): boolean =>
    [...record.fills.values()].some(
      (fill) => fill.clientOrderId === undefined && fill.market === line?.market && fill.side === line.side && isReportedFor(fill),
    );
  return hasTwin(scene, clientOrderId) || mayHaveLost(scene, clientOrderId) || (options.rules.receipts !== 'full' && asStrangers());
}

/** An order may be confused with one of the same terms while the fills of both can be attributed. */
const CONFUSABLE_WITHIN: Millis = 5_000;

/**
 * If receipts name no order, one that is filled before any account lists it is known by its terms only: of two with the same terms at one time, each
 * may be confused with the other. The trades are right in any case.
 */
function hasTwin({ options, record }: Pick<Scene, 'options' | 'record'>, clientOrderId: string): boolean {
  const history = record.orders.get(clientOrderId);
  const line = history?.lines[0];
  if (options.rules.receipts === 'full' || history === undefined || line === undefined) return false;
  return [...record.orders].some(([id, other]) => {
    const [its] = other.lines;
    const isLike = its?.market === line.market && its.side === line.side && its.price === line.price;
    return (
      id !== clientOrderId && isLike && other.first <= history.last + CONFUSABLE_WITHIN && history.first <= other.last + CONFUSABLE_WITHIN
    );
  });
}

/** No more orders rest at one price than the strategy intends there; otherwise an order without an answer was sent again. */
function wantedOnce(
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
