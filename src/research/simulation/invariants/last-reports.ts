// Compares the bot's last report about each order with the exchange's record, when a run has ended.
import type { Millis } from '../../../base/clock.ts';
import type { Process, Scene } from '../environment/scene.ts';
import { mayHaveLost, mayHaveTaken } from '../misattributed.ts';
import { hasEnded, type RecordedOrderHistory } from '../record/durable-record.ts';
import type { OrderOutcome } from '../record/order-outcomes.ts';

/** An order as the bot last reported it, and as the exchange has it. */
interface ReportedOrder {
  readonly clientOrderId: string;
  readonly history: RecordedOrderHistory;
  /** The last line about it. */
  readonly line: RecordedOrderHistory['lines'][number];
  /** Lots. */
  readonly size: number;
  readonly outcome: OrderOutcome;
}

interface Context {
  readonly scene: Scene;
  /** The last process that traded. */
  readonly last: Process | undefined;
}

/** Returns how the exchange's record contradicts the last report about an order; undefined if it does not, or if the bot could not know better. */
export function contradictionOf(order: ReportedOrder, context: Context): string | undefined {
  const { scene } = context;
  const { tolerated, venue } = scene;
  const { clientOrderId, line, size, outcome } = order;
  if (couldNotKnow(order, context)) return undefined;
  if (!hasEnded(line)) return 'all has ended';
  if (tolerated.unseen.has(clientOrderId)) return undefined;
  if (outcome.open) return 'it rests';
  // `actions.ts` checks double executions, and `ledger.ts` what a rollback undid; an order with outdated terms has another size than it reports
  if (outcome.executed > 1 || venue.truth.undone.orders.has(clientOrderId) || venue.truth.misread.has(clientOrderId)) return undefined;
  const isFilled = outcome.filled === size;
  if (line.status === 'filled' && !isFilled) {
    const isMistaken = hasTwin(scene, clientOrderId) || mayHaveTaken(scene, clientOrderId, size - outcome.filled);
    return isMistaken ? undefined : `${outcome.filled} of it filled`;
  }
  if (line.status === 'cancelled' && isFilled && !isTolerated(scene, clientOrderId)) return 'all of it filled';
  if (line.status === 'rejected' && outcome.executed > 0 && !isReported(scene, clientOrderId))
    return `it was executed, and ${outcome.filled} of it filled`;
  return undefined;
}

const isTolerated = (scene: Scene, clientOrderId: string): boolean =>
  scene.tolerated.isUnexplained || scene.tolerated.wasOmitted(clientOrderId) || isConfused(scene, clientOrderId);

/** True if no bot could know how the order ended. */
function couldNotKnow(order: ReportedOrder, { scene, last }: Context): boolean {
  const { clientOrderId, history, line, outcome } = order;
  const { venue, record, tolerated } = scene;
  const isOfTakenOver = (record.losses > 0 || venue.truth.isCopy(line.orderId)) && venue.truth.placements(clientOrderId).length === 0;
  if (isOfTakenOver) return true; // the bot gave this id to an order that it took over
  if (history.first < record.lostAt && !outcome.open) return true; // the process that reported it never received how it ended
  const isForgotten = tolerated.isDiskBad(history.last) || !record.isDurable(clientOrderId);
  if (line.status === 'placed' && outcome.executed === 0 && isForgotten) return true; // lost with its process: nothing is sent before it is durable
  if (tolerated.isUnexplained && isHeld(order, { scene, last })) return true;
  return (!hasEnded(line) || outcome.open) && tolerated.isBehind(venue.truth.accountNumber); // no account since could show it
}

/**
 * True if the position is not explained, so that the last process could not know how the order ended. Either it ended with the order as unknown, because
 * its absence cannot be proved then; the last report may be of an earlier process. Or the order had left the book, and the process ended
 * first: a stop with an unknown order ends after 90 s, but while the position is not explained, it is decided only after 150 s how the order ended.
 */
function isHeld({ clientOrderId, line, outcome }: ReportedOrder, { scene, last }: Context): boolean {
  const market = scene.venue.exchange.markets.find(({ symbol }) => symbol === line.market);
  const world = last?.trading?.run.world;
  if (world === undefined || market === undefined || world.unexplained(market.id) === undefined) return false;
  const held = world.orders().find((order) => order.clientOrderId === clientOrderId);
  return held === undefined ? !world.settled && !hasEnded(line) && !outcome.open : held.status === 'unknown';
}

/**
 * True if a copy of a refused order was executed and is gone again. If it filled, its fills have no order that the bot knows, and an alarm reports
 * that, unless another order without an answer could have made them.
 */
function isReported(scene: Scene, clientOrderId: string): boolean {
  const { venue, record, tolerated } = scene;
  const wasCopied = venue.truth.placements(clientOrderId).some(({ arrivals }) => arrivals > 1);
  if (!wasCopied && !tolerated.pendingAlarms.some((pending) => pending.clientOrderId === clientOrderId)) return false;
  const filled = venue.truth.outcomes().get(clientOrderId)?.filled ?? 0;
  // `company`: somebody else trades on the account
  const isAlarmed = record.alarms.some(({ alarm }) => alarm === 'ghost' || alarm === 'company' || alarm === 'position');
  return filled === 0 || isAlarmed || mayHaveLost(scene, clientOrderId);
}

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
 * Without a receipt that names it, an order that is filled before any account lists it is known by its terms only: of two with the same terms at one time, each
 * may be confused with the other. The trades are right in any case.
 */
function hasTwin({ options, record }: Pick<Scene, 'options' | 'record'>, clientOrderId: string): boolean {
  const history = record.orders.get(clientOrderId);
  const line = history?.lines[0];
  if (history === undefined || line === undefined) return false;
  if (history.lines.some(({ orderId }) => orderId !== undefined) && options.rules.receipts === 'full') return false;
  return [...record.orders].some(([id, other]) => {
    const [its] = other.lines;
    const isLike = its?.market === line.market && its.side === line.side && its.price === line.price;
    return (
      id !== clientOrderId && isLike && other.first <= history.last + CONFUSABLE_WITHIN && history.first <= other.last + CONFUSABLE_WITHIN
    );
  });
}
