// The exchange's own record: each signed body that was sent, how it was executed, and what became of the orders.
import { createHash } from 'node:crypto';
import type { Millis } from '../../../base/clock.ts';
import type { RestingOrder } from '../../../bot/domain/account.ts';
import { opposite, type Side } from '../../../bot/domain/book.ts';
import type { AccountId, ActionId, MarketId, OrderId } from '../../../bot/domain/ids.ts';
import { type Lots, lots } from '../../../bot/domain/numbers.ts';
import type { Exchange } from '../../../embedded/exchange/exchange.ts';
import type { SimTrade } from '../../../embedded/exchange/history/trades.ts';
import type { ShownAccountState } from '../../../embedded/exchange/views.ts';
import type { Receipt, WireAction } from '../../../venues/wire/codec.ts';
import { type OrderOutcome, orderOutcomes } from './order-outcomes.ts';
import type { SignedAction } from './signed-action.ts';

export const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url').slice(0, 20);

type Execution = SignedAction['executions'][number];

/** What a rollback has undone. */
export interface Undone {
  /** Client order ids of orders that were placed, filled, or cancelled by the bot. */
  readonly orders: ReadonlySet<string>;
  readonly fills: number;
}

export class Truth {
  readonly signedActions = new Map<string, SignedAction>();
  /** What all rollbacks together have undone. */
  readonly undone = { orders: new Set<string>(), trades: new Set<string>() };
  readonly cancelled = new Set<OrderId>();
  /** Client order ids of orders that were signed with outdated terms, and when the last of them was sent. */
  readonly misread = new Map<string, Millis>();
  /** Orders that a person placed by hand, and the actions that placed them. */
  readonly others = new Map<OrderId, ActionId>();
  readonly byHand = new Set<ActionId>();
  /** The position in each market before the run; in a spot market its base tokens. */
  readonly openings: ReadonlyMap<MarketId, Lots>;
  readonly #byClientId = new Map<string, SignedAction[]>();
  #exchange: Exchange;
  readonly #account: AccountId;
  #shown: { readonly action: ActionId; readonly state: ShownAccountState | undefined } | undefined;

  constructor(exchange: Exchange, account: AccountId) {
    this.#exchange = exchange;
    this.#account = account;
    this.openings = new Map(exchange.markets.map(({ id }) => [id, lots(this.position(id))]));
  }

  /** The state now. Every change of it gets an action id. */
  get #state(): ShownAccountState | undefined {
    const action = this.#exchange.lastActionId();
    if (action !== this.#shown?.action) this.#shown = { action, state: this.#exchange.account(this.#account) };
    return this.#shown.state;
  }

  sent(body: Uint8Array, { action, at, process }: { action: WireAction; at: Millis; process: number }): SignedAction {
    const hash = hashOf(body);
    const sentBefore = this.signedActions.get(hash);
    if (sentBefore !== undefined) {
      sentBefore.sent++;
      return sentBefore;
    }
    const signedAction: SignedAction = {
      hash,
      action,
      sentAt: at,
      process,
      sent: 1,
      executions: [],
      arrivals: 0,
      isOutcomeReceived: false,
      forgotten: false,
      misanswered: false,
    };
    this.signedActions.set(hash, signedAction);
    const id = action.kind === 'placeOrder' ? action.clientOrderId : undefined;
    if (id !== undefined) this.#byClientId.set(id, [...(this.#byClientId.get(id) ?? []), signedAction]);
    return signedAction;
  }

  /** Which copy of the body this is, from 1. */
  arrived(body: Uint8Array): number {
    const signedAction = this.signedActions.get(hashOf(body));
    return signedAction === undefined ? 0 : ++signedAction.arrivals;
  }

  executed(body: Uint8Array, receipt: Receipt, at: Millis): SignedAction | undefined {
    const signedAction = this.signedActions.get(hashOf(body));
    signedAction?.executions.push({ at, receipt });
    if (receipt.kind === 'cancelOrder' && receipt.orderId !== undefined) this.cancelled.add(receipt.orderId);
    return signedAction;
  }

  /** The exchange no longer recognises the bytes that it has executed. */
  duplicatesForgotten(): void {
    for (const signedAction of this.signedActions.values()) if (signedAction.executions.length > 0) signedAction.forgotten = true;
  }

  /** The exchange is as it was before its newest actions, which are undone. Their ids are assigned again. */
  rolledBack(exchange: Exchange): Undone {
    const last = Number(exchange.lastActionId());
    const isUndone = ({ actionId }: { actionId: ActionId }): boolean => Number(actionId) > last;
    const trades = this.trades().filter(isUndone);
    const reopened = new Set(trades.filter(({ makerId }) => makerId === this.#account).map(({ orderId }) => orderId));
    for (const orderId of this.#cancelsUndone(isUndone)) reopened.add(orderId);
    const orders = new Set<string>();
    for (const [id, signedActions] of this.#byClientId) {
      for (const { executions } of signedActions) {
        const gone = executions.filter(({ receipt }) => isUndone(receipt));
        const isPosted = ({ receipt }: Execution): boolean => receipt.kind === 'placeOrder' && reopened.has(receipt.posted?.orderId ?? '');
        if (gone.length > 0 || executions.some(isPosted)) orders.add(id);
        executions.splice(0, executions.length, ...executions.filter((execution) => !gone.includes(execution)));
      }
    }
    for (const [orderId, actionId] of this.others) if (isUndone({ actionId })) this.others.delete(orderId);
    for (const id of orders) this.undone.orders.add(id);
    for (const { tradeId } of trades) for (const side of ['bid', 'ask']) this.undone.trades.add(`${tradeId}/${side}`);
    this.#exchange = exchange;
    this.#shown = undefined; // its action ids are assigned again
    return { orders, fills: trades.length };
  }

  /** Removes the cancels that were undone, and returns the ids of their orders. */
  #cancelsUndone(isUndone: (receipt: Receipt) => boolean): readonly OrderId[] {
    const orders: OrderId[] = [];
    for (const { action, executions } of this.signedActions.values()) {
      if (action.kind !== 'cancelOrder' || !executions.some(({ receipt }) => isUndone(receipt))) continue;
      orders.push(action.orderId);
      executions.splice(0, executions.length, ...executions.filter(({ receipt }) => !isUndone(receipt)));
    }
    return orders;
  }

  /** All placements of a client order id: more than one is the bot's fault. */
  placements(clientOrderId: string): readonly SignedAction[] {
    return this.#byClientId.get(clientOrderId) ?? [];
  }

  /** The placement whose order rests. */
  restingPlacement(clientOrderId: string): SignedAction | undefined {
    const resting = new Set(this.open());
    return this.placements(clientOrderId).find(({ executions }) =>
      executions.some(
        ({ receipt }) => receipt.kind === 'placeOrder' && receipt.posted !== undefined && resting.has(receipt.posted.orderId),
      ),
    );
  }

  /** True if a cancel by the bot was executed for it, even if a rollback has undone that. */
  wasCancelledByUs(orderId: OrderId | undefined): boolean {
    return orderId === undefined || this.cancelled.has(orderId);
  }

  /** True for an order that the exchange made when it executed the same bytes again. */
  isCopy(orderId: OrderId | undefined): boolean {
    const isOf = ({ receipt }: Execution): boolean => receipt.kind === 'placeOrder' && receipt.posted?.orderId === orderId;
    return orderId !== undefined && [...this.signedActions.values()].some(({ executions }) => executions.slice(1).some(isOf));
  }

  /** How often orders of this client order id were executed. */
  executions(clientOrderId: string): number {
    return this.placements(clientOrderId).reduce((sum, { executions }) => sum + executions.length, 0);
  }

  /**
   * By how much the newest of these orders was signed ahead of the exchange's time, because `/timestamp` was. `isWithoutAnswer`: only of the orders that the
   * exchange has not accepted, and of which the bot has received no answer.
   */
  signedAhead(engineTime: Millis, { isWithoutAnswer = false } = {}): Millis {
    let newest = 0;
    for (const { action, executions, isOutcomeReceived } of this.signedActions.values()) {
      const isEnded = isOutcomeReceived || executions.some(({ receipt }) => receipt.kind === 'placeOrder');
      if (action.kind === 'placeOrder' && !(isWithoutAnswer && isEnded)) newest = Math.max(newest, action.timestamp * 1_000);
    }
    return Math.max(0, newest - engineTime);
  }

  /** True if the order rested, and was filled at least in part. */
  wasFilled(orderId: string): boolean {
    return this.trades().some((trade) => trade.makerId === this.#account && trade.orderId === orderId);
  }

  clientIds(): Iterable<string> {
    return this.#byClientId.keys();
  }

  /** The outcomes by client order id; computed anew each time. */
  outcomes(): ReadonlyMap<string, OrderOutcome> {
    const open = new Set(this.#state?.orders.map(({ orderId }) => orderId));
    return orderOutcomes(this.#byClientId, { trades: this.trades(), open, account: this.#account });
  }

  /** All trades of the account, newest first. */
  trades(): readonly SimTrade[] {
    const all: SimTrade[] = [];
    let start: string | undefined;
    do {
      const { items, nextStartInclusive } = this.#exchange.trades({ account: this.#account, startInclusive: start });
      all.push(...items);
      start = nextStartInclusive;
    } while (start !== undefined);
    return all;
  }

  /** All trades of the account, by trade and side; with `byHandAlone` only those that were not orders of the bot. */
  ownTrades({ byHandAlone }: { readonly byHandAlone: boolean }): readonly string[] {
    return this.trades().flatMap((trade) => {
      const taken = [trade.takerId, 'taker', trade.takerSide] as const;
      const made = [trade.makerId, 'maker', opposite(trade.takerSide)] as const;
      const ours = [taken, made].filter(([id, role]) => id === this.#account && (!byHandAlone || this.isByHand(trade, role)));
      return ours.map(([, , side]) => `${trade.tradeId}/${side}`);
    });
  }

  /** The update number of the bot's account. */
  get accountNumber(): number {
    return Number(this.#state?.updateId ?? 0);
  }

  /** The position in lots; for a spot market the balance of its base token. */
  position(market: number): number {
    const listed = this.#exchange.markets[market];
    if (listed?.spec.kind !== 'spot') return this.#state?.positions.find((position) => position.market === market)?.size ?? 0;
    const held = this.#state?.balances.find(({ tokenId }) => tokenId === listed.spec.baseTokenId)?.amount ?? 0;
    return Math.round(held / listed.size(lots(1)));
  }

  /** The resting orders of the bot, without those that a person placed. */
  resting(): readonly RestingOrder[] {
    const all = this.#state?.orders ?? [];
    return this.others.size === 0 ? all : all.filter(({ orderId }) => !this.others.has(orderId));
  }

  /** True if that side of the trade is the account's, and was not an order of the bot. */
  isByHand({ makerId, takerId, orderId, actionId }: SimTrade, role: 'maker' | 'taker'): boolean {
    return role === 'maker'
      ? makerId === this.#account && this.others.has(orderId)
      : takerId === this.#account && this.byHand.has(actionId);
  }

  /** True if a person has traded in the market by an action later than `after`. */
  tradedByHand(market: MarketId, after: number): boolean {
    if (this.byHand.size === 0) return false;
    return this.trades().some((trade) => {
      const isTheirs = this.isByHand(trade, 'maker') || this.isByHand(trade, 'taker');
      return isTheirs && trade.market === market && Number(trade.actionId) > after;
    });
  }

  /** The order ids of `resting()`. */
  open(): readonly string[] {
    return this.resting().map(({ orderId }) => orderId);
  }

  /** True if the order rests, the bot's or a person's. */
  rests(orderId: OrderId): boolean {
    return this.#state?.orders.some((order) => order.orderId === orderId) ?? false;
  }

  /** The position, and the sizes of the bot's resting orders on each side of a market. */
  standing(market: number): { readonly position: number } & Readonly<Record<Side, number>> {
    const account = this.#state;
    const rests = { bid: 0, ask: 0 };
    for (const order of account?.orders ?? [])
      if (order.market === market && !this.others.has(order.orderId)) rests[order.side] += order.size;
    return { position: this.position(market), ...rests };
  }
}
