// Invariant: an order is reported as never in the book only on evidence that this process itself has received. The evidence is read from the replies.
import type { Millis } from '../../../base/clock.ts';
import type { AccountId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { lots } from '../../../bot/domain/numbers.ts';
import { opposite, signOf } from '../../../bot/domain/side.ts';
import type { MakeCheck } from '../environment/scene.ts';
import { pathOf } from '../plan/paths.ts';
import type { DurableRecord } from '../record/durable-record.ts';
import type { SignedAction } from '../record/signed-action.ts';
import type { Truth } from '../record/truth.ts';
import { secondsIn } from './actions.ts';

/** Seconds for which the exchange accepts signed bytes, by which it rounds its time, and for which bytes may wait before the engine. */
const WINDOW = 60;
const ROUNDING = 1;
const QUEUE = 2;
/** An action is signed at most this long before it is sent: it waits for the cancels of its turn, and the turn for its newest event. */
const SIGNED_BEFORE: Millis = 4_500;
/** Two accounts at least this far apart are independent evidence. */
const APART: Millis = 2_000;

/** An unaltered reply as it was received. */
interface Reply {
  readonly asked: Millis;
  readonly at: Millis;
  readonly body: Uint8Array;
}

interface ShownAccount {
  readonly updateId: number;
  readonly balances: readonly { readonly tokenId: number; readonly amount: number }[];
  readonly orders: readonly { readonly clientOrderId: number | string | null }[];
  readonly positions: readonly {
    readonly marketId: number;
    readonly perp: { readonly baseSize: number; readonly isLong: boolean } | null;
  }[];
}

interface TradeKey {
  readonly tradeId: number | string;
  readonly orderId: number | string;
  readonly takerSide: string;
}

interface ShownTrade extends TradeKey {
  readonly marketId: number;
  readonly baseSize: number;
}

export const absenceEvidence: MakeCheck = ({ venue, record, now, fail }) => {
  const received = new Map<number, ReceivedReplies>();
  const trades = new Trades(venue.account, { truth: venue.truth, record });
  const repliesOf = (process: number): ReceivedReplies => {
    const known = received.get(process) ?? new ReceivedReplies((shown) => venue.replies.numberOf(shown));
    received.set(process, known);
    return known;
  };
  /** When the bytes were dead by the clock of a process at the earliest: it signed them, or it began, as long ago as they could live. */
  const outlivedAt = ({ action, sentAt, process }: SignedAction, by: number): Millis => {
    const sent = sentAt + venue.clockNow() - now();
    const heard = repliesOf(process).secondsAt(sent) ?? action.timestamp;
    const life = Math.max(0, action.timestamp + WINDOW + ROUNDING + QUEUE - heard) * 1_000;
    return (process === by ? sent - SIGNED_BEFORE : repliesOf(by).begun) + life;
  };
  return {
    received(request, { status, body }, { asked, altered, by }) {
      if (status !== 200 || request.method !== 'GET') return;
      const path = pathOf(request);
      const isOwnTrades = path === 'trades' && /[?&](maker|taker)Id=/.test(request.path);
      if (altered && !(path === 'time' && secondsIn(body) !== undefined) && !(isOwnTrades && trades.isTrulyEmpty(request.path, body)))
        return;
      const mine = repliesOf(by.number);
      mine.begun = Math.min(mine.begun, asked);
      const reply = { asked, at: venue.clockNow(), body };
      if (path === 'time') mine.times.push(reply);
      else if (/^\/account\/\d+$/.test(request.path)) mine.accounts.push(reply);
      else if (isOwnTrades) {
        mine.rounds[request.path.includes('makerId=') ? 'maker' : 'taker'].push(reply);
        trades.add(body);
      }
    },
    turn({ changes }, by) {
      for (const { order, status, reason } of changes) {
        if (status !== 'cancelled' || reason !== 'never reached the book') continue;
        const signed = venue.truth.placements(order.clientOrderId);
        const market = venue.exchange.markets[order.market];
        if (signed.length === 0 || market === undefined) continue; // an order that was never sent is dead in any case
        const dead = Math.max(...signed.map(({ action }) => action.timestamp)) + WINDOW + ROUNDING + QUEUE;
        const missing = repliesOf(by.number).missing({
          clientOrderId: order.clientOrderId,
          dead,
          outlived: Math.max(...signed.map((one) => outlivedAt(one, by.number))),
          market,
          trades,
        });
        if (missing !== undefined) fail('V12', `order ${order.clientOrderId} is reported as never in the book, and ${missing}`);
      }
    },
  };
};

/** The replies that one process has received. */
class ReceivedReplies {
  readonly #numberOf: (shown: string) => number;
  /** When the first reply was requested. */
  begun: Millis = Number.POSITIVE_INFINITY;
  readonly times: Reply[] = [];
  readonly accounts: Reply[] = [];
  readonly rounds = { maker: [] as Reply[], taker: [] as Reply[] };

  constructor(numberOf: (shown: string) => number) {
    this.#numberOf = numberOf;
  }

  /** Returns the evidence that is missing for an order's absence; undefined if all was received. */
  missing({ clientOrderId, dead, outlived, market, trades }: Claim): string | undefined {
    const past = this.#pastSince(dead);
    if (past === undefined) return `its bytes were not known to be dead at engine second ${dead}`;
    const witnesses = this.#accountsFrom(Math.max(past, outlived));
    const lacking = witnesses.filter(({ account }) => !account.orders.some((order) => String(order.clientOrderId) === clientOrderId));
    const [first] = lacking;
    const second = lacking.find(({ asked }) => first !== undefined && asked >= first.asked + APART);
    if (second === undefined)
      return `no two accounts lack it that were asked for ${APART} ms apart after its bytes were dead by both clocks`;
    for (const role of ['maker', 'taker'] as const)
      if (!this.rounds[role].some(({ asked }) => asked >= second.at)) return `our trades as ${role} were not read after that`;
    const agrees = ({ asked, account }: Witness): boolean =>
      asked >= second.asked && positionIn(account, market) === trades.sum(market, account.updateId);
    return witnesses.some(agrees) ? undefined : 'no account since shows a position that the reported trades explain';
  }

  /** The exchange's time in seconds that was received last before this moment. */
  secondsAt(moment: Millis): number | undefined {
    const reply = this.times.findLast(({ at }) => at <= moment);
    return reply === undefined ? undefined : secondsIn(reply.body);
  }

  /** When engine time was first reported to be later than `seconds`, by reports that no later one contradicts. */
  #pastSince(seconds: number): Millis | undefined {
    let since: Millis | undefined;
    let newest = 0;
    for (const { asked, at, body } of this.times) {
      if (asked < newest) continue; // it was overtaken on its way
      newest = asked;
      const value = Number(new TextDecoder().decode(body));
      since = (value >= 1e12 ? value / 1_000 : value) > seconds ? (since ?? at) : undefined;
    }
    return since;
  }

  /** The accounts requested from that moment on, except those older than one received before them. */
  #accountsFrom(when: Millis): readonly Witness[] {
    let newest = 0;
    return this.accounts.flatMap((reply): Witness[] => {
      if (reply.asked < when) return [];
      const shown = parsed(reply.body) as ShownAccount;
      const account = { ...shown, updateId: this.#numberOf(String(shown.updateId)) };
      if (account.updateId < newest) return [];
      newest = account.updateId;
      return [{ ...reply, account }];
    });
  }
}

interface Claim {
  readonly clientOrderId: string;
  /** Engine seconds that must be over. */
  readonly dead: number;
  /** When its bytes had lived as long as they could by the clock of the process. */
  readonly outlived: Millis;
  readonly market: Market;
  readonly trades: Trades;
}

interface Witness extends Reply {
  readonly account: ShownAccount;
}

/** All trades of the account that any process has received. A reply is parsed when it is needed, and once. */
class Trades {
  readonly #account: AccountId;
  readonly #truth: Truth;
  readonly #record: DurableRecord;
  readonly #known = new Map<string, ShownTrade>();
  #unread: Uint8Array[] = [];

  constructor(account: AccountId, { truth, record }: { truth: Truth; record: DurableRecord }) {
    this.#account = account;
    this.#truth = truth;
    this.#record = record;
  }

  /** True if the page lists no trade and there is none to list: the reply to another request then equals the right one. */
  isTrulyEmpty(path: string, body: Uint8Array): boolean {
    const { items } = (parsedOrNothing(body) ?? {}) as { readonly items?: readonly unknown[] };
    const role = path.includes('makerId=') ? 'makerId' : 'takerId';
    const since = Date.parse(decodeURIComponent(/[?&]since=([^&]*)/.exec(path)?.[1] ?? '')) || 0;
    return items?.length === 0 && !this.#truth.trades().some((trade) => trade[role] === this.#account && trade.time >= since);
  }

  add(body: Uint8Array): void {
    this.#unread.push(body);
  }

  /**
   * The position before the run and their sum, in lots, up to that action of the exchange. Includes trades from before the run, which are part of its first position although a start reads
   * only one page of them. Excludes trades that a rollback has undone; their ids are assigned again.
   */
  sum(market: Market, action: number): number {
    for (const body of this.#unread)
      for (const trade of (parsed(body) as { readonly items: readonly ShownTrade[] }).items)
        this.#known.set(keyOf(trade, trade.marketId, trade.baseSize), trade);
    this.#unread = [];
    const known = new Set([...this.#known.values()].map((trade) => keyOf(trade, trade.marketId, lotsIn(market, trade.baseSize))));
    let sum: number = this.#truth.openings.get(market.id) ?? 0;
    for (const trade of this.#truth.trades()) {
      if (trade.market !== market.id || Number(trade.actionId) > action) continue;
      const isFromBefore =
        this.#record.toleratedTrades.has(`${trade.tradeId}/${trade.takerSide}`) ||
        this.#record.toleratedTrades.has(`${trade.tradeId}/${opposite(trade.takerSide)}`);
      if (!isFromBefore && !known.has(keyOf(trade, trade.market, trade.size))) continue;
      const taken = signOf(trade.takerSide) * trade.size;
      if (trade.takerId === this.#account) sum += taken;
      if (trade.makerId === this.#account) sum -= taken;
    }
    return sum;
  }
}

const keyOf = ({ tradeId, orderId, takerSide }: TradeKey, market: number, size: number): string =>
  `${tradeId}/${orderId}/${takerSide}/${market}/${size}`;

function positionIn({ positions, balances }: ShownAccount, market: Market): number {
  if (market.spec.kind === 'spot') return lotsIn(market, balances.find(({ tokenId }) => tokenId === market.spec.baseTokenId)?.amount ?? 0);
  const perp = positions.find(({ marketId }) => marketId === market.id)?.perp;
  return perp === null || perp === undefined ? 0 : (perp.isLong ? 1 : -1) * lotsIn(market, perp.baseSize);
}

const lotsIn = (market: Market, size: number): number => Math.round(Math.abs(size) / market.size(lots(1)));

function parsedOrNothing(body: Uint8Array): unknown {
  try {
    return parsed(body);
  } catch {
    return undefined;
  }
}

const parsed = (body: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(body));
