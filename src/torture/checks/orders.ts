// What the bot says of its orders is true, at once and for ever, and nothing is asked for twice.
import type { Turn } from '../../domain/turn.ts';
import type { OrderLine } from '../../report/lines.ts';
import { hasEnded } from '../record.ts';
import type { MakeCheck, Scene } from '../scene.ts';

export const orders: MakeCheck = (scene) => {
  const { venue, record, fail } = scene;
  return {
    turn(turn, by) {
      if (turn.actions.some(({ kind }) => kind === 'place')) wantedOnce(turn, by.trading?.run.world, scene);
      for (const { order, status } of turn.changes) {
        if (status !== 'filled' && status !== 'cancelled' && status !== 'rejected') continue;
        const resting = new Set(venue.truth.open());
        const rests = venue.truth
          .placements(order.clientOrderId)
          .some(({ executions }) =>
            executions.some(
              ({ receipt }) => receipt.kind === 'placeOrder' && receipt.posted !== undefined && resting.has(receipt.posted.orderId),
            ),
          );
        if (rests && !isBlinded(scene) && !(status === 'rejected' && mayBeCopied(scene)))
          fail('V4', `order ${order.clientOrderId} is said to be ${status}, and rests`);
      }
    },
    answered(action, receipt) {
      if (action.kind !== 'placeOrder' || receipt.kind !== 'placeOrder' || action.clientOrderId === undefined) return;
      const told = record.latest(action.clientOrderId);
      if (told === undefined || !hasEnded(told)) return;
      if (!mayBeGhost(scene))
        fail('V4', `order ${action.clientOrderId} was said to be ${told.status} (${told.reason ?? ''}), and is executed`);
    },
    quiescent() {
      const fates = venue.truth.fates();
      for (const [clientOrderId, { lines }] of record.orders) {
        const line = lines.at(-1);
        if (line === undefined) continue;
        const market = venue.exchange.markets.find(({ symbol }) => symbol === line.market);
        const size = market?.parseSize(line.size) ?? 0;
        const fate = fates.get(clientOrderId) ?? { executed: 0, filled: 0, open: false };
        const say = (what: string): void =>
          fail('V4', `order ${clientOrderId} of ${size} is said to be ${line.status} (${line.reason ?? ''}); ${what}`);
        if (line.status === 'placed' && fate.executed === 0 && mayBeLost(scene)) continue;
        if (!hasEnded(line)) say('all has ended');
        else if (fate.open) say('it rests');
        else if (fate.executed > 1)
          continue; // V1 speaks of that
        else if (line.status === 'filled' && fate.filled !== size && !hasTwin(scene, line)) say(`${fate.filled} of it filled`);
        else if (line.status === 'cancelled' && fate.filled === size && !hasTwin(scene, line)) say('all of it filled');
        else if (line.status === 'rejected' && fate.executed > 0 && !mayBeCopied(scene))
          say(`it was executed, and ${fate.filled} of it filled`);
      }
      for (const clientOrderId of venue.truth.clientIds())
        if (!record.orders.has(clientOrderId)) fail('V4', `order ${clientOrderId} was sent and never told`);
    },
  };
};

/**
 * Where receipts name no order, one that is filled before any account lists it is known by its terms alone: of two on the same terms, each may be taken
 * for the other. What was traded is right all the same.
 */
const hasTwin = ({ options, record }: Pick<Scene, 'options' | 'record'>, line: OrderLine): boolean =>
  options.rules.receipts !== 'full' &&
  [...record.orders].some(([id, { lines }]) => id !== line.clientOrderId && lines.some((other) => isLike(other, line)));

const isLike = (a: OrderLine, b: OrderLine): boolean => a.market === b.market && a.side === b.side && a.price === b.price;

/** A line that was told while the disk took nothing is forgotten with its process; what was never written down never left either. */
const mayBeLost = ({ faults }: Pick<Scene, 'faults'>): boolean =>
  (['diskFull', 'diskBroken', 'syncFails'] as const).some((kind) => faults.of(kind).length > 0);

/** A refusal that the engine utters before it looks for duplicates need not concern the copy that it took: the bot is told of one of them alone. */
const mayBeCopied = ({ faults }: Pick<Scene, 'faults'>): boolean => faults.of('duplicate').length + faults.of('retryProxy').length > 0;

/** An account out of a cache, older than replicas may lag, is all that the bot has; the age of data that stands still is for the gates. */
export function isBlinded({ faults, now }: Pick<Scene, 'faults' | 'now'>): boolean {
  return faults.of('stale').some(({ from, until }) => now() >= from && now() <= until + 10_000);
}

/** Only where the exchange breaks the rules that a proof rests on may the dead come back. */
export function mayBeGhost({ faults, options }: Pick<Scene, 'faults' | 'options'>): boolean {
  const copies = faults.of('duplicate').length + faults.of('retryProxy').length > 0;
  const forgets = faults.of('restart').length > 0 || options.rules.forgetsFailed;
  const lies = faults.of('stale').length + faults.of('lag').length + faults.of('queue').length > 0;
  return faults.of('backward').length > 0 || lies || (copies && forgets);
}

/** At one price no more stands than the strategy wants there, or an order without an answer has been asked for again. */
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
