// Plays a run line by line: `event => actions of the bot`. The engine is the real one; the script plays the exchange.
import { expect } from 'vitest';
import type { Level } from '../../src/bot/domain/book.ts';
import type { Event } from '../../src/bot/domain/event.ts';
import type { Intent } from '../../src/bot/domain/intent.ts';
import { type Lots, lots, type Micros, type Ticks } from '../../src/bot/domain/numbers.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import { Engine } from '../../src/bot/engine/engine.ts';
import { saysFrozen } from '../../src/bot/exchange/error-meanings.ts';
import { limitsSchema, rulesFrom } from '../../src/bot/risk/rules.ts';
import { World } from '../../src/bot/world/world.ts';
import { marketOf } from '../unit/world-builder.ts';

/** One tick is 0.1, one lot 0.1. */
export const MARKET = marketOf({ priceDecimals: 1, sizeDecimals: 1 });
const START = 1_700_000_000_000;
const MONEY = 1e6;

export class Stage {
  readonly world: World;
  readonly turns: Turn[] = [];
  readonly #engine: Engine;
  #now = START;
  #nextOrder = 1;
  #update = 1;
  #actionId = 1;
  #accountUpdate = '1';
  #intents: readonly Intent[] = [];
  #position = 0;
  #omf = 100_000;
  #imf = 0;

  constructor(limits: Readonly<Record<string, unknown>> = {}, options: ConstructorParameters<typeof World>[1] = {}) {
    this.world = new World([MARKET], options);
    this.#engine = new Engine({
      world: this.world,
      decide: () => this.#intents,
      rules: rulesFrom(limitsSchema.parse(limits)),
      nextClientOrderId: () => String(this.#nextOrder++),
    });
  }

  /** Plays a script. A line without `=>` must cause no action. */
  play(script: string): this {
    for (const line of script.split('\n').map((text) => text.trim())) {
      if (line === '' || line.startsWith('#')) continue;
      const [happening = '', reaction = ''] = line.split('=>').map((part) => part.trim());
      expect(`${happening} => ${this.#happens(happening)}`).toBe(`${happening} => ${reaction}`);
    }
    return this;
  }

  #happens(happening: string): string {
    const [verb = '', ...words] = happening.split(/\s+/);
    const rest = words.join(' ');
    const reported = this.#reported(verb, rest);
    if (reported === undefined) return '';
    this.#now += 100;
    const turn = this.#engine.step({ ...reported, at: this.#now } as Event);
    this.turns.push(turn);
    return reactionOf(turn);
  }

  /** Returns the event of a line; undefined for a line that only sets a value. */
  #reported(verb: string, rest: string): object | undefined {
    const [id = '', ...words] = rest.split(' ');
    switch (verb) {
      case 'quote':
        this.#intents = quoteOf(rest);
        return undefined;
      case 'hold':
        this.#intents = [targetOf(rest)];
        return undefined;
      case 'position':
        this.#position = Number(rest);
        return undefined;
      case 'margins':
        [this.#omf = 0, this.#imf = 0] = rest.split(' ').map(Number);
        return undefined;
      case 'later':
        this.#now += Number(rest) * 1000;
        return { kind: 'timerFired' };
      case 'tick':
        return { kind: 'timerFired' };
      case 'book':
        return { kind: 'bookSeen', asked: this.#now, book: { market: 0, updateId: this.#next(), ...sidesOf(rest) } };
      case 'info':
        return { kind: 'infoSeen', asked: this.#now, infos: [infoOf(rest)] };
      case 'time':
        return { kind: 'timeSeen', asked: this.#now, engineSeconds: Number(rest) };
      case 'account':
        return this.#account(rest);
      case 'opened':
        return {
          kind: 'orderOpened',
          clientOrderId: id,
          actionId: this.#action(),
          orderId: `x${id}`,
          taken: [],
          resting: this.#order(id)?.size,
        };
      case 'took':
        return { kind: 'orderOpened', clientOrderId: id, actionId: this.#action(), taken: [levelOf(words.join(''))], resting: lots(0) };
      case 'rejected':
        return { kind: 'orderRejected', clientOrderId: id, error: words.join(' '), frozen: saysFrozen(rest) };
      case 'unknown':
        return { kind: 'orderUnknown', clientOrderId: id, reason: 'no reply', deadAfter: Number(words[0]) };
      case 'cancelled':
        return { kind: 'cancelAnswered', clientOrderId: id, outcome: 'cancelled' };
      case 'queued':
        return { kind: 'cancelAnswered', clientOrderId: id, outcome: 'queued' };
      case 'notFound':
        return { kind: 'cancelAnswered', clientOrderId: id, outcome: 'notFound' };
      case 'open':
        return { kind: 'cancelAnswered', clientOrderId: id, outcome: 'open' };
      case 'noAnswer':
        return { kind: 'cancelAnswered', clientOrderId: id, outcome: 'unknown' };
      case 'filled':
        return { kind: 'fillsSeen', asked: this.#now, fills: id === '' ? [] : [this.#fill(id, Number(words[0]))] };
      case 'traded':
        return { kind: 'fillsSeen', asked: this.#now, fills: [this.#namelessFill(rest)] };
      case 'stop':
        return { kind: 'command', command: 'stop', reason: 'the story ends' };
      case 'mode':
        return { kind: 'command', command: 'mode', mode: id, reason: 'the script' };
      case 'listed':
        return this.#account('', [{ orderId: 'ghost', market: 0, side: 'bid', price: 990, size: 10, originalSize: 10, clientOrderId: id }]);
      default:
        throw new Error(`no such line in a story: ${verb}`);
    }
  }

  /** `account 1 2 (same)`: orders 1 and 2 rest. `(same)`: the update id is unchanged. */
  #account(rest: string, others: readonly object[] = []): object {
    if (!rest.includes('(same)')) this.#accountUpdate = this.#next();
    const updateId = this.#accountUpdate;
    const listed = rest.replace('(same)', '').trim().split(' ').filter(Boolean);
    const orders = listed.flatMap((id) => {
      const order = this.#order(id);
      const { side, price, size } = order ?? { side: 'bid', price: 1, size: 1 };
      return [{ orderId: `x${id}`, market: 0, side, price, size: order?.remaining ?? size, originalSize: size, clientOrderId: id }];
    });
    const position = { market: 0, size: this.#position * 10, tradingPnl: 0, fundingPaymentPnl: 0, actionId: String(this.#actionId) };
    const [omf, imf] = [this.#omf * MONEY, this.#imf * MONEY] as [Micros, Micros];
    const margins = { omf, mf: omf, imf, cmf: 0, mmf: 0, pon: 0, pn: 0, bankruptcy: false };
    return {
      kind: 'accountSeen',
      asked: this.#now,
      account: { id: 1, updateId, balances: [], positions: [position], orders: [...orders, ...others], margins },
    };
  }

  #fill(id: string, size: number): object {
    const order = this.#order(id) ?? { side: 'bid', price: 1 };
    const trade = { tradeId: this.#action(), actionId: this.#action(), market: 0, side: order.side, price: order.price, size: size * 10 };
    return { ...trade, role: 'maker', orderId: `x${id}`, time: this.#now };
  }

  /** `bid 99.0@1`: a fill on our account without an order id. */
  #namelessFill(rest: string): object {
    const [side, level = ''] = rest.split(' ');
    const id = this.#action();
    return { tradeId: id, actionId: id, orderId: '', market: 0, side, ...levelOf(level), role: 'maker', time: this.#now };
  }

  #order(id: string) {
    return this.world.orders().find(({ clientOrderId }) => clientOrderId === id);
  }

  #action(): string {
    this.#actionId += 1;
    return String(this.#actionId);
  }

  #next(): string {
    this.#update += 1;
    return String(this.#update);
  }
}

function reactionOf({ actions }: Turn): string {
  const texts = actions.map((action) => {
    if (action.kind === 'cancel') return `${action.unlessOpen === true ? 'ask' : 'cancel'} ${action.clientOrderId}`;
    const taking = action.fillMode === 'IMMEDIATE_OR_CANCEL' ? 'take ' : '';
    return `${taking}${action.side} ${MARKET.priceText(action.price)}@${MARKET.sizeText(action.size)} as ${action.clientOrderId}`;
  });
  return texts.join(', ');
}

const sidesOf = (text: string) => {
  const [bids = '', asks = ''] = text.split('|');
  return { bids: levelsOf(bids), asks: levelsOf(asks) };
};
const levelsOf = (text: string): Level[] => text.trim().split(/\s+/).filter(Boolean).map(levelOf);

function levelOf(text: string): Level {
  const [price = 0, size = 0] = text.split('@').map(Number);
  return { price: Math.round(price * 10) as Ticks, size: Math.round(size * 10) as Lots };
}

/** `bid 99.0@0.5, ask 101.0@0.5`, or `nothing`; `slack 2` in ticks. */
function quoteOf(text: string): Intent[] {
  const wanted = { bid: [] as Level[], ask: [] as Level[] };
  let slack = 0;
  for (const part of text === 'nothing' ? [] : text.split(',').map((piece) => piece.trim())) {
    const [word = '', value = ''] = part.split(' ');
    if (word === 'slack') slack = Number(value);
    else wanted[word as 'bid' | 'ask'].push(levelOf(value));
  }
  return text === 'nothing'
    ? []
    : [{ kind: 'quote', market: 0, bids: wanted.bid, asks: wanted.ask, slack: slack as Ticks, fillMode: 'POST_ONLY' }];
}

function targetOf(text: string): Intent {
  const { price, size } = levelOf(text.split(' at ').reverse().join('@'));
  return { kind: 'target', market: 0, position: size, limit: price };
}

function infoOf(text: string) {
  const [price = 0] = text.split(' ').map(Number);
  const ticks = text.includes('null') ? undefined : ((price * 10) as Ticks);
  return { market: 0, index: ticks, mark: ticks, frozen: text.includes('frozen') };
}
