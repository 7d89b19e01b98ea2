// Finds trades of one of our orders that the bot may have attributed to another one: no receipt came, and both orders fit the same trade.
import type { Side } from '../domain/side.ts';
import { crosses } from '../domain/side.ts';
import type { Record } from './invariants/durable-record.ts';
import type { Scene } from './invariants/scene.ts';

type Known = Pick<Scene, 'venue' | 'record'>;

/** True if the missing size of `clientOrderId`, in lots, was traded by other orders of ours and may have been attributed to it. */
export const mayHaveTaken = (known: Known, clientOrderId: string, lacks: number): boolean =>
  lacks > 0 && [...known.record.orders.keys()].reduce((sum, of) => sum + lotsFor(known, { of, by: clientOrderId }), 0) >= lacks;

/** True if its trades may have been attributed to another order that is reported as filled and was not. */
export const mayHaveLost = (known: Known, clientOrderId: string): boolean => {
  const fates = known.venue.truth.fates();
  return [...known.record.orders.keys()].some((by) => {
    const line = known.record.latest(by);
    const size = line && marketOf(known, line.market)?.parseSize(line.size);
    return line?.status === 'filled' && (fates.get(by)?.filled ?? 0) !== size && lotsFor(known, { of: clientOrderId, by }) > 0;
  });
};

/** Lots that `of` took while both orders were undecided, recorded without an order, in a market and at a price that fit `by`. */
function lotsFor(known: Known, { of, by }: { readonly of: string; readonly by: string }): number {
  const [owner, other] = [known.record.orders.get(of), known.record.orders.get(by)];
  const line = other?.lines[0];
  if (of === by || owner === undefined || other === undefined || line === undefined) return 0;
  if (owner.first > other.last || other.first > owner.last || line.fillMode === 'POST_ONLY') return 0;
  let lots = 0;
  for (const fill of unattributed(known, of)) {
    const fits =
      fill.market === line.market && fill.side === line.side && crosses(line.side as Side, Number(line.price), Number(fill.price));
    if (fits) lots += marketOf(known, fill.market)?.parseSize(fill.size) ?? 0;
  }
  return lots;
}

type FillLine = NonNullable<ReturnType<Record['fills']['get']>>;

function unattributed({ venue: { truth }, record }: Known, clientOrderId: string): readonly FillLine[] {
  const actions = new Set(truth.placements(clientOrderId).flatMap(({ executions }) => executions.map(({ receipt }) => receipt.actionId)));
  return truth.trades().flatMap(({ actionId, tradeId, takerSide }) => {
    const fill = actions.has(actionId) ? record.fills.get(`${tradeId}/${takerSide}`) : undefined;
    return fill?.role === 'taker' && fill.clientOrderId === undefined ? [fill] : [];
  });
}

const marketOf = ({ venue }: Known, symbol: string) => venue.exchange.markets.find((market) => market.symbol === symbol);
