// Invariant: every fill is booked once, and the fills add up to the position. A fill is provisional only if the run ended during a lie about its trade.
import type { Millis } from '../../../base/clock.ts';
import { type Side, signOf } from '../../../bot/domain/book.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { SimTrade } from '../../../embedded/exchange/history/trades.ts';
import type { MakeCheck, Scene } from '../environment/scene.ts';

/** One side of a trade of the bot's account. */
interface Made {
  readonly trade: SimTrade;
  readonly side: Side;
  readonly fee: number;
  readonly byHand: boolean;
}

/** The longest time that reading the account's trades takes. */
const READ: Millis = 3_000;
/** The longest time from the end of a lie about trades until a provisional fill is read again and corrected. */
const CORRECTED: Millis = 30_000;

/** The last action of the exchange whose trades the newest read of the trades must have listed. */
class ListedTo {
  /** Oldest first: the exchange's last action at some moments of the last seconds, and one before them. */
  #moments: { readonly at: Millis; readonly action: number }[] = [];
  action = 0;
  readonly #lag: Millis;

  constructor(lag: Millis) {
    this.#lag = lag;
  }

  turn({ events }: Turn, { at, action }: { readonly at: Millis; readonly action: number }): void {
    this.#moments.push({ at, action });
    while ((this.#moments[1]?.at ?? at) <= at - READ - this.#lag) this.#moments.shift();
    if (events.some(({ kind }) => kind === 'fillsSeen')) this.action = this.#moments[0]?.action ?? 0;
  }
}

export const ledger: MakeCheck = (scene) => {
  const listedTo = new ListedTo(scene.venue.api.longestLag);
  let lastTurn: Millis = 0;
  return {
    turn(turn) {
      lastTurn = scene.now();
      listedTo.turn(turn, { at: lastTurn, action: Number(scene.venue.exchange.lastActionId()) });
    },
    quiescent: () => addUp(scene, { listedTo: listedTo.action, mayBeProvisional: isLiedTo(scene, lastTurn) }),
  };
};

/** True if the run ended while its trades were listed wrongly, or soon after it. */
const isLiedTo = ({ faults }: Scene, end: Millis): boolean =>
  faults.of('lie').some(({ path, from, until }) => path === 'trades' && from <= end && end < until + CORRECTED);

interface Ending {
  readonly listedTo: number;
  readonly mayBeProvisional: boolean;
}

function addUp({ venue, record, tolerated, fail }: Scene, { listedTo, mayBeProvisional }: Ending): void {
  const { undone } = venue.truth;
  const booked = new Map<string, number>();
  const book = (symbol: string, size: number): void => void booked.set(symbol, (booked.get(symbol) ?? 0) + size);
  for (const fill of record.repeated)
    fail('V6', `trade ${fill.tradeId} was booked twice: ${JSON.stringify([record.fills.get(`${fill.tradeId}/${fill.side}`), fill])}`);
  const { account, truth } = venue;
  const symbolOf = (market: MarketId): string => venue.exchange.markets.find(({ id }) => id === market)?.symbol ?? '';
  const made = new Map<string, Made>();
  for (const trade of truth.trades()) {
    const [taken, given] = trade.takerSide === 'bid' ? (['bid', 'ask'] as const) : (['ask', 'bid'] as const);
    if (trade.takerId === account)
      made.set(`${trade.tradeId}/${taken}`, { trade, side: taken, fee: trade.takerFee, byHand: truth.isByHand(trade, 'taker') });
    if (trade.makerId === account)
      made.set(`${trade.tradeId}/${given}`, { trade, side: given, fee: trade.makerFee, byHand: truth.isByHand(trade, 'maker') });
  }
  for (const [key, fill] of record.fills) {
    const market = venue.exchange.markets.find(({ symbol }) => symbol === fill.market);
    const size = market?.parseSize(fill.size) ?? 0;
    const real = made.get(key);
    if (undone.trades.has(key)) continue;
    if (real?.trade.size !== size)
      fail('V6', `trade ${key} of ${size} was booked; the exchange has ${real?.trade.size ?? 'no such trade'}`);
    else if (mayBeProvisional && fill.provisional !== undefined) continue;
    else if (market?.parsePrice(fill.price) !== real.trade.price)
      fail('V6', `trade ${key} was booked at ${fill.price}; in truth it is ${market?.priceText(real.trade.price)}`);
    else if (fill.fee !== undefined && Math.round(Number(fill.fee) * 1e6) !== real.fee)
      fail('V6', `trade ${key} was booked with a fee of ${fill.fee}; in truth it is ${real.fee} micros`);
  }
  // If a rollback has made two fills of one id, `fills` has only the later one.
  for (const { market: symbol, side, size: text } of undone.trades.size === 0 ? record.fills.values() : record.booked.values()) {
    const size = venue.exchange.markets.find((market) => market.symbol === symbol)?.parseSize(text) ?? 0;
    book(symbol, side === 'bid' ? size : -size);
  }
  for (const [key, { trade, side, byHand }] of made) {
    const isAgain = undone.trades.has(key); // made under an id that a rollback had undone
    if (record.fills.has(key) || (isAgain && !byHand)) continue;
    // The bot need not know what a person traded after the last account or round of trades that it received, or at times that it had read already.
    if (record.toleratedTrades.has(key) || isUnseen(trade, side, tolerated)) book(symbolOf(trade.market), signOf(side) * trade.size);
    else if (byHand && (Number(trade.actionId) > Math.min(tolerated.newestAtEnd, listedTo) || tolerated.wentBackSince(0)))
      book(symbolOf(trade.market), signOf(side) * trade.size);
    else if (!isAgain) fail('V6', `trade ${key} was never booked`);
  }
  for (const { id, symbol } of venue.exchange.markets) {
    const held = truth.position(id) - (truth.openings.get(id) ?? 0);
    if ((booked.get(symbol) ?? 0) === held) continue;
    if (undone.trades.size === 0) fail('V5', `the fills in ${symbol} come to ${booked.get(symbol) ?? 0} lots, the position is ${held}`);
    else if (tolerated.hasSeenRollback && !record.alarms.some(({ alarm }) => alarm === 'position'))
      fail(
        'V22',
        `the exchange has forgotten fills in ${symbol}, they come to ${booked.get(symbol)} lots, the position is ${held}, and no alarm was raised`,
      );
  }
}

/** True for a trade of an order that was executed after the run had ended, by a fault that no bot can prevent. */
const isUnseen = ({ takerSide, actionId, orderId }: SimTrade, side: Side, { unseen }: Scene['tolerated']): boolean =>
  [...unseen.values()].some((receipt) =>
    side === takerSide ? actionId === receipt.actionId : receipt.kind === 'placeOrder' && orderId === receipt.posted?.orderId,
  );
