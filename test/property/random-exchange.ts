// A small exchange with random behaviour and a connection with random delays. It knows the true state of every order.
import * as fc from 'fast-check';
import type { Account, Position } from '../../src/bot/domain/account.ts';
import { type Side, signOf } from '../../src/bot/domain/book.ts';
import type { Event } from '../../src/bot/domain/event.ts';
import { type Lots, lots, type Micros, type Ticks, ticks } from '../../src/bot/domain/numbers.ts';
import type { Fill } from '../../src/bot/domain/order.ts';
import type { OrderChange } from '../../src/bot/domain/turn.ts';
import { World } from '../../src/bot/world/world.ts';
import { BTC, START } from '../unit/world-builder.ts';

const CLIENT_COMMANDS = [
  'place',
  'placeEqual',
  'arrive',
  'arrive',
  'lose',
  'answer',
  'answer',
  'giveUp',
  'cancel',
  'cancelArrives',
  'cancelAnswers',
] as const;
const EXCHANGE_COMMANDS = ['fill', 'fill', 'withdraw', 'account', 'account', 'round', 'round', 'time', 'wait', 'otherClient'] as const;

export const commands = fc.array(
  fc.record({ what: fc.constantFrom(...CLIENT_COMMANDS, ...EXCHANGE_COMMANDS), pick: fc.nat({ max: 1000 }) }),
  {
    minLength: 5,
    maxLength: 80,
  },
);
/** Commands with orders that get no answer, and enough polls to find their fate. */
export const unansweredCommands = fc.array(
  fc.record({
    what: fc.constantFrom(
      'place',
      'place',
      'arrive',
      'arrive',
      'giveUp',
      'giveUp',
      'fill',
      'cancel',
      'wait',
      'wait',
      'look',
      'look',
      'look',
      'look',
    ),
    pick: fc.nat({ max: 1000 }),
  } as const),
  { minLength: 20, maxLength: 60 },
);

type Command = typeof commands extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

type OrderStage = 'sent' | 'rests' | 'gone' | 'lost';

interface TrueOrder {
  readonly id: string;
  readonly side: Side;
  readonly size: number;
  readonly price: Ticks;
  readonly takes: boolean;
  readonly sentAt: number;
  stage: OrderStage;
  filled: number;
  /** True if the order took on arrival. Without a receipt that names the action, the fill may be assigned to any of our orders of that side. */
  took: boolean;
  /** The receipt; undefined until the order has arrived. */
  receipt?: Event;
  answered: boolean;
  /** True if the receipt arrived in time, so that its fills are certain. */
  clear: boolean;
  cancel?: 'sent' | 'done' | 'nothing' | undefined;
}

/** A request to the exchange: sent, answered there, received here. */
interface PendingRequest<T> {
  readonly asked: number;
  answer?: T;
}

const ZERO = 0 as Micros;
const WINDOW = 63;
/** Largest age of an accepted message. */
const ACCEPTED_FOR = 60_000;
/** Largest age of an account. */
const LAG = 1_900;

export class RandomExchange {
  readonly world = new World([BTC]);
  readonly orders: TrueOrder[] = [];
  readonly changes: OrderChange[] = [];
  position = 0;
  readonly #echoes: boolean;
  readonly #lags: boolean;
  /** Past states of the account, oldest first. */
  readonly #snapshots: { readonly at: number; readonly account: Account }[] = [];
  #now = START;
  #actions = 0;
  /** Update number of the account; changes only with the account. */
  #updateId = 1;
  #positionAction = 0;
  #trades: Omit<Fill, 'time'>[] = [];
  #reported = 0;
  #account: PendingRequest<Account> | undefined;
  #round: PendingRequest<number> | undefined;

  /** `echoes`: the account shows client order ids. `lags`: the account is out of date, but never older than the previous one. */
  constructor({ echoes, lags = false }: { echoes: boolean; lags?: boolean }) {
    this.#echoes = echoes;
    this.#lags = lags;
    this.#emit({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
  }

  do({ what, pick }: Command | { readonly what: 'look'; readonly pick: number }): void {
    this.#now += 1 + (pick % 7);
    if (this.#lags) this.#snapshots.push({ at: this.#now - 1, account: this.#snapshot() });
    switch (what) {
      case 'place':
        return this.#place({
          side: pick % 2 ? 'bid' : 'ask',
          size: 1 + (pick % 9),
          price: ticks(590_000 + (this.#lags ? this.orders.length : pick % 40)),
          takes: pick % 5 === 0,
        });
      case 'placeEqual':
        return this.#place(this.orders.at(-1) ?? { side: 'bid', size: 5, price: ticks(590_000), takes: false });
      case 'arrive':
        return this.#on('sent', pick, (order) => this.#arrive(order, pick));
      case 'lose':
        return this.#on('sent', pick, (order) => void (order.stage = 'lost'));
      case 'fill':
        return this.#on('rests', pick, (order) => this.#fill(order, { size: 1 + (pick % (order.size - order.filled)), role: 'maker' }));
      case 'withdraw':
        return this.#on('rests', pick, (order) => this.#end(order));
      case 'otherClient':
        return void (this.#updateId += 1);
      case 'answer':
        return this.#answer(this.#pick(({ receipt, answered }) => receipt !== undefined && !answered, pick));
      case 'giveUp':
        return this.#giveUp(this.#pick(({ answered, receipt, stage }) => !answered && (receipt !== undefined || stage === 'lost'), pick));
      case 'cancel':
      case 'cancelArrives':
      case 'cancelAnswers':
        return this.#cancelling(what, pick);
      case 'account':
        return this.#requestAccount(pick);
      case 'wait':
        this.#now += 1_000 + pick * 40;
        return this.#emit({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
      case 'round':
        return this.#requestFills();
      case 'look':
        for (let step = 0; step < 3; step++) this.#requestAccount(pick);
        for (let step = 0; step < 3; step++) this.#requestFills();
        return;
      case 'time':
        return this.#emit({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
    }
  }

  /** Completes and reports everything in flight. */
  settle(): void {
    for (const order of this.orders) {
      if (order.stage === 'sent') order.stage = 'lost';
      if (!order.answered && order.receipt === undefined) this.#giveUp(order);
      else if (!order.answered) this.#answer(order);
    }
    for (let step = 0; step < 6; step++)
      for (const what of ['cancelArrives', 'cancelAnswers'] as const) this.#all((pick) => this.#cancelling(what, pick));
    this.#now += (WINDOW + 60) * 1_000;
    this.#emit({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
    for (let step = 0; step < 4; step++) {
      this.#now += 2_010;
      this.#updateId += 1; // as funding does: an account that does not change proves little
      for (let question = 0; question < 3; question++) this.#requestFills();
      this.#now += 10;
      for (let question = 0; question < 3; question++) this.#requestAccount();
    }
    this.#now += 10;
    for (let question = 0; question < 6; question++) this.#requestFills();
  }

  /** Size that can still be filled at the exchange. */
  open(side: Side, stages: readonly OrderStage[] = ['sent', 'rests']): number {
    const open = this.orders.filter((order) => order.side === side && stages.includes(order.stage));
    return open.reduce((sum, { size, filled }) => sum + size - filled, 0);
  }

  #place({ side, size, price, takes }: Pick<TrueOrder, 'side' | 'size' | 'price' | 'takes'>): void {
    const id = String(this.orders.length + 1);
    this.orders.push({
      id,
      side,
      size,
      price,
      takes,
      sentAt: this.#now,
      stage: 'sent',
      filled: 0,
      took: false,
      answered: false,
      clear: true,
    });
    const fillMode = takes ? 'IMMEDIATE_OR_CANCEL' : 'LIMIT';
    this.world.markSent([{ kind: 'place', clientOrderId: id, market: 0, side, price, size: lots(size), fillMode }]);
    this.changes.push(...this.world.takeChanges());
  }

  /** Refuses the order, or fills part of it and lets the rest rest if allowed. */
  #arrive(order: TrueOrder, pick: number): void {
    if (this.#now > order.sentAt + ACCEPTED_FOR) {
      order.stage = 'lost';
      return;
    }
    if (pick % 6 === 0) {
      order.stage = 'gone';
      order.receipt = { kind: 'orderRejected', at: 0, clientOrderId: order.id, error: 'REFUSED' };
      return;
    }
    order.stage = 'rests';
    this.#actions += 1;
    this.#updateId += 1;
    const actionId = String(this.#actions);
    const size = order.takes ? 1 + (pick % order.size) : pick % 3 === 0 ? pick % (order.size + 1) : 0;
    if (size > 0) this.#fill(order, { size, role: 'taker', actionId });
    if (order.takes) order.stage = 'gone';
    const resting = order.stage === 'rests' ? order.size - order.filled : 0;
    const restFields = pick % 7 === 1 ? {} : { ...(resting > 0 && { orderId: `x${order.id}` }), resting: lots(resting) };
    order.clear = 'resting' in restFields;
    const taken = 'resting' in restFields && size > 0 ? [{ price: order.price, size: lots(size) }] : [];
    order.receipt = { kind: 'orderOpened', at: 0, clientOrderId: order.id, actionId, taken, ...restFields };
  }

  #fill(order: TrueOrder, { size, role, actionId }: { size: number; role: Fill['role']; actionId?: string }): void {
    if (actionId === undefined) this.#actions += 1;
    const action = actionId ?? String(this.#actions);
    this.position += signOf(order.side) * size;
    order.took ||= role === 'taker';
    order.filled += size;
    this.#positionAction = this.#actions;
    this.#updateId += 1;
    const trade = {
      tradeId: `t${this.#trades.length}`,
      actionId: action,
      market: 0,
      side: order.side,
      price: order.price,
      size: lots(size),
    };
    this.#trades.push({ ...trade, role, orderId: role === 'maker' ? `x${order.id}` : 'theirs' });
    if (order.filled === order.size) this.#end(order);
  }

  #end(order: TrueOrder): void {
    order.stage = 'gone';
    this.#updateId += 1;
  }

  #answer(order: TrueOrder | undefined): void {
    if (order?.receipt === undefined) return;
    order.answered = true;
    this.#emit(order.receipt);
  }

  #giveUp(order: TrueOrder | undefined): void {
    if (order === undefined) return;
    order.clear = false;
    if (order.receipt === undefined) order.answered = true;
    this.#emit({
      kind: 'orderUnknown',
      clientOrderId: order.id,
      reason: 'no answer',
      deadAfter: Math.floor(order.sentAt / 1_000) + WINDOW,
    });
  }

  #cancelling(step: 'cancel' | 'cancelArrives' | 'cancelAnswers', pick: number): void {
    if (step === 'cancel') {
      const open = this.world.orders().filter(({ status, orderId }) => status === 'open' && orderId !== undefined);
      const chosen = open[pick % Math.max(1, open.length)];
      const order = this.orders.find(({ id }) => id === chosen?.clientOrderId);
      if (chosen?.orderId === undefined || order === undefined || order.cancel !== undefined) return;
      order.cancel = 'sent';
      this.world.markSent([{ kind: 'cancel', clientOrderId: order.id, market: 0, orderId: chosen.orderId }]);
      return;
    }
    const order = this.#pick(
      ({ cancel }) => (step === 'cancelArrives' ? cancel === 'sent' : cancel === 'done' || cancel === 'nothing'),
      pick,
    );
    if (order === undefined) return;
    if (step === 'cancelArrives') {
      order.cancel = order.stage === 'rests' && pick % 5 !== 0 ? 'done' : 'nothing';
      if (order.cancel === 'done') this.#end(order);
      return;
    }
    const outcome = pick % 4 === 0 ? 'unknown' : order.cancel === 'done' ? 'cancelled' : order.stage === 'gone' ? 'notFound' : 'refused';
    order.cancel = undefined;
    this.#emit({ kind: 'cancelAnswered', clientOrderId: order.id, outcome });
  }

  /** Advances the pending request by one step. The account is read at the middle step. */
  #requestAccount(pick = 0): void {
    if (this.#account === undefined) this.#account = { asked: this.#now };
    else if (this.#account.answer === undefined)
      this.#account.answer = this.#lags ? this.#staleAccount(this.#now - ((pick * 7) % LAG)) : this.#snapshot();
    else {
      this.#emit({ kind: 'accountSeen', asked: this.#account.asked, account: this.#account.answer });
      this.#account = undefined;
    }
  }

  #requestFills(): void {
    if (this.#round === undefined) this.#round = { asked: this.#now };
    else if (this.#round.answer === undefined) this.#round.answer = this.#trades.length;
    else {
      const fills = this.#trades.slice(this.#reported, this.#round.answer).map((trade) => ({ ...trade, time: this.#now }));
      this.#reported = this.#round.answer;
      this.#emit({ kind: 'fillsSeen', asked: this.#round.asked, fills });
      this.#round = undefined;
    }
  }

  #staleAccount(at: number): Account {
    while (this.#snapshots.length > 1 && this.#snapshots[1]!.at <= at) this.#snapshots.shift();
    return this.#snapshots[0]?.account ?? this.#snapshot();
  }

  /** Returns the account. A position of zero is not listed. */
  #snapshot(): Account {
    const position: Position = {
      market: 0,
      size: this.position as Lots,
      tradingPnl: ZERO,
      fundingPaymentPnl: ZERO,
      actionId: String(this.#positionAction),
    };
    const orders = this.orders
      .filter(({ stage }) => stage === 'rests')
      .map(({ id, side, price, size, filled }) => ({
        orderId: `x${id}`,
        market: 0,
        side,
        price,
        size: lots(size - filled),
        originalSize: lots(size),
        ...(this.#echoes && { clientOrderId: id }),
      }));
    const margins = { omf: ZERO, mf: ZERO, imf: ZERO, cmf: ZERO, mmf: ZERO, pon: ZERO, pn: ZERO, bankruptcy: false };
    return { id: 1, updateId: String(this.#updateId), balances: [], positions: this.position === 0 ? [] : [position], orders, margins };
  }

  #emit(event: object): void {
    this.world.apply({ ...event, at: this.#now } as Event);
    this.changes.push(...this.world.takeChanges());
  }

  #on(stage: OrderStage, pick: number, act: (order: TrueOrder) => void): void {
    const order = this.#pick((candidate) => candidate.stage === stage, pick);
    if (order !== undefined) act(order);
  }

  #pick(fits: (order: TrueOrder) => boolean, pick: number): TrueOrder | undefined {
    const fitting = this.orders.filter(fits);
    return fitting[pick % Math.max(1, fitting.length)];
  }

  #all(act: (pick: number) => void): void {
    for (let pick = 1; pick <= this.orders.length; pick++) act(pick);
  }

  #seconds(): number {
    return Math.floor(this.#now / 1_000);
  }
}
