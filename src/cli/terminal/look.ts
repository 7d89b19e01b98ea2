// Collects what the live view shows (`Picture`) from the world and the latest lines.
import type { Millis } from '../../base/clock.ts';
import type { Margins } from '../../domain/account.ts';
import { levelsOf } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import { lots, type Micros, micros, toDecimal } from '../../domain/numbers.ts';
import type { Order } from '../../domain/order.ts';
import type { Side } from '../../domain/side.ts';
import { moneyText } from '../../report/accounting/lines.ts';
import type { Seen } from '../../world/seen.ts';
import type { World } from '../../world/world.ts';
import type { AccountPicture, LevelPicture, MarginPicture, MarketPicture, OrderPicture, Picture, RunState, StreamAge } from './picture.ts';

/** More levels than any screen shows. */
const DEPTH = 10;

export type Latest = Pick<Picture, 'alarms' | 'findings' | 'fills' | 'changes' | 'logs'>;

interface LookOptions {
  readonly title: Picture['title'];
  readonly link?: Picture['link'];
  readonly startedAt: Millis;
  readonly now: Millis;
  /** Profit of the run so far, decimal text. */
  readonly pnl: string;
  readonly latest: Latest;
}

export function look(world: World, { title, link, startedAt, now, pnl, latest }: LookOptions): Picture {
  return {
    title,
    link,
    elapsedMs: now - startedAt,
    state: stateOf(world),
    markets: [...world.markets.values()].map((market) => marketPicture(market, world)),
    account: accountPicture(world, pnl),
    session: sessionPicture(world, now),
    ages: agesOf(world, now),
    faults: [...world.unhealthy()].map(({ reason }) => reason),
    ...latest,
  };
}

function stateOf(world: World): RunState {
  if (world.stopping !== undefined) return { kind: 'stopping', reason: world.stopping };
  return world.account === undefined ? { kind: 'waiting' } : { kind: 'trading' };
}

function marketPicture(market: Market, world: World): MarketPicture {
  const book = world.book(market.id)?.value;
  const orders = world.orders(market.id);
  const levels = (side: Side): LevelPicture[] =>
    (book === undefined ? [] : levelsOf(book, side)).slice(0, DEPTH).map(({ price, size }) => {
      const own = orders.filter((order) => order.side === side && order.price === price).reduce((sum, { remaining }) => sum + remaining, 0);
      return { price: market.priceText(price), size: market.sizeText(size), own: own === 0 ? undefined : market.sizeText(lots(own)) };
    });
  return {
    symbol: market.symbol,
    book: { bid: levels('bid'), ask: levels('ask') },
    orders: { bid: orderPictures(orders, 'bid', market), ask: orderPictures(orders, 'ask', market) },
    position: positionPicture(market, world),
  };
}

function orderPictures(orders: readonly Order[], side: Side, market: Market): OrderPicture[] {
  const nearestFirst = orders
    .filter((order) => order.side === side)
    .sort((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price));
  return nearestFirst.map(({ price, remaining, status }) => ({
    side,
    price: market.priceText(price),
    remaining: market.sizeText(remaining),
    status,
  }));
}

function positionPicture(market: Market, world: World): MarketPicture['position'] {
  const held = world.account?.value.positions.find((position) => position.market === market.id);
  if (held === undefined || held.size === 0) return undefined;
  const entry = held.entry === undefined ? '-' : held.entry.toFixed(market.spec.priceDecimals);
  return { size: market.sizeText(held.size), entry, pnl: moneyText(micros(held.tradingPnl + held.fundingPaymentPnl)) };
}

function accountPicture({ account }: World, pnl: string): AccountPicture | undefined {
  if (account === undefined) return undefined;
  const { margins } = account.value;
  const pairs = [
    ['imf', 'omf'],
    ['cmf', 'omf'],
    ['mmf', 'mf'],
  ] as const;
  return { equity: text(margins.mf), pnl, margins: pairs.flatMap(([name, against]) => marginPicture(margins, { name, against })) };
}

/** Empty for a level that the exchange does not have. */
function marginPicture(margins: Margins, { name, against }: Pick<MarginPicture, 'name' | 'against'>): MarginPicture | [] {
  const [required, there] = [margins[name], margins[against]];
  if (required === undefined) return [];
  const share = required === 0 ? 0 : there <= 0 ? 1 : required / there;
  return { name, against, required: text(required), there: text(there), share };
}

const text = (amount: Micros): string => toDecimal(amount).toFixed(2);

function sessionPicture({ session, engineTime }: World, now: Millis): Picture['session'] {
  if (session === undefined || engineTime === undefined) return undefined;
  const engineNow = engineTime.value * 1000 + (now - engineTime.at);
  const leftMs = Math.max(0, session.expires * 1000 - engineNow);
  return { leftMs, share: leftMs / Math.max(1, (session.expires - session.opened) * 1000) };
}

/** Age of each stream; of a stream per market, the oldest age. */
function agesOf(world: World, now: Millis): StreamAge[] {
  const ageOf = (seen: Seen<unknown> | undefined): Millis | undefined => (seen === undefined ? undefined : Math.max(0, now - seen.asked));
  const markets = [...world.markets.keys()];
  return [
    { stream: 'book', ageMs: oldest(markets.map((market) => ageOf(world.book(market)))) },
    { stream: 'info', ageMs: oldest(markets.map((market) => ageOf(world.info(market)))) },
    { stream: 'account', ageMs: ageOf(world.account) },
    { stream: 'time', ageMs: ageOf(world.engineTime) },
  ];
}

/** Undefined if one of them was never seen. */
function oldest(ages: readonly (Millis | undefined)[]): Millis | undefined {
  const known = ages.filter((age) => age !== undefined);
  return known.length < ages.length ? undefined : Math.max(...known);
}
