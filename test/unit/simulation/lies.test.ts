// Lies of the exchange: what each changes in a reply, which may be active together, and what the invariants say about a bot that believes one.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import type { HttpReply, HttpRequest } from '../../../src/base/transport/transport.ts';
import { openJournal } from '../../../src/bot/journal/journal.ts';
import { checkpointOf } from '../../../src/bot/run/state/checkpoint.ts';
import type { Entry } from '../../../src/bot/run/state/entries.ts';
import { Lies } from '../../../src/research/simulation/environment/network/lies.ts';
import type { Process, Scene } from '../../../src/research/simulation/environment/scene.ts';
import { operations } from '../../../src/research/simulation/invariants/endings.ts';
import { irreversible, RESUMES_WITHIN, resumption } from '../../../src/research/simulation/invariants/resumption.ts';
import { sessions } from '../../../src/research/simulation/invariants/sessions.ts';
import { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';
import { type InjectedFault, LIE_KINDS } from '../../../src/research/simulation/plan/faults.ts';
import { LIE_NAMES, LIES, type LieName } from '../../../src/research/simulation/plan/lie-table.ts';
import { liesOf, mayPair } from '../../../src/research/simulation/plan/lies.ts';
import { optionsOf } from '../../../src/research/simulation/plan/options.ts';
import { planOf } from '../../../src/research/simulation/plan/plan.ts';
import { Truth } from '../../../src/research/simulation/record/truth.ts';
import type { Receipt, WireAction } from '../../../src/venues/wire/codec.ts';
import { MemoryDisk } from '../journal/memory-disk.ts';
import { orderLine } from '../venues/operate/order-line.ts';

const replyOf = (text: string): HttpReply => ({ status: 200, contentType: '', body: new TextEncoder().encode(text) });
const get = (path: string): HttpRequest => ({ method: 'GET', path });
const lie = (detail: LieName, more: Partial<InjectedFault> = {}): InjectedFault => ({
  id: detail,
  kind: 'lie',
  from: 0,
  until: 60_000,
  detail,
  ...more,
});

const ORDER = { orderId: 1, marketId: 0, side: 'bid' };
const ACCOUNT = {
  updateId: 7,
  balances: [{ tokenId: 0, amount: 100 }],
  positions: [{ marketId: 0, openOrders: 3, perp: { baseSize: 0.0083, isLong: true }, actionId: 5 }],
  orders: [ORDER, { ...ORDER, orderId: 2, side: 'ask' }, { ...ORDER, orderId: 3 }],
  margins: { omf: 9, mf: 10, mmf: 1, bankruptcy: false },
};
const STRANGERS = { ...ACCOUNT, updateId: 99, orders: [{ ...ORDER, orderId: 50 }], positions: [] };
const TRADE = { tradeId: 4, makerId: 3, takerId: 8, price: 60_012.3, baseSize: 0.1, makerFee: 0.5, takerFee: 1 };
const TRADES = { items: [TRADE], nextStartInclusive: null };
const HISTORY = {
  items: [
    { orderId: 1, finalizationReason: null },
    { orderId: 9, finalizationReason: 'Filled' },
  ],
  nextStartInclusive: 5,
};

/** The replies of an exchange that lies. */
function liarOf(plan: readonly InjectedFault[]) {
  const time = { now: 0 };
  const struck: string[] = [];
  const faults = new FaultBox({ plan, seed: 's', now: () => time.now, onStruck: ({ id }) => void struck.push(id) });
  const lies = new Lies({ faults, stranger: () => ({ id: 42, reply: replyOf(JSON.stringify(STRANGERS)) }) });
  const shown = (path: string, value: unknown): HttpReply => lies.shown(get(path), replyOf(JSON.stringify(value)));
  return {
    time,
    struck,
    lies,
    shown,
    read: (path: string, value: unknown): unknown => JSON.parse(new TextDecoder().decode(shown(path, value).body)),
  };
}

const [position] = ACCOUNT.positions;
const ofPerp = (perp: object | null): object => ({ positions: [{ ...position, perp }] });
const counted = (openOrders: number): object => ({ positions: [{ ...position, openOrders }] });

describe('a lie about the account', () => {
  test.each<[LieName, number | undefined, object]>([
    ['noOrders', undefined, { orders: [] }],
    ['halfOfOrders', undefined, { orders: [ACCOUNT.orders[0], ACCOUNT.orders[2]] }],
    ['noAsks', undefined, { orders: [ACCOUNT.orders[0], ACCOUNT.orders[2]] }],
    ['noBids', undefined, { orders: [ACCOUNT.orders[1]] }],
    ['noOrdersCounted', undefined, { orders: [], ...counted(0) }],
    ['halfOfOrdersCounted', undefined, { orders: [ACCOUNT.orders[0], ACCOUNT.orders[2]], ...counted(2) }],
    ['noAsksCounted', undefined, { orders: [ACCOUNT.orders[0], ACCOUNT.orders[2]], ...counted(2) }],
    ['noBidsCounted', undefined, { orders: [ACCOUNT.orders[1]], ...counted(1) }],
    ['wrongCounts', -1, counted(2)],
    ['positionReversed', undefined, ofPerp({ baseSize: 0.0083, isLong: false })],
    ['positionFlat', undefined, ofPerp(null)],
    ['positionTimes', 3, ofPerp({ baseSize: 0.0249, isLong: true })],
    ['balancesZero', undefined, { balances: [{ tokenId: 0, amount: 0 }] }],
    ['balancesTimes', 0.5, { balances: [{ tokenId: 0, amount: 50 }] }],
    ['marginsZero', undefined, { margins: { omf: 0, mf: 0, mmf: 0, bankruptcy: false } }],
    ['bankrupt', undefined, { margins: { ...ACCOUNT.margins, bankruptcy: true } }],
    ['marginsShort', undefined, { margins: { ...ACCOUNT.margins, mf: 1, mmf: 2 } }],
    ['strangersAccount', undefined, { ...STRANGERS, updateId: 7 }],
    ['numbersAnew', undefined, { updateId: '1' }],
    ['numbersLeap', undefined, { updateId: String(2n ** 60n + 7n) }],
  ])('%s', (name, amount, changed) => {
    expect(liarOf([lie(name, { amount })]).read('/account/3', ACCOUNT)).toEqual({ ...ACCOUNT, ...changed });
  });

  test('positionOld: the position is that of the first reply, the counts are true', () => {
    const { read } = liarOf([lie('positionOld')]);
    expect(read('/account/3', ACCOUNT)).toEqual(ACCOUNT);
    const later = { ...ACCOUNT, positions: [{ ...position, openOrders: 1, perp: { baseSize: 5, isLong: false } }] };
    expect(read('/account/3', later)).toEqual({ ...ACCOUNT, ...counted(1) });
  });
});

test.each<[LieName, number | undefined, object]>([
  ['tradePrices', 1e-4, { items: [{ ...TRADE, price: 6 }] }],
  ['tradePrices', 100, { items: [{ ...TRADE, price: 6_001_230 }] }],
  ['tradeFees', 90_000, { items: [{ ...TRADE, makerFee: 90_000, takerFee: 90_000 }] }],
  ['tradeRoles', undefined, { items: [{ ...TRADE, makerId: 8, takerId: 3 }] }],
  ['tradesOfStranger', undefined, { items: [{ ...TRADE, makerId: 42, takerId: 42 }] }],
  ['tradesTwice', undefined, { items: [TRADE, { ...TRADE, tradeId: 1_000_000_004 }] }],
])('a lie about our trades: %s %s', (name, amount, changed) => {
  const { read } = liarOf([lie(name, { amount })]);
  expect(read('/trades?makerId=3&pageSize=50', TRADES)).toEqual({ ...TRADES, ...changed });
  expect(read('/trades?marketId=0&pageSize=50', TRADES)).toEqual(TRADES);
});

test.each<[LieName, unknown]>([
  ['historyEmpty', { items: [], nextStartInclusive: null }],
  ['historyCancelled', { ...HISTORY, items: [{ orderId: 1, finalizationReason: 'Canceled' }, HISTORY.items[1]] }],
  ['historyOpen', { ...HISTORY, items: [HISTORY.items[0], { orderId: 9, finalizationReason: null }] }],
])('a lie about the history of orders: %s', (name, changed) => {
  expect(liarOf([lie(name)]).read('/account/3/orders?pageSize=50', HISTORY)).toEqual(changed);
});

test('a lie about the published schema changes its text, and nothing else', () => {
  const text = 'message PlaceOrder {\n  bool is_reduce_only = 36;\n}';
  const read = (name: LieName): string =>
    new TextDecoder().decode(liarOf([lie(name)]).lies.shown(get('/schema.proto'), replyOf(text)).body);
  expect([read('schemaWithoutMark'), read('schemaOtherField')]).toEqual([
    text.replace('bool is_reduce_only = 36;', ''),
    text.replace('bool is_reduce_only', 'uint32 slippage_bps'),
  ]);
});

test('a number that a lie has made has the true one', () => {
  const { read, lies } = liarOf([lie('numbersAnew')]);
  const shown = [7, 9].map((updateId) => (read('/account/3', { ...ACCOUNT, updateId }) as { readonly updateId: string }).updateId);
  expect([shown, shown.map((number) => lies.numberOf(number)), lies.numberOf('12')]).toEqual([['1', '3'], [7, 9], 12]);
});

test('a lie about the time, in seconds or milliseconds', () => {
  expect(liarOf([lie('timeAhead', { amount: 63 })]).read('/timestamp', 1_767_614_400)).toBe(1_767_614_463);
  expect(liarOf([lie('timeBehind', { amount: 3 })]).read('/timestamp', 1_767_614_400_000)).toBe(1_767_614_397_000);
});

test('lies are the same in every reply while they last, at their endpoint alone, and are counted once', () => {
  const { time, struck, lies, shown, read } = liarOf([lie('noOrders', { from: 10, until: 20 }), lie('bankrupt', { from: 10, until: 30 })]);
  expect(read('/account/3', ACCOUNT)).toEqual(ACCOUNT);
  time.now = 10;
  const both = { ...ACCOUNT, orders: [], margins: { ...ACCOUNT.margins, bankruptcy: true } };
  expect([read('/account/3', ACCOUNT), read('/account/3', ACCOUNT), read('/timestamp', 5)]).toEqual([both, both, 5]);
  expect(struck).toEqual(['noOrders', 'bankrupt']);
  expect(lies.isLie(shown('/account/3', ACCOUNT))).toBe(true);
  time.now = 20;
  expect(read('/account/3', ACCOUNT)).toEqual({ ...both, orders: ACCOUNT.orders });
  time.now = 30;
  expect(lies.isLie(shown('/account/3', ACCOUNT))).toBe(false);
});

describe('the plan of the profile', () => {
  const plans = Array.from({ length: 200 }, (_, seed) => liesOf(rngFrom(String(seed)), { faultyMs: 300_000 }));
  const [all, drawn] = [plans.flat(), plans.map((plan) => plan.filter(({ kind }) => kind === 'lie'))];

  test('has every lie and every way to be closed, and lies of 5 to 120 s', () => {
    expect(new Set(drawn.flat().map(({ detail }) => detail))).toEqual(new Set(LIE_NAMES));
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set([...LIE_KINDS, 'latch']));
    const spans = drawn.flat().flatMap(({ from, until }) => (until === 300_000 ? [] : [until - from]));
    expect([Math.min(...spans) >= 5_000, Math.max(...spans) <= 120_000]).toEqual([true, true]);
  });

  test('leaves a witness: the position and our trades are never wrong together, nor is one field wrong twice', () => {
    for (const lies of drawn.map((some) => some.filter(({ id }) => id !== 'lie/apart')))
      for (const a of lies)
        for (const b of lies)
          if (a !== b && a.from < b.until && b.from < a.until)
            expect([a, b, mayPair(a.detail as LieName, b.detail as LieName)][2]).toBe(true);
    expect(mayPair('positionFlat', 'tradesOfStranger')).toBe(false);
    expect(mayPair('strangersAccount', 'noOrders')).toBe(false);
    expect(mayPair('positionFlat', 'positionTimes')).toBe(false);
    expect([mayPair('noOrdersCounted', 'historyEmpty'), mayPair('noOrders', 'timeAhead'), mayPair('bankrupt', 'tradeFees')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('shows a first start no account that is wholly another', () => {
    const atStart = drawn.flat().filter(({ from }) => from === 0);
    expect(atStart.length).toBeGreaterThan(20);
    expect(atStart.filter(({ detail }) => detail === 'strangersAccount')).toEqual([]);
  });

  test('has other faults in a third of the seeds', () => {
    const lossy = Array.from({ length: 100 }, (_, seed) =>
      planOf(optionsOf({ seed: String(seed), profile: 'liar', strategy: 'grid' })),
    ).filter((plan) => plan.some(({ kind }) => !LIE_KINDS.includes(kind) && kind !== 'latch'));
    expect(Math.abs(lossy.length - 33)).toBeLessThan(15);
  });

  test('takes the session from some runs, at a moment, and misnames new ones in others', () => {
    const faults = all.filter(({ kind }) => kind === 'session');
    expect(new Set(faults.map(({ detail }) => detail))).toEqual(new Set(['taken', 'misnamed']));
    expect(faults.filter(({ detail, from, until }) => (detail === 'taken') !== (from === until))).toEqual([]);
  });

  test('names endpoints that the table knows', () => {
    for (const { detail, path, amount } of drawn.flat()) {
      const terms = LIES[detail as LieName];
      expect(path).toBe(terms.path);
      if ('amounts' in terms) expect(terms.amounts).toContain(amount);
    }
  });
});

/** A scene that collects violations. */
function sceneOf(plan: readonly InjectedFault[], { margins = ACCOUNT.margins, cash = 100_000 } = {}) {
  const complaints: string[] = [];
  const state = {
    now: 0,
    ahead: 0,
    alive: true,
    open: [] as string[],
    cash,
    requested: undefined as { mode: string; at: number } | undefined,
  };
  const timers: { when: number; run: () => void }[] = [];
  const scene = {
    faults: new FaultBox({ plan, seed: 's', now: () => state.now, onStruck: () => undefined }),
    clock: { at: (when: number, run: () => void) => void timers.push({ when, run }) },
    venue: {
      account: 3,
      exchange: { account: () => ({ margins, balances: [{ tokenId: 0, amount: state.cash }], positions: [] }) },
      engineTime: () => 0,
      truth: { open: () => state.open, signedAhead: () => state.ahead },
    },
    tolerated: { pendingAlarms: [], hasRunEnded: false },
    requestedMode: () => state.requested,
    isAlive: () => state.alive,
    now: () => 0,
    fail: (invariant: string) => complaints.push(invariant),
  } as unknown as Scene;
  return { scene, state, timers, complaints };
}

const processIn = (mode: string, wanted = 0): Process =>
  ({ number: 1, wanted, trading: { run: { world: { mode, modeReason: 'a reason', orders: () => [] } } } }) as unknown as Process;

const modesWith = (plan: readonly InjectedFault[], { cash = 100_000, asked = '', margins = ACCOUNT.margins } = {}): readonly string[] => {
  const { scene, state, complaints } = sceneOf(plan, { margins });
  const check = irreversible(scene);
  state.cash = cash;
  if (asked !== '') state.requested = { mode: asked, at: 0 };
  for (const mode of ['active', 'close-only', 'close-only', 'flatten']) check.turn?.({} as never, processIn(mode));
  return complaints;
};

const afterALie = (
  change: (state: ReturnType<typeof sceneOf>['state']) => void,
  plan: readonly InjectedFault[] = [lie('noOrders')],
): readonly string[] => {
  const { scene, state, timers, complaints } = sceneOf(plan);
  const check = resumption(scene);
  check.started?.(processIn('active', 4));
  state.open = ['1'];
  change(state);
  for (const { run } of timers) run();
  return complaints;
};

const checkOf = () => {
  const { scene, state, complaints } = sceneOf([]);
  return { check: operations(scene), state, complaints };
};

const CANCEL: WireAction = { kind: 'cancelOrder', timestamp: 1, nonce: 1, sessionId: '1', orderId: '2' };
const ACCEPTED: Receipt = { kind: 'cancelOrder', actionId: '1', orderId: '2', accountId: 3 };
const refused = (error: string): Receipt => ({ kind: 'err', actionId: '1', error, code: 1 });
/** What the invariant of sessions says about these answers to cancels, in a run of the profile without other faults. */
function sessionsAfter(receipts: readonly Receipt[]): readonly string[] {
  const { scene, complaints } = sceneOf([]);
  const options = { ...optionsOf({ seed: '2', profile: 'liar', strategy: 'grid' }), faults: { kinds: [], anHour: 0 } };
  const check = sessions({ ...scene, options });
  for (const receipt of receipts) check.answered?.(CANCEL, receipt, 1);
  return complaints;
}

describe('V11: cancels that stay refused', () => {
  test.each(['TIMESTAMP_OUT_OF_THRESHOLD', 'INVALID_SIGNATURE'])('%s', (error) => {
    const thirty = Array.from({ length: 30 }, () => refused(error));
    expect(sessionsAfter([...thirty, ACCEPTED, ...thirty])).toEqual([]);
    expect(sessionsAfter([...thirty, refused(error)])).toEqual(['V11']);
  });
});

describe('V26: a stricter mode without a true cause', () => {
  test('is a violation, once for each mode', () => expect(modesWith([lie('bankrupt')])).toEqual(['V26', 'V26']));
  test('is none if a person asked for it', () => expect(modesWith([lie('bankrupt')], { asked: 'flatten' })).toEqual([]));
  test('is none if money is lost in truth', () => expect(modesWith([lie('bankrupt')], { cash: 95_000 })).toEqual([]));
  test('is none if the margins are short in truth', () =>
    expect(modesWith([lie('noOrders')], { margins: { ...ACCOUNT.margins, mf: 0 } })).toEqual([]));
  test('is judged in runs with lies only', () => expect(modesWith([])).toEqual([]));
});

describe('V27: after a lie', () => {
  test('orders must rest again', () => {
    expect(afterALie(() => undefined)).toEqual([]);
    expect(afterALie((state) => (state.open = []))).toEqual(['V27']);
  });
  test('the bot must trade again', () => expect(afterALie((state) => (state.alive = false))).toEqual(['V27']));
  test('nothing is expected of a run that a person closes', () => {
    expect(afterALie((state) => ([state.open, state.requested] = [[], { mode: 'flatten', at: 0 }]))).toEqual([]);
    expect(afterALie((state) => (state.open = []), [lie('noOrders'), { id: 'closing', kind: 'stop', from: 1, until: 1 }])).toEqual([]);
  });
  test('nothing is expected while another fault lasts', () => {
    const other: InjectedFault = { id: 'b', kind: 'dropReply', from: 60_000 + RESUMES_WITHIN - 1, until: 90_000 + RESUMES_WITHIN };
    expect(afterALie((state) => (state.open = []), [lie('noOrders'), other])).toEqual([]);
  });
});

describe('kill and the watchdog', () => {
  const placed = [{ kind: 'placeOrder', clientOrderId: '7' }, { kind: 'placeOrder' }, 1] as unknown as Parameters<
    NonNullable<ReturnType<typeof operations>['answered']>
  >;
  test('may not say that no order is left while one rests', () => {
    const { check, state, complaints } = checkOf();
    check.clearing?.('kill');
    state.open = ['1'];
    check.cleared?.('kill', 'empty');
    expect(complaints).toEqual(['V12']);
  });
  test('are not blamed for an order without an answer, whose id nobody knows, while accounts hide it', () => {
    const { scene, state, complaints } = sceneOf([lie('noAsksCounted')]);
    const disk = new MemoryDisk();
    const journal = openJournal<Entry>(disk, { checkpoint: checkpointOf });
    const check = operations({ ...scene, disk, tolerated: { areOrdersHidden: true } } as unknown as Scene);
    state.open = ['9'];
    check.cleared?.('watchdog', 'empty');
    expect(complaints).toEqual([]);
    journal.append([orderLine('1', 0, { status: 'open', orderId: '9' })]);
    check.cleared?.('watchdog', 'empty');
    expect(complaints).toEqual(['V12']);
  });
  test('may not say so while one can still be executed', () => {
    const { check, complaints } = checkOf();
    check.clearing?.('watchdog');
    check.answered?.(...placed);
    check.cleared?.('watchdog', 'empty');
    expect(complaints).toEqual([]);
    check.answered?.(...placed);
    expect(complaints).toEqual(['V12']);
  });
  test('must end', () => {
    const { check, complaints } = checkOf();
    check.clearing?.('kill');
    check.quiescent?.();
    check.cleared?.('kill', 'late');
    expect(complaints).toEqual(['V13', 'V13']);
  });
  test('may end late while an order without an answer is signed for a time to come', () => {
    const { check, state, complaints } = checkOf();
    state.ahead = 1;
    check.cleared?.('kill', 'late');
    expect(complaints).toEqual([]);
  });
  test('an order is signed ahead until the time that it is signed for, and without an answer until one is received or it is accepted', () => {
    const truth = new Truth({ markets: [] } as never, 3);
    const send = (text: string, timestamp: number) => {
      const [body, action] = [new TextEncoder().encode(text), { kind: 'placeOrder', timestamp } as WireAction];
      return { body, sent: truth.sent(body, { action, at: 0, process: 1 }) };
    };
    const aheadNow = () => [truth.signedAhead(1_000_000), truth.signedAhead(1_000_000, { isWithoutAnswer: true })];
    const [refusedOne, accepted] = [send('refused', 1_003), send('accepted', 1_002)];
    expect([aheadNow(), truth.signedAhead(1_003_000)]).toEqual([[3_000, 3_000], 0]);
    refusedOne.sent.isOutcomeReceived = true;
    expect(aheadNow()).toEqual([3_000, 2_000]);
    truth.executed(accepted.body, { kind: 'placeOrder' } as Receipt, 0);
    expect(aheadNow()).toEqual([3_000, 0]);
  });
});
