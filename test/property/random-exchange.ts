// An exchange of a few lines that does what it likes with our orders, and a line to it on which everything takes its time. It knows the truth.
import * as fc from 'fast-check';
import type { Account, Position } from '../../src/domain/account.ts';
import type { Event } from '../../src/domain/event.ts';
import { type Lots, lots, type Micros, type Ticks, ticks } from '../../src/domain/numbers.ts';
import type { Fill } from '../../src/domain/order.ts';
import { type Side, signOf } from '../../src/domain/side.ts';
import type { OrderChange } from '../../src/domain/turn.ts';
import { World } from '../../src/world/world.ts';
import { BTC, START } from '../unit/world-builder.ts';

const OURS = [
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
const THEIRS = ['fill', 'fill', 'withdraw', 'account', 'account', 'round', 'round', 'time', 'wait', 'stranger'] as const;

export const commands = fc.array(fc.record({ what: fc.constantFrom(...OURS, ...THEIRS), pick: fc.nat({ max: 1000 }) }), {
  minLength: 5,
  maxLength: 80,
});
/** Orders that get no answer, and enough time to report what became of them. */
export const doubts = fc.array(
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

type Stage = 'sent' | 'rests' | 'gone' | 'lost';

interface TrueOrder {
  readonly id: string;
  readonly side: Side;
  readonly size: number;
  readonly price: Ticks;
  readonly takes: boolean;
  readonly sentAt: number;
  stage: Stage;
  filled: number;
  /** It took at once: where no receipt names the action, any of ours on its side may be said to have. */
  took: boolean;
  /** What the receipt will say; undefined until it has arrived. */
  receipt?: Event;
  answered: boolean;
  /** Its receipt says it all, and was not given up: there is no doubt whose its fills are. */
  clear: boolean;
  cancel?: 'sent' | 'done' | 'nothing' | undefined;
}

/** A question to the exchange: asked, then answered there, then heard here. */
interface Question<T> {
  readonly asked: number;
  answer?: T;
}

const ZERO = 0 as Micros;
const WINDOW = 63;
/** The exchange takes bytes of that age, and none that are older. */
const ACCEPTED_FOR = 60_000;
/** An account may be a picture of so long ago. */
const LAG = 1_900;

export class RandomExchange {
  readonly world = new World([BTC]);
  readonly orders: TrueOrder[] = [];
  readonly changes: OrderChange[] = [];
  position = 0;
  readonly #echoes: boolean;
  readonly #lags: boolean;
  /** What accounts showed or could have shown, oldest first. */
  readonly #pictures: { readonly at: number; readonly account: Account }[] = [];
  #now = START;
  #actions = 0;
  /** Of the account: it moves when the account does, and not otherwise. */
  #updateId = 1;
  #positionAction = 0;
  #trades: Omit<Fill, 'time'>[] = [];
  #reported = 0;
  #account: Question<Account> | undefined;
  #round: Question<number> | undefined;

  /** `echoes`: the account says which order is whose. `lags`: it is an old picture, never older than the one before it. */
  constructor({ echoes, lags = false }: { echoes: boolean; lags?: boolean }) {
    this.#echoes = echoes;
    this.#lags = lags;
    this.#hear({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
  }

  do({ what, pick }: Command | { readonly what: 'look'; readonly pick: number }): void {
    this.#now += 1 + (pick % 7);
    if (this.#lags) this.#pictures.push({ at: this.#now - 1, account: this.#snapshot() });
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
      case 'stranger':
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
        return this.#askAccount(pick);
      case 'wait':
        this.#now += 1_000 + pick * 40;
        return this.#hear({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
      case 'round':
        return this.#askRound();
      case 'look':
        for (let step = 0; step < 3; step++) this.#askAccount(pick);
        for (let step = 0; step < 3; step++) this.#askRound();
        return;
      case 'time':
        return this.#hear({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
    }
  }

  /** Everything under way comes to its end, and is reported. */
  settle(): void {
    for (const order of this.orders) {
      if (order.stage === 'sent') order.stage = 'lost';
      if (!order.answered && order.receipt === undefined) this.#giveUp(order);
      else if (!order.answered) this.#answer(order);
    }
    for (let step = 0; step < 6; step++)
      for (const what of ['cancelArrives', 'cancelAnswers'] as const) this.#all((pick) => this.#cancelling(what, pick));
    this.#now += (WINDOW + 60) * 1_000;
    this.#hear({ kind: 'timeSeen', asked: this.#now, engineSeconds: this.#seconds() });
    for (let step = 0; step < 4; step++) {
      this.#now += 2_010;
      this.#updateId += 1; // as funding does from time to time: an account that never moves again proves little
      for (let question = 0; question < 3; question++) this.#askRound();
      this.#now += 10;
      for (let question = 0; question < 3; question++) this.#askAccount();
    }
    this.#now += 10;
    for (let question = 0; question < 6; question++) this.#askRound();
  }

  /** What may still be filled at the exchange. */
  open(side: Side, stages: readonly Stage[] = ['sent', 'rests']): number {
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

  /** Refused, or some of it taken at once, and the rest rests if it may. */
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
    const says = pick % 7 === 1 ? {} : { ...(resting > 0 && { orderId: `x${order.id}` }), resting: lots(resting) };
    order.clear = 'resting' in says;
    const taken = 'resting' in says && size > 0 ? [{ price: order.price, size: lots(size) }] : [];
    order.receipt = { kind: 'orderOpened', at: 0, clientOrderId: order.id, actionId, taken, ...says };
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
    this.#hear(order.receipt);
  }

  #giveUp(order: TrueOrder | undefined): void {
    if (order === undefined) return;
    order.clear = false;
    if (order.receipt === undefined) order.answered = true;
    this.#hear({
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
    this.#hear({ kind: 'cancelAnswered', clientOrderId: order.id, outcome });
  }

  /** One step further with the question that is under way; the account is what it is at the step in the middle. */
  #askAccount(pick = 0): void {
    if (this.#account === undefined) this.#account = { asked: this.#now };
    else if (this.#account.answer === undefined)
      this.#account.answer = this.#lags ? this.#picture(this.#now - ((pick * 7) % LAG)) : this.#snapshot();
    else {
      this.#hear({ kind: 'accountSeen', asked: this.#account.asked, account: this.#account.answer });
      this.#account = undefined;
    }
  }

  #askRound(): void {
    if (this.#round === undefined) this.#round = { asked: this.#now };
    else if (this.#round.answer === undefined) this.#round.answer = this.#trades.length;
    else {
      const fills = this.#trades.slice(this.#reported, this.#round.answer).map((trade) => ({ ...trade, time: this.#now }));
      this.#reported = this.#round.answer;
      this.#hear({ kind: 'fillsSeen', asked: this.#round.asked, fills });
      this.#round = undefined;
    }
  }

  #picture(at: number): Account {
    while (this.#pictures.length > 1 && this.#pictures[1]!.at <= at) this.#pictures.shift();
    return this.#pictures[0]?.account ?? this.#snapshot();
  }

  /** A flat position is not listed. */
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

  #hear(event: object): void {
    this.world.apply({ ...event, at: this.#now } as Event);
    this.changes.push(...this.world.takeChanges());
  }

  #on(stage: Stage, pick: number, act: (order: TrueOrder) => void): void {
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
