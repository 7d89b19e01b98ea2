// A run on virtual time: the inbox, ends that are proved, and ends that are not.
import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { AssertionError } from '../../../src/base/errors.ts';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { Engine } from '../../../src/bot/engine/engine.ts';
import { type Ending, type Run, startRun } from '../../../src/bot/run/core/run.ts';
import { LAG } from '../../../src/bot/world/orders/proof.ts';
import { World } from '../../../src/bot/world/world.ts';
import { BTC, START } from '../world-builder.ts';
import { FakeVenue } from './fake-venue.ts';

const QUOTE: Intent = {
  kind: 'quote',
  market: 0,
  bids: [{ price: ticks(590_000), size: lots(100) }],
  asks: [],
  slack: ticks(0),
  fillMode: 'POST_ONLY',
};

let clock: VirtualClock;
let venue: FakeVenue;
let turns: Turn[];
let decide: (world: World) => readonly Intent[];
let record: (turn: Turn) => void;
let ending: Ending | undefined;
let run: Run;

beforeEach(() => {
  clock = new VirtualClock(START);
  venue = new FakeVenue(clock);
  turns = [];
  decide = () => [];
  record = () => undefined;
  ending = undefined;
  let ids = 1;
  const world = new World([BTC]);
  const rules = { gates: [], guards: [] };
  const engine = new Engine({ world, decide: (seen) => decide(seen), rules, nextClientOrderId: () => String(ids++) });
  run = startRun({ clock, venue, world, engine, books: { record: (turn) => record(turn), flush: () => undefined } });
  run.turns.subscribe((turn) => turns.push(turn));
  void run.done.then((end) => {
    ending = end;
  });
});

const pass = (span: number): Promise<void> => clock.drive(clock.now() + span);
/** The kinds of events of each turn. */
const kinds = (): string[] => turns.map(({ events }) => events.map(({ kind }) => kind).join('+'));
const submitted = (): string[] =>
  venue.submitted.map((actions) => actions.map(({ kind, clientOrderId }) => `${kind} ${clientOrderId}`).join(', '));

/** An order of ours rests. */
async function resting(): Promise<void> {
  decide = () => [QUOTE];
  await pass(1);
  venue.fresh();
  await pass(0);
  venue.report({ kind: 'orderOpened', clientOrderId: '1', actionId: '1', orderId: 'x1', taken: [], resting: lots(100) });
  await pass(0);
  expect(submitted()).toEqual(['place 1']);
}

/** Stops a run whose last account shows a position that no fill explains yet. */
async function stoppedUnexplained(): Promise<void> {
  await pass(1);
  venue.account({ updateId: 1 });
  venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
  await pass(0);
  run.stop('enough');
  await pass(10);
  venue.account({ updateId: 2, position: 100 });
}

const listed = {
  orderId: 'x1',
  clientOrderId: '1',
  market: 0,
  side: 'bid',
  price: ticks(590_000),
  size: lots(100),
  originalSize: lots(100),
} as const;

describe('a run', () => {
  test('subscribes only when the clock advances', async () => {
    expect(venue.isObserved).toBe(false);
    await pass(1);
    expect(venue.isObserved).toBe(true);
  });

  test('makes one turn of all events at a time, and one each second when nothing happens', async () => {
    await pass(1);
    venue.fresh();
    await pass(1);
    venue.account({ updateId: 1 });
    await pass(2_500);
    expect(kinds()).toEqual(['timeSeen+infoSeen+bookSeen', 'accountSeen', 'timerFired', 'timerFired']);
  });

  test('leaves events that come during a turn to the next turn, which follows at once', async () => {
    await pass(1);
    const order: string[] = [];
    run.turns.subscribe(({ events: [first] }) => {
      order.push(`${first?.kind} begins`);
      if (first?.kind === 'timeSeen') venue.account({ updateId: 1 });
      order.push(`${first?.kind} ends`);
    });
    venue.report({ kind: 'timeSeen', asked: START, engineSeconds: 1 });
    await pass(0);
    expect(order).toEqual(['timeSeen begins', 'timeSeen ends', 'accountSeen begins', 'accountSeen ends']);
  });

  test('submits the actions after the turn is recorded', async () => {
    const order: string[] = [];
    record = ({ actions }) => void order.push(`record ${actions.length}`);
    venue.onSubmit = () => order.push('submit');
    decide = () => [QUOTE];
    await pass(1_001);
    expect(order).toEqual(['record 1', 'submit']);
  });

  test('never lets time go back, whatever the events say', async () => {
    await pass(1_500);
    const at = clock.now();
    venue.fresh();
    venue.report({ kind: 'fillsSeen', asked: START, fills: [] }, START);
    await pass(0);
    expect(turns.at(-1)?.events.at(-1)).toMatchObject({ kind: 'fillsSeen', at, asked: START });
  });

  test('has a fingerprint of its actions', async () => {
    const before = run.fingerprint();
    await resting();
    expect(run.fingerprint()).not.toBe(before);
    expect(run.fingerprint()).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a stop', () => {
  test('cancels all, and ends when all orders are proved gone and an account was requested after that', async () => {
    await resting();
    run.stop('enough');
    await pass(0);
    expect(submitted()).toEqual(['place 1', 'cancel 1']);
    venue.report({ kind: 'cancelAnswered', clientOrderId: '1', outcome: 'cancelled' });
    await pass(LAG);
    venue.account({ updateId: 2 });
    await pass(10);
    expect(run.world.settled).toBe(false);
    venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
    await pass(10);
    expect([run.world.settled, ending]).toEqual([true, undefined]);
    venue.account({ updateId: 2 });
    await pass(0);
    expect(ending).toEqual({ kind: 'settled' });
    expect(venue.isObserved).toBe(false);
  });

  test('waits for the fills that would explain the last account, but not for long', async () => {
    await stoppedUnexplained();
    await pass(29_000);
    expect(ending).toBeUndefined();
    await pass(2_000);
    expect(ending).toEqual({ kind: 'settled' });
  });

  test('waits for a list of our trades that is read every ten seconds, and shows them with a delay', async () => {
    await stoppedUnexplained();
    await pass(8_000);
    venue.account({ updateId: 3, position: 100 }); // after the accounts that it waits for
    await pass(8_000);
    expect(ending).toBeUndefined();
    const trade = {
      tradeId: '1',
      actionId: '9',
      orderId: 'x9',
      market: 0,
      side: 'bid',
      price: ticks(590_000),
      size: lots(100),
      role: 'taker',
    } as const;
    venue.report({ kind: 'fillsSeen', asked: clock.now() - 6_000, fills: [{ ...trade, time: clock.now() }] });
    await pass(0);
    expect([ending, run.world.accounting.totals.fills]).toEqual([{ kind: 'settled' }, 1]);
  });

  test('does not wait for the fills of accounts that come long after its orders are gone', async () => {
    await stoppedUnexplained();
    await pass(8_000);
    venue.account({ updateId: 3, position: 200 });
    venue.report({ kind: 'fillsSeen', asked: clock.now() - 6_000, fills: [] });
    await pass(0);
    expect(ending).toEqual({ kind: 'settled' });
  });

  test('ends when the fills after its last account were read, whether or not they explain it', async () => {
    await stoppedUnexplained();
    await pass(10);
    expect(ending).toBeUndefined();
    venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
    await pass(0);
    expect(ending).toEqual({ kind: 'settled' });
  });

  test('of a run that never sent anything ends with the next account', async () => {
    await pass(1);
    run.stop('enough');
    await pass(10);
    venue.account({ updateId: 1 });
    await pass(0);
    expect(ending).toEqual({ kind: 'settled' });
  });

  test('no longer calls the strategy', async () => {
    await resting();
    run.stop('enough');
    let asked = false;
    decide = () => {
      asked = true;
      return [];
    };
    await pass(5_000);
    expect(asked).toBe(false);
  });

  test('that comes twice counts once', async () => {
    await resting();
    run.stop('enough');
    run.stop('now');
    await pass(1_000);
    expect(submitted()).toEqual(['place 1', 'cancel 1']);
    expect([ending, run.world.stopping]).toEqual([undefined, 'enough']);
  });

  test('with endNow ends at once, except for the cancels', async () => {
    await resting();
    run.stop('enough');
    run.endNow('asked twice');
    await pass(0);
    expect(submitted()).toEqual(['place 1', 'cancel 1']);
    expect(ending).toEqual({ kind: 'unsettled', reason: 'asked twice' });
    expect(run.world.orders().length).toBe(1);
  });

  test('waits 90 s for an exchange that proves nothing, and retries', async () => {
    await resting();
    run.stop('enough');
    for (let second = 0; second < 89; second++) {
      await pass(1_000);
      venue.report({ kind: 'cancelAnswered', clientOrderId: '1', outcome: 'unknown' });
      venue.account({ orders: [listed], updateId: second + 2 });
    }
    expect(ending).toBeUndefined();
    expect(submitted().filter((text) => text === 'cancel 1').length).toBeGreaterThan(80);
    await pass(1_001);
    expect(ending).toEqual({ kind: 'unsettled', reason: 'the exchange did not prove every order gone in time' });
  });

  test('waits longer if all orders are gone, and a wrong position leaves open how they ended', async () => {
    await resting();
    let updateId = 2;
    const poll = async (position: number, orders = [] as (typeof listed)[]): Promise<void> => {
      await pass(1_000);
      venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
      venue.account({ updateId: updateId++, position, orders });
    };
    for (let second = 0; second < 3; second++) await poll(0, [listed]);
    run.stop('enough');
    await pass(0);
    venue.report({ kind: 'cancelAnswered', clientOrderId: '1', outcome: 'notFound' });
    for (let second = 0; second < 10; second++) await poll(200);
    expect(run.world.orders()).toEqual([]);
    for (let second = 0; second < 90; second++) await poll(0);
    expect([ending, run.world.settled]).toEqual([undefined, false]);
    for (let second = 0; second < 70; second++) await poll(0);
    expect(ending).toEqual({ kind: 'settled' });
  });

  test('of a run without orders ends in the same time if no account comes: all orders are proved gone', async () => {
    await pass(1);
    run.stop('enough');
    await pass(89_000);
    expect(ending).toBeUndefined();
    await pass(1_001);
    expect(ending).toEqual({ kind: 'settled' });
  });

  test('after the end has no effect, and leaves no timer', async () => {
    await pass(1);
    run.stop('enough');
    await pass(10);
    venue.account({ updateId: 1 });
    await pass(0);
    const count = turns.length;
    run.stop('again');
    run.stop('and again');
    await pass(200_000);
    expect([ending, turns.length]).toEqual([{ kind: 'settled' }, count]);
  });

  test('before the first event is accepted', async () => {
    run.stop('enough');
    await pass(1);
    await pass(10);
    venue.account({ updateId: 1 });
    await pass(0);
    expect(ending).toEqual({ kind: 'settled' });
  });
});

/** The cancel of order 1 is confirmed, and its end is proved. */
const gone = async (): Promise<void> => {
  venue.report({ kind: 'cancelAnswered', clientOrderId: '1', outcome: 'cancelled' });
  for (let look = 0; look < 3; look++) {
    await pass(LAG);
    venue.account({ updateId: look + 2 });
    await pass(10);
    venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
    await pass(10);
  }
};

describe('a strategy that throws', () => {
  const broken = new Error('strategy broken');
  const breaking = () => {
    decide = () => {
      throw broken;
    };
    venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
  };

  test('has everything cancelled, and the run fails when all orders are proved gone', async () => {
    await resting();
    breaking();
    await pass(5_000);
    expect(submitted()).toEqual(['place 1', 'cancel 1']);
    expect(ending).toBeUndefined();
    await gone();
    expect(ending).toEqual({ kind: 'failed', error: broken, settled: true });
  });

  test('while an order is in flight: the run waits for it, and cancels it too', async () => {
    decide = () => [QUOTE];
    await pass(1);
    venue.fresh();
    await pass(0);
    expect(submitted()).toEqual(['place 1']);
    breaking();
    await pass(10_000);
    expect([submitted(), ending]).toEqual([['place 1'], undefined]);
    venue.report({ kind: 'orderOpened', clientOrderId: '1', actionId: '1', orderId: 'x1', taken: [], resting: lots(100) });
    await pass(0);
    expect(submitted()).toEqual(['place 1', 'cancel 1']);
    await gone();
    expect(ending).toEqual({ kind: 'failed', error: broken, settled: true });
  });

  test('at an exchange that proves nothing fails after 90 s, with a message', async () => {
    await resting();
    breaking();
    await pass(89_000);
    expect(ending).toBeUndefined();
    await pass(2_000);
    expect(ending).toEqual({ kind: 'failed', error: broken, settled: false });
  });

  test('is never called again', async () => {
    await resting();
    breaking();
    await pass(0);
    decide = () => [{ ...QUOTE, bids: [{ price: ticks(580_000), size: lots(100) }] }];
    venue.fresh();
    await pass(5_000);
    expect(submitted()).toEqual(['place 1', 'cancel 1']);
  });

  test('fails at once if no order rests', async () => {
    await pass(1);
    breaking();
    await pass(0);
    expect(ending).toEqual({ kind: 'failed', error: broken, settled: true });
    expect(submitted()).toEqual([]);
  });

  test('makes a stop and further failures have no effect', async () => {
    await resting();
    breaking();
    run.fail(new Error('a rejection in the same turn'));
    await pass(0);
    run.stop('enough');
    run.fail(new Error('a rejection while it closes'));
    run.fail(new Error('and one more'));
    await pass(5_000);
    expect([submitted(), ending]).toEqual([['place 1', 'cancel 1'], undefined]);
    await gone();
    expect(ending).toMatchObject({ kind: 'failed', settled: true });
  });
});

describe('an engine that keeps failing', () => {
  test('is no longer used: resting orders are cancelled, and those that open later too', async () => {
    const world = new World([BTC]);
    let mistake: TypeError | undefined;
    let ids = 1;
    const check = (): undefined => {
      if (mistake !== undefined) throw mistake;
    };
    const rules = { gates: [{ name: 'ours', check }], guards: [] };
    const engine = new Engine({ world, decide: () => [QUOTE], rules, nextClientOrderId: () => String(ids++) });
    const other = new FakeVenue(clock);
    const failing = startRun({ clock, venue: other, world, engine });
    const sent = (): string[] => other.submitted.flat().map(({ kind, clientOrderId }) => `${kind} ${clientOrderId}`);
    await pass(1);
    other.fresh();
    await pass(0);
    expect(sent()).toEqual(['place 1']);
    mistake = new TypeError('a mistake in a gate');
    await pass(2_000);
    other.report({ kind: 'orderOpened', clientOrderId: '1', actionId: '1', orderId: 'x1', taken: [], resting: lots(100) });
    await pass(5_000);
    expect(sent().filter((text) => text === 'cancel 1').length).toBeGreaterThanOrEqual(1);
    await pass(90_000);
    expect(await failing.done).toMatchObject({ kind: 'failed', settled: false });
  });
});

describe('a gateway', () => {
  test('that finds that the signed bytes differ from the approved action ends the run', async () => {
    const mismatch = new AssertionError('signed is not approved');
    await resting();
    decide = () => [{ ...QUOTE, bids: [] }];
    venue.onSubmit = () => {
      venue.onSubmit = () => undefined;
      throw mismatch;
    };
    venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
    await pass(1);
    venue.account({ orders: [listed], updateId: 5 });
    await pass(1);
    expect(submitted()).toEqual(['place 1', 'cancel 1', 'cancel 1']);
    await pass(90_000);
    expect(ending).toEqual({ kind: 'failed', error: mismatch, settled: false });
  });

  test('that cannot send anything does not prevent the end of the run', async () => {
    const mismatch = new AssertionError('signed is not approved');
    await resting();
    decide = () => [{ ...QUOTE, bids: [] }];
    venue.onSubmit = () => {
      throw mismatch;
    };
    venue.report({ kind: 'fillsSeen', asked: clock.now(), fills: [] });
    await pass(91_000);
    expect(ending).toEqual({ kind: 'failed', error: mismatch, settled: false });
  });

  test('whose events fail ends the run as well', async () => {
    await resting();
    const broken = new Error('stream broken');
    venue.break(broken);
    await pass(0);
    expect(submitted()).toEqual(['place 1', 'cancel 1']);
    await pass(2_001);
    expect(ending).toEqual({ kind: 'failed', error: broken, settled: false });
  });
});

describe('a record that fails to be written', () => {
  test('ends the run before an action of that turn is sent', async () => {
    const full = new Error('ENOSPC: no space left on device');
    await pass(1);
    decide = () => [QUOTE];
    record = () => {
      throw full;
    };
    venue.fresh();
    await pass(1);
    expect(submitted()).toEqual([]);
    expect(ending).toEqual({ kind: 'failed', error: full, settled: true });
  });
});
