// Public incidents of other bots, repeated with this one: runaway orders, and a compromised library.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { signerFrom } from '../../src/base/wire/ed25519.ts';
import type { Action, PlaceOrder } from '../../src/bot/domain/action.ts';
import type { Event } from '../../src/bot/domain/event.ts';
import type { Intent } from '../../src/bot/domain/intent.ts';
import { type Lots, lots, type Micros, type Ticks } from '../../src/bot/domain/numbers.ts';
import { Engine } from '../../src/bot/engine/engine.ts';
import { limitsSchema, rulesFrom } from '../../src/bot/risk/rules.ts';
import { loadConfig } from '../../src/bot/run/core/config.ts';
import { World } from '../../src/bot/world/world.ts';
import { ActionCodec } from '../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { seal } from '../../src/venues/wire/sign-action.ts';
import { MARKET } from '../story/stage.ts';

const START = 1_700_000_000_000;
const HOUR = 3_600;
const PRICE = 1_000 as Ticks;
const SIZE = lots(10);

describe('hummingbot #462', () => {
  // There, a bot without funds repeated refused orders at once until the exchange's limit of 100 000 orders a day was used up.
  // Here, each refusal in a row doubles the pause before the next attempt, up to half a minute.
  test('during an hour of refusals at most one order is sent per half minute', () => {
    const intent: Intent = {
      kind: 'quote',
      market: 0,
      bids: [{ price: PRICE, size: SIZE }],
      asks: [],
      slack: 0 as Ticks,
      fillMode: 'POST_ONLY',
    };
    const bot = new BotWithExchange({ decide: () => intent, answer: ({ clientOrderId }) => [refusal(clientOrderId)] });
    for (let second = 0; second < HOUR; second++) bot.second();
    expect(bot.placed.length).toBeGreaterThan(HOUR / 40);
    expect(bot.placed.length).toBeLessThanOrEqual(HOUR / 30 + 10);
  });
});

describe('Knight Capital', () => {
  // There, a reused flag activated dead code, which sent child orders without counting their fills: 4 million in 45 minutes, past 97 warnings
  // without effect. Here, an unknown flag stops the start. Limits count the position and everything that can still fill, and they refuse orders
  // instead of warning.
  test('a strategy that buys in every turn ends at its position limit', () => {
    const [limit, cost] = [5_000, (PRICE / 10) * (SIZE / 10)];
    const buy = (position: Lots): Intent => ({ kind: 'target', market: 0, position: lots(position + SIZE), limit: PRICE });
    const bot = new BotWithExchange({ decide: buy, answer: (order) => [filled(order)], limits: { position: { maxNotional: limit } } });
    for (let second = 0; second < HOUR; second++) bot.second();
    expect(bot.placed.length * cost).toBeLessThanOrEqual(limit);
    expect(bot.placed.length * cost).toBeGreaterThan(limit - 2 * cost);
    expect(bot.refusedBy).toContain('position');
  });

  test('without any answer the sum of the orders is the target', () => {
    const intent: Intent = { kind: 'target', market: 0, position: SIZE, limit: PRICE };
    const bot = new BotWithExchange({ decide: () => intent, answer: () => [] });
    for (let second = 0; second < HOUR; second++) bot.second();
    expect(bot.placed.map(({ size }) => size)).toEqual([SIZE]);
  });

  test.each(['limits.power-peg={}', 'limits.rate.maxPerDay=10', 'retries=3'])('the unknown setting %s stops the start', (flag) => {
    expect(() => rulesFrom(limitsSchema.parse(loadConfig({ file: undefined, sets: [flag] }).limits))).toThrow(
      /retries|power-peg|maxPerDay/,
    );
  });
});

describe('@solana/web3.js 1.95.6 and 1.95.7', () => {
  // There, a published version of a trusted library sent its keys to an attacker for five hours. Here, no library gets a key that can move funds,
  // except the one that signs; and the session key signs orders and cancels only.
  test('the dependencies are few and do not contain it', () => {
    const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const names = Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names.filter((name) => name.startsWith('@solana/') || name.startsWith('web3'))).toEqual([]);
    expect(names).toContain('@noble/ed25519');
  });

  test('the session key signs no other kind of action', () => {
    const tools = { codec: new ActionCodec(bundledSchema()), signer: signerFrom(new Uint8Array(32).fill(7)) };
    const keys = { userPubkey: new Uint8Array(32), sessionPubkey: new Uint8Array(32) };
    const others = [
      { kind: 'createSession', timestamp: 1, nonce: 1, ...keys, expiry: 2 },
      { kind: 'other', timestamp: 1, nonce: 1, name: 'withdraw' },
    ];
    for (const action of others) expect(() => seal(action as never, tools)).toThrow(/placements and cancels alone/);
  });
});

interface BotWithExchangeParts {
  readonly decide: (position: Lots) => Intent;
  /** Returns the events of the exchange's immediate answer to an order. */
  readonly answer: (order: PlaceOrder) => readonly object[];
  readonly limits?: Readonly<Record<string, unknown>>;
}

/** A bot with fresh data every second, on an exchange that answers at once. */
class BotWithExchange {
  readonly placed: PlaceOrder[] = [];
  readonly refusedBy = new Set<string>();
  readonly #world = new World([MARKET]);
  readonly #engine: Engine;
  readonly #answer: BotWithExchangeParts['answer'];
  #now = START;
  #position = 0;

  constructor({ decide, answer, limits = {} }: BotWithExchangeParts) {
    this.#answer = answer;
    this.#engine = new Engine({
      world: this.#world,
      decide: () => [decide(this.#position as Lots)],
      rules: rulesFrom(limitsSchema.parse(limits)),
      nextClientOrderId: () => String(this.placed.length + 1),
    });
  }

  second(): void {
    this.#now += 1_000;
    const seconds = Math.floor(this.#now / 1_000);
    this.#step({ kind: 'timeSeen', asked: this.#now - 50, engineSeconds: seconds });
    this.#step({ kind: 'infoSeen', asked: this.#now - 50, infos: [{ market: 0, index: PRICE, mark: PRICE, frozen: false }] });
    this.#step({ kind: 'accountSeen', asked: this.#now - 50, account: this.#account(String(seconds)) });
    this.#step({ kind: 'fillsSeen', asked: this.#now - 50, fills: [] });
    this.#step({
      kind: 'bookSeen',
      asked: this.#now - 50,
      book: { market: 0, updateId: String(seconds), bids: level(PRICE - 1), asks: level(PRICE) },
    });
  }

  #step(event: object): void {
    const { actions, findings } = this.#engine.step({ at: this.#now, ...event } as Event);
    for (const { guard } of findings) this.refusedBy.add(guard);
    const orders = actions.filter((action: Action) => action.kind === 'place');
    this.placed.push(...orders);
    for (const order of orders) for (const reported of this.#answer(order)) this.#emit(reported);
  }

  #emit(reported: object): void {
    if ('kind' in reported && reported.kind === 'fillsSeen') this.#position += SIZE;
    this.#step({ asked: this.#now, ...reported });
  }

  #account(updateId: string): object {
    const funds = 1e12 as Micros;
    const positions = this.#position === 0 ? [] : [{ market: 0, size: this.#position, tradingPnl: 0, fundingPaymentPnl: 0, actionId: '1' }];
    const margins = { omf: funds, mf: funds, imf: 0, cmf: 0, mmf: 0, pon: 0, pn: 0, bankruptcy: false };
    return { id: 1, updateId, balances: [], positions, orders: [], margins };
  }
}

const level = (price: number): object[] => [{ price, size: 1_000 }];

const refusal = (clientOrderId: string): object => ({ kind: 'orderRejected', clientOrderId, error: 'INSUFFICIENT_FUNDS' });

function filled({ clientOrderId, side, price, size }: PlaceOrder): object {
  const trade = {
    tradeId: clientOrderId,
    actionId: clientOrderId,
    market: 0,
    side,
    price,
    size,
    role: 'taker',
    orderId: '',
    clientOrderId,
  };
  return { kind: 'fillsSeen', fills: [{ ...trade, time: START }] };
}
