// Renumbers the markets of a recording from 0, as an embedded exchange lists them, also in the recorded turns.
import { assert } from '../../base/errors.ts';
import type { Event } from '../../bot/domain/event.ts';
import type { MarketId } from '../../bot/domain/ids.ts';
import { Market, type MarketSpec } from '../../bot/domain/market.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import { type ListedMarket, type ListedToken, QUOTE, TOKENS } from '../../embedded/exchange/state/listing.ts';

/** Returns the markets of a recording as an exchange lists them. `prices`: the first price of each, decimal. */
export function listingOf(
  specs: readonly MarketSpec[],
  prices: readonly number[],
): { markets: readonly ListedMarket[]; tokens: readonly ListedToken[] } {
  const markets = specs.map((spec, id): ListedMarket => {
    return { spec: { ...spec, id, baseTokenId: id + 1, quoteTokenId: QUOTE }, basePrice: prices[id] ?? 1 };
  });
  const bases = specs.map(({ symbol, sizeDecimals }, id): ListedToken => {
    return { tokenId: id + 1, symbol, decimals: sizeDecimals, mintAddr: '', weightBps: 10_000 };
  });
  return { markets, tokens: [TOKENS[QUOTE]!, ...bases] };
}

/** Returns a function that renumbers the markets of a turn: each by its place among `specs`. Events of other markets are omitted. */
export function renumbered(specs: readonly MarketSpec[]): (turn: Turn) => Turn {
  if (specs.every(({ id }, index) => id === index)) return (turn) => turn;
  const places = new Map(specs.map(({ id }, index) => [id, index]));
  const idOf = (id: MarketId): MarketId => {
    const place = places.get(id);
    assert(place !== undefined, `the recording has no market ${id}`);
    return place;
  };
  const moved = <T extends { readonly market: MarketId }>(item: T): T => ({ ...item, market: idOf(item.market) });
  const known = <T extends { readonly market: MarketId }>(items: readonly T[]): readonly T[] =>
    items.filter(({ market }) => places.has(market)).map(moved);
  const eventOf = (event: Event): Event => {
    if (event.kind === 'bookSeen') return { ...event, book: moved(event.book) };
    if (event.kind === 'tradesSeen') return { ...moved(event), trades: event.trades.map(moved) };
    if (event.kind === 'candlesSeen') return moved(event);
    if (event.kind === 'infoSeen') return { ...event, infos: known(event.infos) };
    if (event.kind === 'healthSeen') return event.market === undefined ? event : { ...event, market: idOf(event.market) };
    if (event.kind === 'fillsSeen') return { ...event, fills: known(event.fills) };
    if (event.kind !== 'accountSeen') return event;
    const { account } = event;
    return { ...event, account: { ...account, positions: known(account.positions), orders: known(account.orders) } };
  };
  return (turn) => ({
    ...turn,
    events: turn.events.map(eventOf),
    fills: known(turn.fills),
    intents: turn.intents.map(moved),
    actions: turn.actions.map((action) => moved(action)),
    changes: turn.changes.map((change) => ({ ...change, order: moved(change.order) })),
  });
}

export const marketsOf = (specs: readonly MarketSpec[]): readonly Market[] => specs.map((spec, id) => new Market({ ...spec, id }));
