// The turn: the world first, then the strategy, the guards and the actions, and the record of it.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../../src/domain/event.ts';
import type { Intent } from '../../../src/domain/intent.ts';
import { ticks } from '../../../src/domain/numbers.ts';
import { Engine } from '../../../src/engine/engine.ts';
import type { RiskRules, Verdict } from '../../../src/risk/guard.ts';
import type { World } from '../../../src/world/world.ts';
import { BTC, calmWorld, type WorldBuilder } from '../world-builder.ts';

let is: WorldBuilder;
let wants: readonly Intent[];
let verdict: Verdict;
let stopped: 'hold' | 'withdraw' | undefined;
let asked: number;
let shown: readonly number[];
let engine: Engine;

const rules: RiskRules = {
  gates: [{ name: 'gate', check: () => (stopped === undefined ? undefined : { kind: stopped, reason: 'blind' }) }],
  guards: [{ name: 'guard', review: () => verdict }],
};

beforeEach(() => {
  is = calmWorld({ bid: 59_999, ask: 60_001 });
  wants = [
    { kind: 'quote', market: 0, bids: [{ price: ticks(590_000), size: BTC.lots(1) }], asks: [], slack: ticks(0), fillMode: 'LIMIT' },
  ];
  verdict = { kind: 'pass' };
  stopped = undefined;
  asked = 0;
  let ids = 1;
  const decide = (world: World, open: ReadonlySet<number>): readonly Intent[] => {
    expect(world.now).toBe(now());
    shown = [...open];
    asked += 1;
    return wants;
  };
  engine = new Engine({ world: is.world, decide, rules, nextClientOrderId: () => String(ids++) });
});

const now = (): number => is.world.now;
const tick = (): Event => ({ kind: 'timerFired', at: now() + 1 });
const step = (event: Event = tick()) => engine.step(event);
const opened = () =>
  step({ kind: 'orderOpened', at: now(), clientOrderId: '1', actionId: '1', orderId: 'x', taken: [], resting: BTC.lots(1) });

describe('a turn', () => {
  test('is the record of what happened, what was wanted and what was done', () => {
    const event = tick();
    expect(step(event)).toMatchObject({
      event,
      intents: wants,
      findings: [],
      actions: [{ kind: 'place', clientOrderId: '1', side: 'bid', price: 590_000, size: 10_000 }],
      changes: [{ status: 'placed', order: { clientOrderId: '1', status: 'pending' } }],
      fills: [],
    });
  });

  test('marks what it sends as on its way: the next one does not ask again', () => {
    step();
    expect(step().actions).toEqual([]);
    expect(is.world.orders()).toMatchObject([{ status: 'pending' }]);
  });

  test('tells each change and each fill once', () => {
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

  test('shows the strategy the world with the event in it', () => {
    step({ kind: 'timeSeen', at: now(), asked: now(), engineSeconds: 77 });
    expect(is.world.engineTime?.value).toBe(77);
  });

  test('of an event from the past is our mistake', () => {
    step();
    expect(() => step({ kind: 'timerFired', at: 1 })).toThrow('came after the time');
  });
});

const found = () => step().findings.map(({ guard, reason }) => `${guard}: ${reason}`);

describe('findings', () => {
  beforeEach(() => {
    verdict = { kind: 'refuse', reason: 'no' };
  });

  test('are told once, until they cease and come again', () => {
    expect([found(), found(), found()]).toEqual([['guard: no'], [], []]);
    verdict = { kind: 'pass' };
    expect(found()).toEqual([]);
    wants = wants.map((want) => ({ ...want, bids: [{ price: ticks(580_000), size: BTC.lots(1) }] }));
    verdict = { kind: 'refuse', reason: 'no again' };
    expect([found(), found()]).toEqual([['guard: no again'], []]);
  });

  test('of the same kind about several levels are one', () => {
    const levels = [590_000, 580_000].map((price) => ({ price: ticks(price), size: BTC.lots(1) }));
    wants = wants.map((want) => ({ ...want, bids: levels }));
    expect(found()).toEqual(['guard: no']);
  });

  test('about the other side, or with another verdict, are others', () => {
    found();
    wants = wants.map((want) => ({ ...want, asks: [{ price: ticks(610_000), size: BTC.lots(1) }] }));
    expect(found()).toEqual(['guard: no']);
    verdict = { kind: 'shrink', size: BTC.lots(0.5), reason: 'less' };
    expect(found()).toEqual(['guard: less', 'guard: less']);
  });
});

describe('a market that is stopped', () => {
  test('is left alone while a gate holds it', () => {
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

  test('is withdrawn from when a gate says so', () => {
    step();
    opened();
    stopped = 'withdraw';
    expect(step().actions).toMatchObject([{ kind: 'cancel', clientOrderId: '1' }]);
  });
});

describe('a run that closes', () => {
  test('asks the strategy no more, and cancels all, whatever the gates say', () => {
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
