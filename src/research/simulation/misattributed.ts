// Finds trades that the bot may have attributed to the wrong order, by the exchange's own record: the order's receipt was lost, trades name no client
// order id, and several orders fit the trade.
import { crosses, opposite } from '../../bot/domain/book.ts';
import type { SimTrade } from '../../embedded/exchange/history/trades.ts';
import type { Scene } from './environment/scene.ts';
import type { DurableRecord } from './record/durable-record.ts';

type Known = Pick<Scene, 'venue' | 'record'>;

/**
 * True if trades of others may have been attributed to `clientOrderId`: it lacks this many lots of what the bot counts, and other orders of ours, or a
 * person, traded at least as many that fit it.
 */
export function mayHaveTaken(known: Known, clientOrderId: string, lacks: number): boolean {
  if (lacks <= 0) return false;
  let lots = byHandFor(known, clientOrderId) + byCopiesFor(known, clientOrderId);
  for (const owner of known.record.orders.keys()) lots += lotsFor(known, { owner, claimant: clientOrderId });
  return lots >= lacks;
}

/**
 * True if trades of `clientOrderId` may have been attributed to another order (`claimant`): to one that the bot reports as filled and that was not
 * filled, or to one that it reports as cancelled from the book and that the exchange never executed.
 */
export const mayHaveLost = (known: Known, clientOrderId: string): boolean => {
  const outcomes = known.venue.truth.outcomes();
  /** True if the exchange's record contradicts how the bot says that the order ended. */
  const isWrong = (claimant: string): boolean => {
    const line = known.record.latest(claimant);
    const { executed = 0, filled = 0 } = outcomes.get(claimant) ?? {};
    if (line?.status === 'filled') return filled !== marketOf(known, line.market)?.parseSize(line.size);
    if (line?.status === 'cancelled') return line.reason !== 'never reached the book' && executed === 0;
    return false;
  };
  return [...known.record.orders.keys()].some((claimant) => isWrong(claimant) && lotsFor(known, { owner: clientOrderId, claimant }) > 0);
};

/** Lots that `owner` took while both orders were undecided, recorded without an order, in a market and at a price that fit `claimant`. */
function lotsFor(known: Known, { owner, claimant }: { readonly owner: string; readonly claimant: string }): number {
  const [own, other] = [known.record.orders.get(owner), known.record.orders.get(claimant)];
  const line = other?.lines[0];
  if (owner === claimant || own === undefined || other === undefined || line === undefined) return 0;
  if (own.first > other.last || other.first > own.last || line.fillMode === 'POST_ONLY') return 0;
  return lotsThatFit(known, line, unattributed(known, owner));
}

type FillLine = NonNullable<ReturnType<DurableRecord['fills']['get']>>;
type Terms = Pick<FillLine, 'market' | 'side' | 'price'>;

function lotsThatFit(known: Known, { market, side, price }: Terms, fills: readonly FillLine[]): number {
  let lots = 0;
  for (const fill of fills) {
    const fits = fill.market === market && fill.side === side && crosses(side, Number(price), Number(fill.price));
    if (fits) lots += marketOf(known, market)?.parseSize(fill.size) ?? 0;
  }
  return lots;
}

/** Lots that a person took, and that the bot recorded without an owner while the order was undecided. */
function byHandFor(known: Known, clientOrderId: string): number {
  if (known.record.orders.get(clientOrderId)?.lines[0]?.fillMode === 'POST_ONLY') return 0;
  return ownerlessFor(known, clientOrderId, { role: 'taker', isTheirs: (trade) => known.venue.truth.isByHand(trade, 'taker') });
}

/** Lots of copies of refused orders that rested and were filled. The bot received the refusal of another copy; trades name no client order id. */
function byCopiesFor(known: Known, clientOrderId: string): number {
  const { venue, record } = known;
  const copies = [...record.orders.keys()]
    .filter((id) => id !== clientOrderId && record.latest(id)?.status === 'rejected')
    .flatMap((id) => venue.truth.placements(id).filter(({ arrivals }) => arrivals > 1))
    .flatMap(({ executions }) => executions.map(({ receipt }) => (receipt.kind === 'placeOrder' ? receipt.posted?.orderId : undefined)));
  return ownerlessFor(known, clientOrderId, { role: 'maker', isTheirs: ({ orderId }) => copies.includes(orderId) });
}

interface Ownerless {
  /** The role of the account in the trade. */
  readonly role: FillLine['role'];
  readonly isTheirs: (trade: SimTrade) => boolean;
}

/** Lots of these trades that the bot recorded without an owner while the order was undecided, and that fit it. */
function ownerlessFor(known: Known, clientOrderId: string, { role, isTheirs }: Ownerless): number {
  const { venue, record } = known;
  const order = record.orders.get(clientOrderId);
  const line = order?.lines[0];
  if (order === undefined || line === undefined) return 0;
  const fills = venue.truth.trades().flatMap((trade) => {
    const key = `${trade.tradeId}/${role === 'taker' ? trade.takerSide : opposite(trade.takerSide)}`;
    const [fill, reported] = [record.fills.get(key), record.reportedAt.get(key) ?? Number.NEGATIVE_INFINITY];
    const isOpen = fill?.role === role && fill.clientOrderId === undefined && reported >= order.first && reported <= order.last;
    return isOpen && isTheirs(trade) ? [fill] : [];
  });
  return lotsThatFit(known, line, fills);
}

function unattributed({ venue: { truth }, record }: Known, clientOrderId: string): readonly FillLine[] {
  const actions = new Set(truth.placements(clientOrderId).flatMap(({ executions }) => executions.map(({ receipt }) => receipt.actionId)));
  return truth.trades().flatMap(({ actionId, tradeId, takerSide }) => {
    const fill = actions.has(actionId) ? record.fills.get(`${tradeId}/${takerSide}`) : undefined;
    return fill?.role === 'taker' && fill.clientOrderId === undefined ? [fill] : [];
  });
}

const marketOf = ({ venue }: Known, symbol: string) => venue.exchange.markets.find((market) => market.symbol === symbol);
