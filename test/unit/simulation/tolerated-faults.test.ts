// The faults that excuse a wrong report of the bot, how narrowly, and the alarm that it must raise; and the invariants of foreign orders and of a listing
// that changes.
import { describe, expect, test } from 'vitest';
import { SimDisk } from '../../../src/research/simulation/environment/disk/sim-disk.ts';
import type { Invariant, MakeCheck, Process, Scene } from '../../../src/research/simulation/environment/scene.ts';
import { hostedFormat } from '../../../src/research/simulation/exchanges/hosted/format.ts';
import { foreignOrders } from '../../../src/research/simulation/invariants/foreign-orders.ts';
import { listing } from '../../../src/research/simulation/invariants/listing.ts';
import { orders } from '../../../src/research/simulation/invariants/orders.ts';
import { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';
import type { InjectedFault } from '../../../src/research/simulation/plan/faults.ts';
import { DurableRecord } from '../../../src/research/simulation/record/durable-record.ts';
import type { SignedAction } from '../../../src/research/simulation/record/signed-action.ts';
import { ToleratedFaults } from '../../../src/research/simulation/record/tolerated-faults.ts';
import { ActionCodec } from '../../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';

const moment = (kind: InjectedFault['kind'], from: number, until = from): InjectedFault => ({ id: kind, kind, from, until });

function tolerating(plan: readonly InjectedFault[] = []) {
  const time = { now: 10_000 };
  const now = () => time.now;
  const record = new DurableRecord({ now, onNewLine: () => undefined });
  const faults = new FaultBox({ plan, seed: 's', now, onStruck: () => undefined });
  const tolerated = new ToleratedFaults({ now, faults, record, longestLag: 2_000 });
  const report = (status: string, reason?: string): void =>
    record.printed({
      kind: 'order',
      at: '',
      clientOrderId: '7',
      market: 'BTCUSDC',
      side: 'bid',
      price: '1',
      size: '1',
      fillMode: 'LIMIT',
      status,
      reason,
    } as never);
  return { time, now, record, faults, tolerated, report };
}

const signedAction = (more: Partial<SignedAction> = {}): SignedAction =>
  ({
    action: { kind: 'placeOrder', clientOrderId: '7', marketId: 0 },
    sentAt: 5_000,
    arrivals: 1,
    executions: [{}],
    forgotten: false,
    misanswered: false,
    ...more,
  }) as unknown as SignedAction;

describe('an order that is executed after it was reported as ended', () => {
  const ABSENT = 'never reached the book';

  test.each<[string, InjectedFault[], [string, string?], Partial<SignedAction>, string | undefined]>([
    ['needs no excuse if it was reported as open', [], ['open'], {}, undefined],
    ['is a mistake of the bot', [], ['cancelled', ABSENT], {}, undefined],
    ['is a ghost if time went back after it was sent', [moment('backward', 8_000)], ['cancelled', ABSENT], {}, 'ghost'],
    ['is no ghost if time went back before', [moment('backward', 4_000)], ['cancelled', ABSENT], {}, undefined],
    ['is no ghost if it was cancelled at the exchange', [moment('backward', 8_000)], ['cancelled', 'cancelled by us'], {}, undefined],
    ['may be a copy of a refused request', [], ['rejected', 'MAINTENANCE'], { arrivals: 2 }, 'copy'],
    ['is no copy if only other requests were copied', [moment('duplicate', 0, 99_000)], ['rejected', 'MAINTENANCE'], {}, undefined],
    ['may rest if the refusal was that of another action', [], ['rejected', 'MAINTENANCE'], { misanswered: true }, 'mixed'],
    ['is not excused by such a refusal if it was reported otherwise', [], ['cancelled', ABSENT], { misanswered: true }, undefined],
    [
      'may be executed again by an exchange that forgot its duplicates',
      [],
      ['filled'],
      { executions: [{}, {}] as never, forgotten: true },
      'again',
    ],
    ['may not if the exchange forgot nothing', [], ['filled'], { executions: [{}, {}] as never }, undefined],
  ])('%s', (_, plan, line, more, why) => {
    const { tolerated, report } = tolerating(plan);
    report(...line);
    expect(tolerated.forExecution(signedAction(more))).toBe(why);
  });
});

test('an old account excuses only its process, until ten seconds after it received a newer one', () => {
  const { time, tolerated } = tolerating();
  tolerated.sawAge(1, 2_000);
  expect(tolerated.isMisled(1)).toBe(false);
  tolerated.sawAge(1, 2_001);
  time.now = 100_000;
  expect([tolerated.isMisled(1), tolerated.isMisled(2)]).toEqual([true, false]);
  tolerated.sawAge(1, 2_001);
  tolerated.sawAge(1, 0);
  time.now = 110_000;
  expect(tolerated.isMisled(1)).toBe(true);
  time.now = 110_001;
  expect(tolerated.isMisled(1)).toBe(false);
});

test('a failing disk excuses what was written meanwhile, and for two more seconds', () => {
  const { tolerated } = tolerating([moment('diskFull', 5_000, 8_000)]);
  expect([4_999, 5_000, 10_000, 10_001].map((at) => tolerated.isDiskBad(at))).toEqual([false, true, true, false]);
});

function checking(make: MakeCheck, parts: object): { readonly check: Invariant; readonly complaints: string[] } {
  const complaints: string[] = [];
  const scene = {
    reached: () => undefined,
    fail: (invariant: string, message: string) => complaints.push(`${invariant} ${message}`),
    ...parts,
  };
  return { check: make(scene as unknown as Scene), complaints };
}
const processWith = (...ids: string[]): Process =>
  ({ number: 1, trading: { run: { world: { orders: () => ids.map((clientOrderId) => ({ clientOrderId })) } } } }) as unknown as Process;
const turnOf = (event: object, alarms: readonly object[] = []) =>
  ({ events: [event], alarms, actions: [], changes: [], intents: [] }) as never;
const accountOf = (updateId: string, ids: readonly string[]) => ({
  kind: 'accountSeen',
  account: { updateId, orders: ids.map((id) => ({ orderId: `x${id}`, clientOrderId: id })) },
});
const accountWith = (...ids: string[]) => accountOf('9', ids);

/** A turn with an account that the bot believes: it knows these orders. */
function believes(
  check: Invariant,
  event: ReturnType<typeof accountOf>,
  { ids = [] as readonly string[], number = 1, alarms = [] as readonly object[] } = {},
): void {
  const world = { orders: () => ids.map((clientOrderId) => ({ clientOrderId })), account: { value: event.account } };
  check.turn?.(turnOf(event, alarms), { number, trading: { run: { world } } } as unknown as Process);
}

function expecting() {
  const { tolerated, record, report, time, now } = tolerating();
  report('cancelled', 'never reached the book');
  tolerated.sawAccount(1, 8);
  tolerated.expectAlarm({ clientOrderId: '7', market: 0, why: 'ghost' });
  const truth = {
    isCopy: () => false,
    restingPlacement: () => signedAction(),
    outcomes: () => new Map(),
    clientIds: () => [],
    undone: { orders: new Set() },
    misread: new Map(),
  };
  const check = checking(orders, {
    options: { rules: { receipts: 'full' } },
    tolerated,
    record,
    now,
    disk: new SimDisk(),
    venue: { truth, exchange: { markets: [] }, api: hostedFormat(new ActionCodec(bundledSchema())), actionOf: Number },
  });
  time.now += 10_001;
  return { ...check, tolerated, record };
}

/** The violations for an order whose process died when it was placed, and which the next process has with that status; `gone`: no more in its book. */
function ending(
  status: string,
  { rolledBack = true, alarm = true, agrees = false, settled = false, rests = false } = {},
): readonly string[] {
  const { tolerated, record, report } = tolerating();
  report('placed'); // and its process died
  if (rolledBack) tolerated.rolledBack();
  if (alarm) record.printed({ kind: 'alarm', at: '', alarm: 'position', reason: '' } as never);
  const outcomes = () => new Map(rests ? [['7', { executed: 1, filled: 0, open: true }]] : []);
  const truth = { isCopy: () => false, outcomes, clientIds: () => [], undone: { orders: new Set() }, misread: new Map() };
  const { check, complaints } = checking(orders, {
    tolerated,
    record,
    venue: {
      truth,
      exchange: { markets: [{ id: 0, symbol: 'BTCUSDC', parseSize: Number }] },
      api: hostedFormat(new ActionCodec(bundledSchema())),
      actionOf: Number,
    },
  });
  const listed = status === 'gone' ? [] : [{ clientOrderId: '7', market: 0, status }];
  const world = { orders: () => listed, settled, unexplained: () => (agrees ? undefined : {}) };
  check.started?.({ number: 2, trading: { run: { world } } } as never);
  check.quiescent?.();
  return complaints;
}

describe('an order without an answer', () => {
  const Reported = [expect.stringMatching(/^V4 .* placed .*all has ended/)];

  test('needs no end while a rollback has left the position unexplained, whichever process reported last', () =>
    expect(ending('unknown')).toEqual([]));

  test('needs no end if it is gone and the process ended before it knew how, meanwhile', () => expect(ending('gone')).toEqual([]));

  test.each<[string, string, object]>([
    ['it is gone, and the process knew how each of its orders had ended', 'gone', { settled: true }],
    ['it is gone for the process, and rests', 'gone', { rests: true }],
    ['the next process has it as open', 'open', {}],
    ['there was no rollback', 'unknown', { rolledBack: false }],
    ['no alarm was raised', 'unknown', { alarm: false }],
    ['the position is explained again', 'unknown', { agrees: true }],
  ])('needs an end if %s', (_, status, how) => expect(ending(status, how)).toEqual(Reported));
});

/** The violations for a refused order of which a copy is executed: while a process lives, or after the run has ended. */
function copied({ hasRunEnded, arrivals = 2 }: { readonly hasRunEnded: boolean; readonly arrivals?: number }): readonly string[] {
  const { tolerated, record, report } = tolerating();
  report('rejected', 'MAINTENANCE');
  tolerated.hasRunEnded = hasRunEnded;
  const fate = { executed: 1, filled: 1, open: false };
  const truth = {
    isCopy: () => false,
    outcomes: () => new Map([['7', fate]]),
    placements: () => [signedAction({ arrivals })],
    clientIds: () => [],
    undone: { orders: new Set() },
    misread: new Map(),
  };
  const { check, complaints } = checking(orders, {
    tolerated,
    record,
    venue: { truth, exchange: { markets: [] }, api: hostedFormat(new ActionCodec(bundledSchema())), actionOf: Number },
  });
  check.answered?.({ kind: 'placeOrder', clientOrderId: '7', marketId: 0 } as never, { kind: 'placeOrder' } as never, arrivals);
  check.quiescent?.();
  return complaints;
}

describe('a copy of a refused order', () => {
  test('needs no alarm after the run has ended', () => expect(copied({ hasRunEnded: true })).toEqual([]));

  test('needs an alarm while a process lives', () =>
    expect(copied({ hasRunEnded: false })).toEqual([expect.stringMatching(/^V4 order 7 .*it was executed, and 1 of it filled/)]));

  test.each([
    [2, 'MAINTENANCE', true],
    [2, 'DUPLICATE', false],
    [1, 'MAINTENANCE', false],
  ])('that took at once is expected to be reported (arrivals: %i, %s)', (arrivals, reason, isExpected) => {
    const { tolerated, record } = tolerating();
    const truth = { restingPlacement: () => undefined, placements: () => [signedAction({ arrivals })], undone: { orders: new Set() } };
    const { check, complaints } = checking(orders, { tolerated, record, venue: { truth } });
    const order = { clientOrderId: '7', market: 0 };
    const turn = { events: [], alarms: [], actions: [], intents: [], changes: [{ order, status: 'rejected', reason }] };
    check.turn?.(turn as never, processWith());
    expect([tolerated.isAlarmPending(0), complaints]).toEqual([isExpected, []]);
  });

  test('is no excuse for an order that was sent once, even after the end', () =>
    expect(copied({ hasRunEnded: true, arrivals: 1 })[0]).toMatch(/^V4 order 7 was reported as rejected .*, and is executed/));
});

/** The violations for two orders whose processes died before an answer, if the trade of '8' was attributed to '7'. */
function taking({
  price = '99',
  side = 'ask',
  owner = undefined as string | undefined,
  later = false,
  byHand = false,
  end = { status: 'filled', reason: undefined as string | undefined },
} = {}): readonly string[] {
  const { tolerated, record, time } = tolerating();
  const line = { kind: 'order', at: '', market: 'BTCUSDC', side: 'ask', size: '2', fillMode: 'IMMEDIATE_OR_CANCEL' };
  const report = (more: object): void => record.printed({ ...line, ...more } as never);
  report({ clientOrderId: '7', price, side, status: 'placed' });
  if (later) report({ clientOrderId: '7', price, side, ...end });
  time.now += 25_000;
  report({ clientOrderId: '8', price: '98', status: 'placed' });
  const fill = { kind: 'fill', at: '', market: 'BTCUSDC', side: 'ask', price: '100', size: '2', role: 'taker', orderId: '5', tradeId: '3' };
  record.printed({ ...fill, clientOrderId: owner } as never);
  time.now += 25_000;
  if (!later) report({ clientOrderId: '7', price, side, ...end });
  report({ clientOrderId: '8', price: '98', status: 'cancelled', reason: 'never reached the book' });
  const fate = { executed: 1, filled: 2, open: false };
  const truth = {
    outcomes: () => (byHand ? new Map() : new Map([['8', fate]])),
    isByHand: () => byHand,
    isCopy: () => false,
    placements: (id: string) => (id === '8' && !byHand ? [{ executions: [{ receipt: { actionId: '6' } }] }] : []),
    trades: () => [{ actionId: '6', tradeId: '3', takerSide: 'ask' }],
    clientIds: () => [],
    undone: { orders: new Set() },
    misread: new Map(),
  };
  const markets = [{ symbol: 'BTCUSDC', parseSize: Number }];
  const options = { rules: { receipts: 'full' } };
  const { check, complaints } = checking(orders, {
    options,
    tolerated,
    record,
    venue: { truth, exchange: { markets }, api: hostedFormat(new ActionCodec(bundledSchema())), actionOf: Number },
  });
  check.quiescent?.();
  return complaints;
}

describe('a trade that was attributed to another order of ours', () => {
  const BOTH = [expect.stringMatching(/^V4 order 7 .*0 of it filled/), expect.stringMatching(/^V4 order 8 .*all of it filled/)];

  test('is no violation if both orders could have made it and no answer named one', () => expect(taking()).toEqual([]));

  test.each<[string, Parameters<typeof taking>[0]]>([
    ['its price was worse than the limit of the other', { price: '101' }],
    ['the other was on the other side', { side: 'bid' }],
    ['its order was known when it was journaled', { owner: '8' }],
    ['the other was over before it', { later: true }],
  ])('makes both reports wrong if %s', (_, how) => expect(taking(how)).toEqual(BOTH));

  test('is no violation if the other was reported as gone from the book, and was never executed', () => {
    const gone = { status: 'cancelled', reason: 'gone from the book without our cancel' };
    expect(taking({ end: gone })).toEqual([]);
    expect(taking({ end: { ...gone, reason: 'never reached the book' } })).toEqual([BOTH[1]]);
  });

  test('is no violation if a person made it while the order was undecided', () => {
    expect(taking({ byHand: true })).toEqual([]);
    expect(taking({ byHand: true, later: true })).toEqual([BOTH[0]]);
    expect(taking({ byHand: true, price: '101' })).toEqual([BOTH[0]]);
  });
});

describe('an order that was reported as ended and rests', () => {
  test('needs nothing while no account lists it', () => {
    const { check, complaints, tolerated } = expecting();
    believes(check, accountWith('8'));
    expect([complaints, tolerated.isAlarmPending(0)]).toEqual([[], true]);
  });

  test('must be taken over once an account lists it', () => {
    const { check, complaints } = expecting();
    believes(check, accountWith('7'));
    expect(complaints).toEqual([expect.stringMatching(/^V4 .*does not take it over/)]);
  });

  test('needs nothing after an account with an old number, or from a process that has just begun', () => {
    const { check, complaints } = expecting();
    believes(check, accountOf('8', ['7']));
    believes(check, accountWith('7'), { number: 2 });
    expect(complaints).toEqual([]);
  });

  test('needs nothing after an account that the bot does not believe to be its own, which shows it nothing', () => {
    const { check, complaints, tolerated } = expecting();
    check.turn?.(turnOf(accountWith('7')), processWith());
    expect([complaints, tolerated.newest(1)]).toEqual([[], 8]);
    believes(check, accountWith());
    expect(tolerated.newest(1)).toBe(9);
  });

  test('needs an alarm', () => {
    const { check, complaints } = expecting();
    believes(check, accountWith('7'), { ids: ['7'] });
    expect(complaints).toEqual([expect.stringMatching(/^V22 .*no alarm was raised/)]);
  });

  test('needs a stricter mode after a ghost alarm', () => {
    const { check, complaints, record } = expecting();
    const alarm = { name: 'ghost', reason: 'order 7 is listed at the exchange' };
    believes(check, accountWith('7'), { ids: ['7'], alarms: [alarm] });
    expect(complaints).toEqual([]);
    record.printed({ kind: 'alarm', at: '', alarm: 'ghost', reason: alarm.reason } as never);
    check.quiescent?.();
    expect(complaints.at(-1)).toMatch(/^V22 an order turned up whose absence had been proved/);
  });
});

const foreignOrderCheck = ({ withdrawn = [] as readonly string[], rests = true, ours = [] as readonly string[] } = {}) =>
  checking(foreignOrders, {
    record: { orders: new Map(ours.map((id) => [id, id])) },
    venue: { truth: { others: new Map([['x1', '5']]), rests: () => rests }, manualTrader: { withdrawn: new Set(withdrawn) } },
  });

function violationsOfCancel(given: Parameters<typeof foreignOrderCheck>[0]): readonly string[] {
  const { check, complaints } = foreignOrderCheck(given);
  check.sent?.({ action: { kind: 'cancelOrder', orderId: 'x1' } } as never, processWith());
  return complaints;
}

describe('the orders of a person', () => {
  test('need an alarm if they appear during the run', () => {
    const { check, complaints } = foreignOrderCheck();
    check.turn?.(turnOf(accountWith()), processWith());
    check.turn?.(turnOf(accountWith('1')), processWith());
    expect(complaints).toEqual([expect.stringMatching(/^V22/)]);
  });

  test('are no violation if they rested before, or an alarm was raised', () => {
    const { check, complaints } = foreignOrderCheck();
    check.turn?.(turnOf(accountWith('1')), processWith());
    check.turn?.(turnOf(accountWith('1')), processWith());
    const other = foreignOrderCheck();
    other.check.turn?.(turnOf(accountWith()), processWith());
    other.check.turn?.(turnOf(accountWith('1'), [{ name: 'company' }]), processWith());
    expect([complaints, other.complaints]).toEqual([[], []]);
  });

  const terms = { market: 0, side: 'bid', price: 100 };
  const theirs = { orderId: 'x1', ...terms, originalSize: 5 };
  /** The violations if the bot takes that listed order of a person for its own and cancels it, after accounts listed these client order ids. */
  function violationsOfMistaking(listed: object, { named = [] as readonly string[], order = {} } = {}): readonly string[] {
    const { check, complaints } = foreignOrderCheck({ ours: ['7'] });
    check.turn?.(turnOf(accountWith(...named)), processWith());
    const taken = {
      events: [{ kind: 'accountSeen', account: { orders: [listed] } }],
      alarms: [],
      changes: [{ order: { orderId: 'x1', ...terms, size: 5, ...order }, status: 'open' }],
    };
    check.turn?.(taken as never, processWith());
    check.sent?.({ action: { kind: 'cancelOrder', orderId: 'x1' } } as never, processWith());
    return complaints;
  }
  const bothRules = [expect.stringMatching(/^V22/), expect.stringMatching(/^V19/)];

  test('may be taken for ours on the same terms, until an account has listed a client order id of ours', () => {
    expect(violationsOfMistaking(theirs)).toEqual([]);
    expect(violationsOfMistaking(theirs, { named: ['7'] })).toEqual(bothRules);
  });

  test.each([
    ['price', { price: 101 }],
    ['side', { side: 'ask' }],
    ['size', { size: 6 }],
    ['market', { market: 1 }],
  ])('must not be taken for ours if the %s differs', (_, order) => {
    expect(violationsOfMistaking(theirs, { order })).toEqual(bothRules);
  });

  test('must not be taken for ours if the account lists a client order id of someone else', () => {
    expect(violationsOfMistaking({ ...theirs, clientOrderId: '99' })).toEqual(bothRules);
  });

  test('must not be cancelled', () => {
    const { check, complaints } = foreignOrderCheck();
    check.sent?.({ action: { kind: 'cancelOrder', orderId: 'x2' } } as never, processWith());
    expect(complaints).toEqual([]);
    check.sent?.({ action: { kind: 'cancelOrder', orderId: 'x1' } } as never, processWith());
    expect(complaints).toEqual([expect.stringMatching(/^V19/)]);
  });

  test('may be cancelled because of an old account if the person had withdrawn them before', () => {
    expect(violationsOfCancel({ withdrawn: ['x1'], rests: false })).toEqual([]);
    expect(violationsOfCancel({ withdrawn: ['x1'], rests: true })).toEqual([expect.stringMatching(/^V19/)]);
    expect(violationsOfCancel({ rests: false })).toEqual([expect.stringMatching(/^V19/)]);
  });
});

test('nothing may be signed with terms that are known to have changed, or that were not checked for long', () => {
  let now = 0;
  const { check, complaints } = checking(listing, {
    ...tolerating(),
    venue: { api: hostedFormat(new ActionCodec(bundledSchema())), clockNow: () => now, truth: { open: () => [], misread: new Map() } },
  });
  const receive = (text: string): void =>
    check.received?.(
      { method: 'GET', path: '/info' },
      { status: 200, contentType: '', body: new TextEncoder().encode(JSON.stringify({ markets: [text] })) },
      { asked: now, altered: false, by: processWith() },
    );
  const place = (): void => check.sent?.({ action: { kind: 'placeOrder', clientOrderId: '7' } } as never, processWith());
  receive('one');
  now = 83_000;
  place();
  receive('two');
  now += 3_500;
  place();
  expect(complaints).toEqual([]);
  now += 1;
  place();
  expect(complaints).toEqual([expect.stringMatching(/^V19/)]);
  receive('one');
  now += 90_000;
  place();
  expect(complaints.slice(1)).toEqual([expect.stringMatching(/^V8/)]);
});
