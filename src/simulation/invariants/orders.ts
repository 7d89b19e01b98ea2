// Invariant: what the bot reports about its orders is true, at once and at the end, and no order is sent twice.
import type { Millis } from '../../base/clock.ts';
import type { AccountSeen } from '../../domain/event.ts';
import type { Turn } from '../../domain/turn.ts';
import { KillSwitch } from '../../journal/kill-switch.ts';
import { mayHaveLost, mayHaveTaken } from '../mistaken.ts';
import { hasEnded } from './durable-record.ts';
import type { MakeCheck, Process, Scene } from './scene.ts';
import type { PendingAlarm } from './tolerated-faults.ts';

export const orders: MakeCheck = (scene) => {
  const { venue, record, excuses, fail, met } = scene;
  let last: Process | undefined;
  return {
    trades(by) {
      last = by;
    },
    received(request, { body }, { asked, altered, by }) {
      const made = altered || !/^\/account\/\d+$/.test(request.path) ? undefined : venue.replies.madeAt(body);
      if (made !== undefined) excuses.shown(by.number, asked - made);
    },
    turn(turn, by) {
      if (turn.actions.some(({ kind }) => kind === 'place')) wantedOnce(turn, by.trading?.run.world, scene);
      for (const { name, reason } of turn.alarms) for (const debt of excuses.debts) if (isOf(debt, { name, reason })) excuses.pay(debt);
      for (const event of turn.events) {
        if (event.kind !== 'accountSeen') continue;
        excuses.told(by.number, Number(event.account.updateId));
        if (!excuses.isBlinded(by.number) && !excuses.hasJustBegun(by.number)) dunned(event, by, scene);
      }
      for (const { order, status, reason } of turn.changes) {
        if (reason === 'cancelled by us' && !venue.truth.wasCancelledByUs(order.orderId))
          fail('V4', `order ${order.clientOrderId} is said to be cancelled by us; no cancel of it was executed`);
        if (status !== 'filled' && status !== 'cancelled' && status !== 'rejected') continue;
        const signedAction = venue.truth.restingDeed(order.clientOrderId);
        if (signedAction === undefined) continue;
        const { clientOrderId, market } = order;
        const why = excuses.forEnding(signedAction, {
          status,
          reason,
          process: by.number,
          undone: venue.truth.undone.orders.has(clientOrderId),
        });
        if (why !== undefined) excuses.owe({ clientOrderId, market, why });
        else fail('V4', `order ${clientOrderId} is said to be ${status} (${reason ?? ''}), and rests`);
      }
    },
    rolledBack({ orders: undone }) {
      excuses.undone();
      for (const clientOrderId of undone) {
        const told = record.latest(clientOrderId);
        const [signedAction] = venue.truth.placements(clientOrderId);
        if (told === undefined || !hasEnded(told) || signedAction?.action.kind !== 'placeOrder') continue;
        if (venue.truth.restingDeed(clientOrderId) !== undefined)
          excuses.owe({ clientOrderId, market: signedAction.action.marketId, why: 'undone' });
      }
    },
    answered(action, receipt) {
      if (action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder' || action.clientOrderId === undefined) return;
      const { clientOrderId, marketId: market } = action;
      const told = record.latest(clientOrderId);
      const [signedAction] = venue.truth.placements(clientOrderId);
      const why = signedAction && excuses.forExecution(signedAction);
      if (why === undefined && (told === undefined || !hasEnded(told))) return;
      if (why === undefined)
        return fail('V4', `order ${clientOrderId} was said to be ${told?.status} (${told?.reason ?? ''}), and is executed`);
      excuses.owe({ clientOrderId, market, why });
      met(`dead order executed: ${why === 'ghost' ? 'time went back' : why === 'copy' ? 'copy of a refused one' : 'forgotten duplicate'}`);
    },
    quiescent() {
      const fates = venue.truth.fates();
      for (const [clientOrderId, told] of record.orders) {
        const line = told.lines.at(-1);
        if (line === undefined) continue;
        const market = venue.exchange.markets.find(({ symbol }) => symbol === line.market);
        const size = market?.parseSize(line.size) ?? 0;
        const fate = fates.get(clientOrderId) ?? { executed: 0, filled: 0, open: false };
        const say = (what: string): void =>
          fail('V4', `order ${clientOrderId} of ${size} is said to be ${line.status} (${line.reason ?? ''}); ${what}`);
        if (record.losses > 0 && venue.truth.placements(clientOrderId).length === 0) continue; // a name that was given to an order taken over
        if (told.first < record.lostAt && !fate.open) continue; // the process that reported it never received how it ended
        const isForgotten = excuses.isDiskBad(told.last) || !record.isDurable(clientOrderId);
        if (line.status === 'placed' && fate.executed === 0 && isForgotten) continue; // lost with its process: nothing is sent before it is durable
        if (excuses.isAdrift && isHeldUnknown(last, clientOrderId)) continue;
        if ((!hasEnded(line) || fate.open) && excuses.isBehind(venue.truth.accountNumber)) continue; // no account since could show it
        if (!hasEnded(line)) say('all has ended');
        else if (fate.open) say('it rests');
        else if (fate.executed > 1 || venue.truth.undone.orders.has(clientOrderId) || venue.truth.misread.has(clientOrderId))
          continue; // V1 covers the first, V5 the second; the third has another size than it reports
        else if (line.status === 'filled' && fate.filled !== size) {
          const isMistaken = hasTwin(scene, clientOrderId) || mayHaveTaken(scene, clientOrderId, size - fate.filled);
          if (!isMistaken) say(`${fate.filled} of it filled`);
        } else if (line.status === 'cancelled' && fate.filled === size && !excuses.isAdrift && !isConfused(scene, clientOrderId))
          say('all of it filled');
        else if (line.status === 'rejected' && fate.executed > 0 && !isTold(scene, clientOrderId))
          say(`it was executed, and ${fate.filled} of it filled`);
      }
      for (const clientOrderId of venue.truth.clientIds())
        if (!record.orders.has(clientOrderId)) fail('V4', `order ${clientOrderId} was sent and never told`);
      if (excuses.debts.some(({ why }) => why === 'ghost') && hasGhostAlarm(scene) && new KillSwitch(scene.disk).get().mode === 'active')
        fail('V22', 'an order turned up whose absence had been proved, and the bot goes on as before');
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
function dunned({ account }: AccountSeen, by: Process, { excuses, venue, fail }: Scene): void {
  for (const debt of excuses.due()) {
    const { clientOrderId, why } = debt;
    if (Number(account.updateId) <= debt.account) continue;
    const isListed = account.orders.some((order) => order.clientOrderId === clientOrderId);
    if (isListed && excuses.mayBeForgotten(debt)) continue;
    if (isListed && by.trading?.run.world.orders().every((order) => order.clientOrderId !== clientOrderId) === true)
      fail('V4', `order ${clientOrderId} was said to be over (${why}), is listed, and the bot does not take it over`);
    else if (isListed && why !== 'again') fail('V22', `order ${clientOrderId} was said to be over (${why}), is listed, and nobody is told`);
    else if (isListed || venue.truth.restingDeed(clientOrderId) === undefined) excuses.pay(debt);
  }
}

const isOf = ({ clientOrderId }: PendingAlarm, { name, reason }: { name: string; reason: string }): boolean =>
  name === 'ghost' && reason.includes(clientOrderId);

/**
 * True if a copy of a refused order was executed and is gone again. If it filled, its fills have no order that the bot knows, and an alarm reports
 * that.
 */
function isTold({ venue, record, excuses }: Scene, clientOrderId: string): boolean {
  const wasCopied = venue.truth.placements(clientOrderId).some(({ arrivals }) => arrivals > 1);
  if (!wasCopied && !excuses.debts.some((debt) => debt.clientOrderId === clientOrderId)) return false;
  const filled = venue.truth.fates().get(clientOrderId)?.filled ?? 0;
  return filled === 0 || record.alarms.some(({ alarm }) => alarm === 'ghost' || alarm === 'company' || alarm === 'position');
}

const hasGhostAlarm = ({ excuses, record }: Scene): boolean =>
  record.alarms.some(({ alarm, reason }) =>
    excuses.debts.some((debt) => debt.why === 'ghost' && isOf(debt, { name: alarm, reason }) && !reason.includes('rejected')),
  );

/** True if the bot knew the order by its terms only, and booked its fills as a stranger's trades, with an alarm. */
function isConfused(scene: Scene, clientOrderId: string): boolean {
  const { options, record } = scene;
  const line = record.orders.get(clientOrderId)?.lines[0];
  const isToldOf = ({ tradeId }: { readonly tradeId: string }): boolean =>
    record.alarms.some(({ alarm, reason }) => alarm === 'company' && reason.startsWith(`trade ${tradeId} `));
  const asStrangers = (): boolean =>
    [...record.fills.values()].some(
      (fill) => fill.clientOrderId === undefined && fill.market === line?.market && fill.side === line.side && isToldOf(fill),
    );
  return hasTwin(scene, clientOrderId) || mayHaveLost(scene, clientOrderId) || (options.rules.receipts !== 'full' && asStrangers());
}

/** An order may be confused with one of the same terms while the fills of both can be attributed. */
const TOLD_WITHIN: Millis = 5_000;

/**
 * If receipts name no order, one that is filled before any account lists it is known by its terms only: of two with the same terms at one time, each
 * may be confused with the other. The trades are right all the same.
 */
function hasTwin({ options, record }: Pick<Scene, 'options' | 'record'>, clientOrderId: string): boolean {
  const told = record.orders.get(clientOrderId);
  const line = told?.lines[0];
  if (options.rules.receipts === 'full' || told === undefined || line === undefined) return false;
  return [...record.orders].some(([id, other]) => {
    const [its] = other.lines;
    const isLike = its?.market === line.market && its.side === line.side && its.price === line.price;
    return id !== clientOrderId && isLike && other.first <= told.last + TOLD_WITHIN && told.first <= other.last + TOLD_WITHIN;
  });
}

/** No more orders rest at one price than the strategy wants there; otherwise an order without an answer was sent again. */
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
