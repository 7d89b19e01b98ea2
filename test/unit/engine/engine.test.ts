// A turn: the world, then the strategy, the guards and the actions, and the record of all of it.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../../src/bot/domain/event.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import { Engine } from '../../../src/bot/engine/engine.ts';
import type { Guard, RiskRules, Verdict } from '../../../src/bot/risk/guard.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import type { GuardInput } from '../../../src/bot/world/revisions.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { BTC, calmWorld, type WorldBuilder } from '../world-builder.ts';

let builder: WorldBuilder;
let wants: readonly Intent[];
let verdict: Verdict;
let ofStanding: Verdict | undefined;
let stopped: 'hold' | 'withdraw' | undefined;
let asked: number;
let reviewed: number;
let ids: number;
let shown: readonly number[];
let engine: Engine;

const level = (away: number) => ({ price: ticks(599_900 - away), size: BTC.lots(0.001) });

const rulesReading = (reads: readonly GuardInput[]): RiskRules => ({
  gates: [{ name: 'gate', check: () => (stopped === undefined ? undefined : { kind: stopped, reason: 'blind' }) }],
  guards: [
    {
      name: 'guard',
      reads,
      review: ({ standing }) => {
        reviewed += 1;
        return standing === undefined ? verdict : (ofStanding ?? verdict);
      },
    },
  ],
});

beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
  wants = [
    { kind: 'quote', market: 0, bids: [{ price: ticks(590_000), size: BTC.lots(1) }], asks: [], slack: ticks(0), fillMode: 'LIMIT' },
  ];
  verdict = { kind: 'pass' };
  ofStanding = undefined;
  stopped = undefined;
  asked = 0;
  reviewed = 0;
  ids = 1;
  begin(['account', 'info', 'exposure', 'mode', 'health']);
});

const decide = (world: World, open: ReadonlySet<number>): readonly Intent[] => {
  expect(world.now).toBe(now());
  shown = [...open];
  asked += 1;
  return wants;
};

/** Starts an engine whose only guard reads these inputs. */
function begin(reads: readonly GuardInput[]): void {
  engine = new Engine({ world: builder.world, decide, rules: rulesReading(reads), nextClientOrderId: () => String(ids++) });
}

const now = (): number => builder.world.now;
const tick = (): Event => ({ kind: 'timerFired', at: now() + 1 });
const step = (event: Event = tick()) => engine.step(event);
const opened = () =>
  step({ kind: 'orderOpened', at: now(), clientOrderId: '1', actionId: '1', orderId: 'x', taken: [], resting: BTC.lots(1) });

describe('a turn', () => {
  test('applies all new events, and calls the strategy once', () => {
    const [first, second] = [tick(), { kind: 'timerFired', at: now() + 2 } as const];
    expect(engine.step(first, second)).toMatchObject({ at: second.at, events: [first, second] });
    expect(asked).toBe(1);
  });

  test('records the fills of a turn before it that the strategy failed', () => {
    let fails = true;
    const failing = (): readonly Intent[] => {
      if (fails) throw new Error('no');
      return [];
    };
    engine = new Engine({ world: builder.world, decide: failing, rules: rulesReading([]), nextClientOrderId: () => String(ids++) });
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '7' });
    const [order] = builder.world.orders();
    const fill = {
      tradeId: '1',
      actionId: '2',
      market: 0,
      side: 'bid',
      price: ticks(590_000),
      size: BTC.lots(1),
      role: 'maker',
      time: now(),
    } as const;
    const fills: Event = { kind: 'fillsSeen', at: now(), asked: now(), fills: [{ ...fill, orderId: order?.orderId ?? '' }] };
    expect(() => step(fills)).toThrow('no');
    fails = false;
    expect(step().fills).toMatchObject([{ tradeId: '1', clientOrderId: '7' }]);
    expect(step().fills).toEqual([]);
  });

  test('records the events, the intents and the actions', () => {
    const event = tick();
    expect(step(event)).toMatchObject({
      at: event.at,
      events: [event],
      intents: wants,
      findings: [],
      actions: [{ kind: 'place', clientOrderId: '1', side: 'bid', price: 590_000, size: 10_000 }],
      changes: [{ status: 'placed', order: { clientOrderId: '1', status: 'pending' } }],
      fills: [],
    });
  });

  test('marks sent actions as in flight, so that the next turn does not send them again', () => {
    step();
    expect(step().actions).toEqual([]);
    expect(builder.world.orders()).toMatchObject([{ status: 'pending' }]);
  });

  test('reports each change and each fill once', () => {
    step();
    expect(opened().changes.map(({ status }) => status)).toEqual(['open']);
    expect(step().changes).toEqual([]);
    const fill = {
      tradeId: 't',
      actionId: '2',
      market: 0,
      side: 'bid',
      price: ticks(590_000),
      size: BTC.lots(0.5),
      role: 'maker',
      orderId: 'x',
      time: 1,
    } as const;
    expect(step({ kind: 'fillsSeen', at: now(), asked: now(), fills: [fill] }).fills).toMatchObject([{ clientOrderId: '1' }]);
    expect(step().fills).toEqual([]);
  });

  test('shows the strategy the world with the event applied', () => {
    step({ kind: 'timeSeen', at: now(), asked: now(), engineSeconds: 77 });
    expect(builder.world.engineTime?.value).toBe(77);
  });

  test('cancels an unwanted order as soon as it is open', () => {
    step();
    wants = [];
    expect([step().actions, step().actions]).toEqual([[], []]);
    expect(opened().actions).toMatchObject([{ kind: 'cancel', clientOrderId: '1' }]);
  });

  test('runs the guards on an order that waited for its answer, and is too small now that it rests', () => {
    step();
    wants = wants.map((want) => ({ ...want, bids: [{ price: ticks(590_000), size: BTC.lots(2) }] }));
    step();
    const before = reviewed;
    step();
    expect(reviewed).toBe(before);
    verdict = { kind: 'refuse', reason: 'no' };
    ofStanding = { kind: 'pass' };
    expect(opened().actions).toEqual([]);
    expect(reviewed).toBeGreaterThan(before);
  });

  test('with an event from the past is a bug', () => {
    step();
    expect(() => step({ kind: 'timerFired', at: 1 })).toThrow('came after the time');
  });
});

const found = () => step().findings.map(({ guard, reason }) => `${guard}: ${reason}`);

describe('findings', () => {
  beforeEach(() => {
    begin(['time']);
    verdict = { kind: 'refuse', reason: 'no' };
  });

  test('are reported once, until they end and return', () => {
    expect([found(), found(), found()]).toEqual([['guard: no'], [], []]);
    verdict = { kind: 'pass' };
    expect(found()).toEqual([]);
    wants = wants.map((want) => ({ ...want, bids: [{ price: ticks(580_000), size: BTC.lots(1) }] }));
    verdict = { kind: 'refuse', reason: 'no again' };
    expect([found(), found()]).toEqual([['guard: no again'], []]);
  });

  test('get their texts only when they are reported', () => {
    let writings = 0;
    verdict = { kind: 'refuse', reason: () => `no ${++writings}` };
    expect([found(), found(), found()]).toEqual([['guard: no 1'], [], []]);
    expect(writings).toBe(1);
  });

  test('of one kind about several levels are one finding', () => {
    const levels = [590_000, 580_000].map((price) => ({ price: ticks(price), size: BTC.lots(1) }));
    wants = wants.map((want) => ({ ...want, bids: levels }));
    expect(found()).toEqual(['guard: no']);
  });

  test('about the other side, or with another verdict, are separate', () => {
    found();
    wants = wants.map((want) => ({ ...want, asks: [{ price: ticks(610_000), size: BTC.lots(1) }] }));
    expect(found()).toEqual(['guard: no']);
    verdict = { kind: 'shrink', size: BTC.lots(0.5), reason: 'less' };
    expect(found()).toEqual(['guard: less', 'guard: less']);
  });
});

const account = () => {
  const was = builder.world.account?.value;
  if (was === undefined) throw new Error('no account');
  const orders = builder.world.orders().map(({ orderId = '', market, side, price: at, size }) => ({
    orderId,
    market,
    side,
    price: at,
    size,
    originalSize: size,
  }));
  return { ...was, updateId: '99', orders };
};

const book = (bid: number, ask: number): Event => ({
  kind: 'bookSeen',
  at: now(),
  asked: now(),
  book: {
    market: 0,
    updateId: '9',
    bids: [{ price: ticks(bid), size: BTC.lots(1) }],
    asks: [{ price: ticks(ask), size: BTC.lots(1) }],
  },
});

const target = (position: number, limit: number): readonly Intent[] => [
  { kind: 'target', market: 0, position: BTC.lots(position), limit: ticks(limit) },
];

/** Number of guard calls in that turn. */
const asks = (event?: Event): number => {
  const before = reviewed;
  step(event);
  return reviewed - before;
};

describe('a turn without relevant changes', () => {
  const price = ticks(600_000);

  const fill = {
    tradeId: 't',
    actionId: '2',
    market: 0,
    side: 'bid',
    price,
    size: BTC.lots(0.5),
    role: 'maker',
    orderId: 'x',
    time: 1,
  } as const;

  beforeEach(() => {
    step();
    opened();
    expect(asks()).toBe(0);
  });

  test.each<[string, () => Event]>([
    ['a book', () => ({ kind: 'bookSeen', at: now(), asked: now(), book: { market: 0, updateId: '9', bids: [], asks: [] } })],
    ['trades of others', () => ({ kind: 'tradesSeen', at: now(), market: 0, trades: [] })],
    ['the time', () => ({ kind: 'timeSeen', at: now(), asked: now(), engineSeconds: 5 })],
    ['a poll without fills', () => ({ kind: 'fillsSeen', at: now(), asked: now(), fills: [] })],
    ['an answer to a cancel', () => ({ kind: 'cancelAnswered', at: now(), clientOrderId: '1', outcome: 'refused' })],
    ['nothing', tick],
  ])('does not run the guards on resting orders again: %s', (_, event) => expect(asks(event())).toBe(0));

  test.each<[string, () => Event]>([
    ['the account', () => ({ kind: 'accountSeen', at: now(), asked: now(), account: account() })],
    ['the live info', () => ({ kind: 'infoSeen', at: now(), asked: now(), infos: [{ market: 0, frozen: false, index: price }] })],
    ['a fill', () => ({ kind: 'fillsSeen', at: now(), asked: now(), fills: [fill] })],
    ['a mode', () => ({ kind: 'command', at: now(), command: 'mode', mode: 'close-only', reason: 'a test' })],
    ['an unhealthy stream', () => ({ kind: 'healthSeen', at: now(), stream: 'journal', healthy: false, reason: 'a test' })],
  ])('runs them again after %s', (_, event) => expect(asks(event())).toBe(1));

  test('runs them again if the strategy wants something else, and then not until an input changes', () => {
    wants = wants.map((want) => ({ ...want, asks: [{ price: ticks(610_000), size: BTC.lots(1) }] }));
    verdict = { kind: 'refuse', reason: 'no' };
    expect([asks(), asks(), asks()]).toEqual([2, 0, 0]); // the first one cancelled the resting order, which is no input of the guard
    expect(engine.currentFindings()).toMatchObject([{ side: 'bid', reason: 'no' }, { side: 'ask' }]);
  });

  test('places an order that the rate limit delayed when the time has passed, without any other event', () => {
    wants = [{ kind: 'quote', market: 0, bids: [level(0), level(10)], asks: [], slack: ticks(0), fillMode: 'LIMIT' }];
    const { guards } = rulesFrom(limitsSchema.parse({ rate: { maxPerSecond: 1 } }));
    const { world } = calmWorld({ bid: 59_999, ask: 60_001 });
    engine = new Engine({ world, decide: () => wants, rules: { gates: [], guards }, nextClientOrderId: () => '7' });
    const after = (span: number) => engine.step({ kind: 'timerFired', at: world.now + span });
    expect(after(1)).toMatchObject({ actions: [{ price: 599_900 }], findings: [{ guard: 'rate' }] });
    expect([after(500).actions, after(400).actions]).toEqual([[], []]);
    expect(after(101).actions).toMatchObject([{ price: 599_890 }]);
  });

  test('runs a guard that reads the order book on resting orders when the book changes: one against a wide spread', () => {
    const guard: Guard = {
      name: 'spread',
      reads: ['book'],
      review: ({ market }, { world }) => {
        const seen = world.book(market.id)?.value;
        const width = (seen?.asks[0]?.price ?? 0) - (seen?.bids[0]?.price ?? 0);
        return width > 1_000 ? { kind: 'refuse', reason: `the spread is ${width} ticks` } : { kind: 'pass' };
      },
    };
    engine = new Engine({
      world: builder.world,
      decide: () => wants,
      rules: { gates: [], guards: [...rulesReading(['info']).guards, guard] },
      nextClientOrderId: () => '7',
    });
    expect([asks(), asks(book(599_999, 600_001))]).toEqual([1, 0]);
    const wide = step(book(598_000, 602_000));
    expect(wide).toMatchObject({ findings: [{ guard: 'spread' }], actions: [{ kind: 'cancel', clientOrderId: '1' }] });
  });

  test.each<[string, readonly GuardInput[], () => Event, number]>([
    ['a book', ['book'], () => book(599_999, 600_001), 1],
    ['a book', ['info', 'trades', 'account'], () => book(599_999, 600_001), 0],
    ['the time alone', ['time'], tick, 1],
    ['the time alone', ['book', 'orders'], tick, 0],
  ])('after %s, a guard that reads %j runs on resting orders if it reads that input', (_, reads, event, count) => {
    begin(reads);
    wants = [...wants];
    step();
    expect(asks(event())).toBe(count);
  });

  test.each<[readonly GuardInput[], number]>([
    [['book'], 2],
    [['info'], 0],
  ])('runs all guards again, while an order is refused, if an input of a guard changed: %j', (reads, count) => {
    begin(reads);
    wants = wants.map((want) => ({ ...want, asks: [{ price: ticks(610_000), size: BTC.lots(1) }] }));
    verdict = { kind: 'refuse', reason: 'no' };
    ofStanding = { kind: 'pass' };
    expect([asks(), asks(), asks(book(599_999, 600_001))]).toEqual([2, 0, count]);
  });

  test('does not run them again on orders that just passed, once they rest', () => {
    wants = wants.map((want) => ({ ...want, asks: [{ price: ticks(610_000), size: BTC.lots(1) }] }));
    expect([asks(), asks()]).toEqual([2, 0]);
    const answer: Event = {
      kind: 'orderOpened',
      at: now(),
      clientOrderId: '2',
      actionId: '2',
      orderId: 'z',
      taken: [],
      resting: BTC.lots(1),
    };
    expect(asks(answer)).toBe(0);
  });

  test('still reports alarms', () => {
    const theirs = { ...fill, side: 'ask', orderId: 'y' } as const;
    expect(step({ kind: 'fillsSeen', at: now(), asked: now(), fills: [theirs] }).alarms).toMatchObject([{ name: 'company' }]);
    expect(step().alarms).toEqual([]);
  });

  test('sends an order that the exchange refused again after its pause, without any other event', () => {
    wants = wants.map((want) => ({ ...want, asks: [{ price: ticks(610_000), size: BTC.lots(1) }] }));
    expect(step().actions).toMatchObject([{ side: 'ask', clientOrderId: '2' }]);
    expect(step({ kind: 'orderRejected', at: now(), clientOrderId: '2', error: 'no' }).actions).toEqual([]);
    expect([step().actions, step({ kind: 'timerFired', at: now() + 498 }).actions]).toEqual([[], []]);
    expect(step().actions).toMatchObject([{ side: 'ask', clientOrderId: '3' }]);
  });

  test('runs them in every turn on an order that was cut, because they may allow more now', () => {
    begin(['time']);
    wants = wants.map((want) => ({ ...want, bids: [{ price: ticks(580_000), size: BTC.lots(1) }] }));
    verdict = { kind: 'shrink', size: BTC.lots(0.5), reason: 'less' };
    ofStanding = { kind: 'pass' };
    expect(step().actions).toMatchObject([{ kind: 'cancel' }, { kind: 'place', size: BTC.lots(0.5) }]);
    step({ kind: 'orderOpened', at: now(), clientOrderId: '2', actionId: '2', orderId: 'z', taken: [], resting: BTC.lots(0.5) });
    verdict = { kind: 'refuse', reason: 'too many in a minute' };
    expect([step(), step()]).toMatchObject([
      { findings: [], actions: [] },
      { findings: [], actions: [] },
    ]);
    verdict = { kind: 'pass' };
    expect(step().actions).toMatchObject([
      { kind: 'cancel', clientOrderId: '2' },
      { kind: 'place', size: BTC.lots(1) },
    ]);
  });

  test('trades a target of another position at its own limit, after one that was reached', () => {
    const { world } = calmWorld({ bid: 59_999, ask: 60_001 });
    engine = new Engine({ world, decide: () => wants, rules: rulesReading(['account']), nextClientOrderId: () => '7' });
    const next = () => engine.step({ kind: 'timerFired', at: world.now + 1 });
    wants = target(0, 600_000);
    expect([next().actions, next().actions]).toEqual([[], []]);
    wants = target(0, 600_100);
    expect([next().actions, next().actions]).toEqual([[], []]);
    wants = target(0.5, 600_200);
    expect(next().actions).toMatchObject([{ kind: 'place', side: 'bid', size: BTC.lots(0.5), price: 600_200 }]);
  });

  test('follows a list that the strategy changes later', () => {
    const list = [...wants];
    wants = list;
    expect(asks({ kind: 'accountSeen', at: now(), asked: now(), account: account() })).toBe(1);
    list.length = 0;
    expect(step().actions).toMatchObject([{ kind: 'cancel', clientOrderId: '1' }]);
    opened();
  });

  test('runs them again after a gate has held the market', () => {
    stopped = 'hold';
    expect(asks()).toBe(0); // nothing is approved in a market that is held
    stopped = undefined;
    expect(asks()).toBe(1);
  });
});

describe('a market that is stopped', () => {
  test('is not touched while a gate holds it', () => {
    step();
    opened();
    stopped = 'hold';
    wants = [];
    expect(step().actions).toEqual([]);
  });

  test('is not shown to the strategy', () => {
    step();
    expect(shown).toEqual([0]);
    stopped = 'hold';
    step();
    expect(shown).toEqual([]);
  });

  test('is cleared of orders if a gate says so', () => {
    step();
    opened();
    stopped = 'withdraw';
    expect(step().actions).toMatchObject([{ kind: 'cancel', clientOrderId: '1' }]);
  });
});

describe('a run that closes', () => {
  test('does not call the strategy, and cancels everything, whatever the gates say', () => {
    step();
    opened();
    stopped = 'hold';
    const before = asked;
    const turn = step({ kind: 'command', at: now(), command: 'stop', reason: 'enough' });
    expect(turn.intents).toEqual([]);
    expect(turn.actions).toMatchObject([{ kind: 'cancel', clientOrderId: '1' }]);
    expect(asked).toBe(before);
  });
});
