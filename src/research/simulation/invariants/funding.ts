// Invariant: the funding that the run books is what the exchange has paid.
import type { Millis } from '../../../base/clock.ts';
import { opposite, signOf } from '../../../bot/domain/book.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import { lots, MICROS_PER_UNIT } from '../../../bot/domain/numbers.ts';
import type { MakeCheck, Process, Scene } from '../environment/scene.ts';

/** A journal has every account up to this long before its process died; newer ones it may lack. */
const JOURNALED_WITHIN: Millis = 65_000;

/** An account that the bot received. */
interface Received {
  readonly at: Millis;
  /** The last action that it includes. */
  readonly action: number;
  readonly sizes: ReadonlyMap<MarketId, number>;
}

export const funding: MakeCheck = (scene) => {
  const begun = scene.venue.exchange.now();
  /** The accounts that the newest process or its journal has. */
  let received: Received[] = [];
  let current: Process | undefined;
  return {
    started(by) {
      const last = received.at(-1)?.at ?? 0;
      received = received.filter(({ at }) => at < last - JOURNALED_WITHIN);
      current = by;
    },
    turn({ events }) {
      for (const event of events) {
        if (event.kind !== 'accountSeen') continue;
        const { updateId, positions } = event.account;
        const sizes = new Map(positions.map(({ market, size }) => [market, size]));
        received.push({ at: scene.now(), action: scene.venue.actionOf(updateId), sizes });
      }
    },
    quiescent() {
      if (current?.trading !== undefined) compare(scene, { by: current, received, begun });
    },
  };
};

interface Ending {
  readonly by: Process;
  readonly received: readonly Received[];
  readonly begun: Millis;
}

function compare(scene: Scene, { by: { trading }, received, begun }: Ending): void {
  const { venue, record, tolerated, faults, fail } = scene;
  if (trading === undefined || record.losses > 0 || record.toleratedTrades.size > 0 || tolerated.unseen.size > 0) return;
  if (venue.truth.undone.trades.size > 0 || faults.of('lie').length > 0) return;
  const { records, markets } = venue.exchange;
  const paid = records.fundingPayments(venue.account).filter(({ time }) => time > begun);
  const earned = -paid.reduce((sum, { payment }) => sum + payment, 0);
  const unknown = markets.reduce((sum, { id }) => sum + unknownIn(scene, { id, received, begun }), 0);
  const booked = Math.round(Number(trading.summary().funding) * MICROS_PER_UNIT);
  const { total: counted } = trading.run.world.accounting.profit.funding;
  if (booked !== counted) fail('V28', `the run shows funding of ${booked} micros, and its profit has ${counted}`);
  if (Math.abs(booked - earned) > unknown)
    fail('V28', `the account earned ${earned} micros of funding (± ${unknown}), and the run shows ${booked}`);
}

/** Each position that the account held in a market, and the action that led to it; oldest first. */
function positionsIn({ venue: { truth, account } }: Scene, id: MarketId): readonly { readonly action: number; readonly size: number }[] {
  const positions = [{ action: 0, size: truth.openings.get(id) ?? (0 as number) }];
  const trades = truth.trades().filter(({ market, takerId, makerId }) => market === id && takerId !== makerId);
  for (const { actionId, takerId, makerId, takerSide, size } of trades.toSorted((a, b) => Number(a.actionId) - Number(b.actionId))) {
    if (takerId !== account && makerId !== account) continue;
    const sign = signOf(takerId === account ? takerSide : opposite(takerSide));
    positions.push({ action: Number(actionId), size: (positions.at(-1)?.size ?? 0) + sign * size });
  }
  return positions;
}

/**
 * Returns by how many micros the bot may be wrong in a market. The last account with a position before a payment and the first one after it show how the
 * index moved. If no other payment lies between them, that shows the payment, exact to a micro for each lot of the earlier position. If several payments lie
 * between them, the index shows only their sum, and the times of the fills show only roughly which payment was made on which size. The bot then counts the
 * average for each of them, or nothing.
 */
function unknownIn(scene: Scene, { id, received, begun }: { readonly id: MarketId } & Pick<Ending, 'received' | 'begun'>): number {
  const { exchange } = scene.venue;
  const positions = positionsIn(scene, id);
  const payments = exchange.records.fundingHours(id).toReversed();
  const perLot = exchange.markets[id]!.size(lots(1)) * MICROS_PER_UNIT;
  const held = received.map((account) => ({ ...account, size: Math.abs(account.sizes.get(id) ?? 0) }));
  let unknown = 0;
  for (const { time, action } of payments) {
    const size = Math.abs(positions.findLast((position) => position.action < action)?.size ?? 0);
    const before = held.findLast((account) => account.action < action && account.size > 0);
    const after = held.find((account) => account.action >= action && account.size > 0);
    // If none is kept, the bot continues from an account of the process before, which may show any position held before the payment.
    const earlier = before?.size ?? Math.max(...positions.filter((other) => other.action < action).map((other) => Math.abs(other.size)));
    const counted = Math.max(size, after === undefined ? 0 : earlier);
    if (time <= begun || counted === 0) continue;
    const [from, until] = [before?.action ?? 0, after?.action ?? Number.POSITIVE_INFINITY];
    const moves = payments.flatMap((other, index) =>
      other.action > from && other.action <= until ? [other.index - (payments[index - 1]?.index ?? 0)] : [],
    );
    const isKnown = before !== undefined && after !== undefined && moves.length === 1;
    const average = moves.reduce((sum, move) => sum + move, 0) / moves.length;
    unknown +=
      2 +
      (isKnown
        ? size / before.size
        : counted * perLot * Math.max(...moves.map((move) => Math.max(Math.abs(move), Math.abs(move - average)))));
  }
  return unknown;
}
