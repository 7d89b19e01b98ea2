// The invariants of the simulation: each passes a correct record, and reports a violation if one part of it is missing.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { lots } from '../../../src/bot/domain/numbers.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { DEFAULT_FUNDS, LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';
import type { Invariant, MakeCheck, Process, Scene } from '../../../src/research/simulation/environment/scene.ts';
import { hostedFormat } from '../../../src/research/simulation/exchanges/hosted/format.ts';
import { absenceEvidence } from '../../../src/research/simulation/invariants/absence-evidence.ts';
import { nonces } from '../../../src/research/simulation/invariants/actions.ts';
import { bounds } from '../../../src/research/simulation/invariants/bounds.ts';
import { conservation } from '../../../src/research/simulation/invariants/conservation.ts';
import { exposure } from '../../../src/research/simulation/invariants/exposure.ts';
import { ledger } from '../../../src/research/simulation/invariants/ledger.ts';
import { profit } from '../../../src/research/simulation/invariants/profit.ts';
import { resumption } from '../../../src/research/simulation/invariants/resumption.ts';
import { sessions } from '../../../src/research/simulation/invariants/sessions.ts';
import { SIMULATION_START } from '../../../src/research/simulation/plan/options.ts';
import type { SignedAction } from '../../../src/research/simulation/record/signed-action.ts';
import { ActionCodec } from '../../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';

const FORMAT = hostedFormat(new ActionCodec(bundledSchema()));

/** An invariant in a scene that has only these parts, and the violations that it reports. */
function checking(make: MakeCheck, parts: object): { readonly check: Invariant; readonly complaints: string[] } {
  const complaints: string[] = [];
  const scene = {
    ...parts,
    reached: () => undefined,
    fail: (invariant: string, message: string) => complaints.push(`${invariant} ${message}`),
  };
  return { check: make(scene as unknown as Scene), complaints };
}

const BY = { number: 1 } as unknown as Process;

const account = ({ updateId = 10, orders = [] as readonly number[], size = 0 } = {}): object => ({
  updateId,
  orders: orders.map((clientOrderId) => ({ clientOrderId })),
  positions: size === 0 ? [] : [{ marketId: 0, perp: { baseSize: size, isLong: true } }],
});

describe('V12: what is reported as never in the book', () => {
  const SIGNED = 1_700_000_000;
  const MARKETS = new Exchange({ seed: 's', start: 0, markets: LISTED_MARKETS.slice(0, 1), flow: false }).markets;
  const trade = { tradeId: 1, actionId: 5, orderId: 9, marketId: 0, takerId: 3, makerId: 1, takerSide: 'bid', baseSize: 0.5 };
  /** The exchange's own record. */
  const MADE = { ...trade, time: 0, market: 0, size: Math.round(0.5 / (MARKETS[0]?.size(lots(1)) ?? 1)) };

  /** Each reply: when it was asked for, what for, and what it said; it comes 100 ms later. */
  type Reported = readonly [asked: number, path: string, said: unknown];
  const dead: Reported = [0, '/timestamp', SIGNED + 64];
  const made = '/trades?makerId=3';
  const taken = '/trades?takerId=3';
  const round = (asked: number, items: readonly object[] = []): readonly Reported[] => [
    [asked, made, { items: [] }],
    [asked, taken, { items }],
  ];

  function complaintsAbout(
    replies: readonly Reported[],
    {
      trades = [MADE],
      altered,
      before = [],
      sentAt = -60_000,
      process = 1,
      later = 0,
    }: { trades?: readonly object[]; altered?: string; before?: readonly string[]; sentAt?: number; process?: number; later?: number } = {},
  ): readonly string[] {
    let now = 0;
    const venue = {
      account: 3,
      exchange: { markets: MARKETS },
      api: FORMAT,
      actionOf: Number,
      lastActionOf: (id: string) => Number(id) + later,
      clockNow: () => now,
      truth: { openings: new Map(), placements: () => [{ action: { timestamp: SIGNED }, sentAt, process }], trades: () => trades },
    };
    const { check, complaints } = checking(absenceEvidence, { venue, now: () => now, record: { toleratedTrades: new Set(before) } });
    for (const [asked, path, said] of replies) {
      now = asked + 100;
      const body = new TextEncoder().encode(JSON.stringify(said));
      check.received?.({ method: 'GET', path }, { status: 200, contentType: '', body }, { asked, altered: path === altered, by: BY });
    }
    const change = { order: { clientOrderId: '77', market: 0 }, status: 'cancelled', reason: 'never reached the book' };
    check.turn?.({ changes: [change] } as unknown as Turn, BY);
    return complaints;
  }
  const twice = (one: object = account(), other = one): readonly Reported[] => [
    [1_000, '/account/3', one],
    [3_000, '/account/3', other],
  ];

  test('fails while its bytes live by the clock of the process that signed it, or that has begun since', () => {
    const evidence = [dead, ...twice(), ...round(4_000)];
    expect(complaintsAbout(evidence, { sentAt: -57_500 })).toEqual([]);
    expect(complaintsAbout(evidence, { sentAt: -57_499 })).toEqual([expect.stringMatching(/no two accounts .* dead by both clocks/)]);
    expect(complaintsAbout(evidence, { process: 0 })).toHaveLength(1);
  });

  test('passes with all of the evidence', () => {
    expect(complaintsAbout([dead, ...twice(), ...round(4_000)])).toEqual([]);
    expect(complaintsAbout([dead, ...twice(account({ size: 0.5 })), ...round(4_000, [trade])])).toEqual([]);
  });

  test('a time that goes back after all of the evidence takes nothing from it', () => {
    const back: Reported = [4_500, '/timestamp', SIGNED + 10];
    const again: Reported = [9_000, '/timestamp', SIGNED + 65];
    expect(complaintsAbout([dead, ...twice(), ...round(4_000), back, again])).toEqual([]);
    expect(complaintsAbout([dead, ...twice(), back, ...round(5_000), again])).toEqual([expect.stringMatching(/no two accounts/)]);
  });

  test('a time in milliseconds that was cut to its seconds is valid', () => {
    expect(complaintsAbout([dead, ...twice(), ...round(4_000)], { altered: '/timestamp' })).toEqual([]);
    const cut: Reported = [0, '/timestamp', 17_000_000];
    expect(complaintsAbout([cut, ...twice(), ...round(4_000)], { altered: '/timestamp' })).toEqual([
      expect.stringMatching(/not known to be dead/),
    ]);
  });

  test('the reply to another request is evidence if both are an empty list', () => {
    const evidence = [dead, ...twice(), ...round(4_000)];
    expect(complaintsAbout(evidence, { altered: made })).toEqual([]);
    expect(complaintsAbout(evidence, { altered: made, trades: [MADE, { ...MADE, makerId: 3, takerId: 4 }] })).toEqual([
      expect.stringMatching(/as maker were not read/),
    ]);
    expect(complaintsAbout([dead, ...twice(account({ size: 0.5 })), ...round(4_000, [trade])], { altered: taken })).toHaveLength(1);
  });

  test('a trade from before the run is part of its first position, even if it was not read', () => {
    const evidence = [dead, ...twice(account({ size: 0.5 })), ...round(4_000)];
    expect(complaintsAbout(evidence)).toHaveLength(1);
    expect(complaintsAbout(evidence, { before: ['1/bid'] })).toEqual([]);
  });

  test('an account whose number several actions have may include any of them', () => {
    const after = { ...trade, tradeId: 2, actionId: 12 };
    const trades = [MADE, { ...MADE, ...after }];
    const evidence = [dead, ...twice(account({ size: 1 })), ...round(4_000, [trade, after])];
    expect(complaintsAbout(evidence, { trades, later: 2 })).toEqual([]);
    expect(complaintsAbout(evidence, { trades, later: 1 })).toEqual([expect.stringMatching(/no account since shows/)]);
  });

  test('a trade that a rollback has undone explains no position, even if its id was assigned again', () => {
    const evidence = [dead, ...twice(), ...round(4_000, [trade])];
    expect(complaintsAbout(evidence, { trades: [] })).toEqual([]);
    expect(complaintsAbout(evidence, { trades: [{ ...MADE, orderId: 10 }] })).toEqual([]);
    expect(complaintsAbout(evidence, { trades: [{ ...MADE, actionId: 4 }] })).toHaveLength(1); // made again, and reported
  });

  test.each<[string, readonly Reported[], RegExp]>([
    ['no time', [...twice(), ...round(4_000)], /not known to be dead/],
    ['a time one second too early', [[0, '/timestamp', SIGNED + 63], ...twice(), ...round(4_000)], /not known to be dead/],
    ['a time that went back', [dead, [500, '/timestamp', SIGNED + 10], ...twice(), ...round(4_000)], /not known to be dead/],
    ['accounts from before the bytes expired', [...twice(), [3_500, '/timestamp', SIGNED + 64], ...round(4_000)], /no two accounts/],
    ['one account', [dead, [1_000, '/account/3', account()], ...round(4_000)], /no two accounts/],
    [
      'two accounts less than two seconds apart',
      [dead, [1_000, '/account/3', account()], [2_900, '/account/3', account()], ...round(4_000)],
      /no two accounts/,
    ],
    ['an account that lists it', [dead, ...twice(account(), account({ orders: [77] })), ...round(4_000)], /no two accounts/],
    ['an older account', [dead, ...twice(account(), account({ updateId: 9 })), ...round(4_000)], /no two accounts/],
    ['trades read before the accounts', [dead, ...round(900), ...twice()], /were not read/],
    ['maker trades only', [dead, ...twice(), [4_000, made, { items: [] }]], /as taker were not read/],
    ['a position that nothing explains', [dead, ...twice(account({ size: 0.5 })), ...round(4_000)], /no account since shows/],
    ['a trade that the position does not include', [dead, ...twice(), ...round(4_000, [trade])], /no account since shows/],
  ])('fails with %s', (_, replies, complaint) => {
    const [found, ...others] = complaintsAbout(replies);
    expect(found).toMatch(/^V12 order 77/);
    expect(found).toMatch(complaint);
    expect(others).toEqual([]);
  });
});

/** Violations if a process received the time in milliseconds, and half a minute later this altered text, and then signs. */
function signing(latest: string): readonly string[] {
  let now = 0;
  const { check, complaints } = checking(sessions, { venue: { api: FORMAT, clockNow: () => now }, options: {}, now: () => now });
  const receive = (text: string, altered: boolean): void =>
    check.received?.(
      { method: 'GET', path: '/timestamp' },
      { status: 200, contentType: '', body: new TextEncoder().encode(text) },
      { asked: now, altered, by: BY },
    );
  receive('1700000000123', false);
  now = 30_000;
  receive(latest, true);
  check.sent?.({ action: { kind: 'placeOrder' } } as unknown as SignedAction, BY);
  return complaints;
}

describe('V11: a time that was received long ago', () => {
  test('must not be used to sign', () => {
    for (const text of ['', '17000', '17000000301', '<html>'])
      expect(signing(text)).toEqual([expect.stringMatching(/^V11 .* 30000 ms ago/)]);
  });

  test('is replaced by a reply that lost its milliseconds', () => {
    expect(signing('1700000030')).toEqual([]);
  });
});

const exchange = (): Exchange => {
  const made = new Exchange({ seed: 's', start: 0, markets: LISTED_MARKETS.slice(0, 1) });
  made.register('us', DEFAULT_FUNDS);
  return made;
};

function complaintsAfter(change: (exchange: Exchange) => Exchange): readonly string[] {
  const parts = { venue: { exchange: exchange() }, now: () => parts.venue.exchange.now() };
  const { check, complaints } = checking(conservation, parts);
  parts.venue.exchange.advanceTo(60_000);
  parts.venue.exchange = change(parts.venue.exchange);
  check.answered?.({ kind: 'cancelOrder' } as never, { kind: 'cancelOrder' } as never, 1);
  check.quiescent?.();
  return [...new Set(complaints)];
}

describe('V18: the simulated exchange', () => {
  test('passes while it only trades', () => {
    const traded: number[] = [];
    const complaints = complaintsAfter((made) => {
      traded.push(made.trades({}).items.length);
      return made;
    });
    expect(complaints).toEqual([]);
    expect(traded[0]).toBeGreaterThan(0);
  });

  test('must not create money', () => {
    const complaints = complaintsAfter((made) => {
      made.register('us', 1 as never);
      return made;
    });
    expect(complaints).toEqual([expect.stringMatching(/^V18 money/)]);
  });

  test('must not drop one side of a trade', () => {
    const complaints = complaintsAfter((made) => {
      const honest = made.account.bind(made);
      made.account = (id) => {
        const state = honest(id);
        return state && { ...state, positions: state.positions.filter(({ size }) => size > 0) };
      };
      return made;
    });
    expect(complaints).toContainEqual(expect.stringMatching(/^V18 the position in BTCUSDC/));
  });
});

/** After flatten was requested and the position was closed, an order of 75 lots is sent; the bot believes in a short position of `short` lots. */
function closing({ short = 75, misreadAt = 0, reduceOnly = true, now = 10_000 } = {}): readonly string[] {
  const action = { kind: 'placeOrder', marketId: 0, side: 'bid', size: 75n, clientOrderId: '78', reduceOnly };
  const truth = {
    misread: new Map([['77', misreadAt]]),
    placements: () => [{ action }],
    standing: () => ({ position: 0, bid: 0, ask: 0 }),
    tradedByHand: () => false,
  };
  const { check, complaints } = checking(exposure, {
    venue: { truth, clockNow: () => now },
    now: () => now,
    options: { polling: {} },
    tolerated: { newest: () => 0 },
    requestedMode: () => ({ mode: 'flatten', at: -1 }),
  });
  const world = { mode: 'flatten', exposure: () => ({ low: -83, high: -short, bids: 75, asks: 0 }) };
  check.sent?.({ action } as unknown as SignedAction, { number: 1, trading: { run: { world } } } as unknown as Process);
  return complaints.filter((complaint) => complaint.startsWith('V9'));
}

describe('V9: the rest of a closing order after the exchange has made its lots larger', () => {
  test('may be sent, since its receipt reported fewer lots', () => {
    expect(closing()).toEqual([]);
  });

  test.each([
    ['more than the bot knows to be left', { short: 74 }],
    ['an order that may open', { reduceOnly: false }],
    ['no order with outdated terms for 40 s', { now: 40_000 }],
  ])('not %s', (_, changed) => {
    expect(closing(changed)).toEqual([expect.stringMatching(/^V9 order 78 opens/)]);
  });
});

/** One trade at 600000 ticks is booked with another fee, and the last turn is at `end`; a lie about trades lasts from 10 s to 20 s. */
function booked({ provisional, end }: { readonly provisional: boolean; readonly end: number }): readonly string[] {
  const markets = new Exchange({ seed: 's', start: 0, markets: LISTED_MARKETS.slice(0, 1), flow: false }).markets;
  const trade = {
    tradeId: '1',
    market: 0,
    takerSide: 'bid',
    price: 600_000,
    size: 83,
    takerId: 3,
    makerId: 4,
    takerFee: 50,
    actionId: '5',
  };
  const reported = provisional && { provisional: { price: '60000.0', fee: '90000' } };
  const fill = { market: 'BTCUSDC', side: 'bid', price: '60000.0', size: '0.0083', fee: '0.174388', ...reported };
  const lie = { id: 'lie', kind: 'lie', path: 'trades', from: 10_000, until: 20_000, detail: 'tradeFees' };
  const truth = { undone: { trades: new Set() }, trades: () => [trade], isByHand: () => false, position: () => 83, openings: new Map() };
  const { check, complaints } = checking(ledger, {
    now: () => end,
    venue: { api: FORMAT, account: 3, truth, exchange: { markets, lastActionId: () => '5' } },
    record: { repeated: [], fills: new Map([['1/bid', fill]]), toleratedTrades: new Set(), alarms: [] },
    tolerated: { unseen: new Map() },
    faults: { of: () => [lie] },
  });
  check.turn?.({ events: [] } as unknown as Turn, BY);
  check.quiescent?.();
  return complaints;
}

describe('V6: a fill with another fee than the exchange has', () => {
  test('may be provisional if the run ended during a lie about trades, or before the trade was read again', () => {
    expect([booked({ provisional: true, end: 15_000 }), booked({ provisional: true, end: 40_000 })]).toEqual([[], []]);
  });

  test.each([
    ['is not provisional', { provisional: false, end: 15_000 }],
    ['is still provisional long after the lie', { provisional: true, end: 60_000 }],
    ['is provisional before any lie', { provisional: true, end: 5_000 }],
  ])('is a violation if it %s', (_, how) => {
    expect(booked(how)).toEqual([expect.stringMatching(/^V6 trade 1\/bid was booked with a fee of 0.174388/)]);
  });
});

interface Unanswered {
  readonly since: number;
  readonly status: string;
  /** Exchange seconds. */
  readonly deadAfter?: number;
}

/** No order rests 60 s after a lie that ended at 10 s. The process has traded since `since`, and has an order of this status that was sent then. */
async function resting({ since, status, deadAfter }: Unanswered): Promise<readonly string[]> {
  const clock = new VirtualClock(SIMULATION_START - 10_000);
  const lie = { id: 'lie', kind: 'lie', from: 0, until: 10_000, detail: 'tradesTwice' };
  const { check, complaints } = checking(resumption, {
    clock,
    now: () => clock.now() - SIMULATION_START,
    faults: { all: [lie], of: (kind: string) => (kind === 'lie' ? [lie] : []) },
    tolerated: { hasRunEnded: false },
    requestedMode: () => undefined,
    isAlive: () => true,
    venue: { truth: { open: () => [] }, engineTime: () => Math.floor(clock.now() / 1_000) },
  });
  await clock.drive(SIMULATION_START + since);
  const order = { status, sentAt: clock.now(), deadAfter };
  const world = { orders: () => [order] };
  check.started?.({ number: 2, wanted: 3, trading: { run: { world } } } as unknown as Process);
  await clock.drive(SIMULATION_START + 80_000);
  return complaints;
}

describe('V27: orders rest again after a lie', () => {
  test('unless orders have no answer, and their bytes may still be alive', async () => {
    expect(await resting({ since: 12_000, status: 'unknown' })).toEqual([]);
  });

  test('or while the exchange may still execute what was signed ahead of its time', async () => {
    const deadAfter = SIMULATION_START / 1_000 + 65;
    expect(await resting({ since: -9_000, status: 'unknown', deadAfter })).toEqual([]);
    expect(await resting({ since: -9_000, status: 'unknown', deadAfter: deadAfter - 10 })).toHaveLength(1);
  });

  test.each([['no order is without an answer', 12_000, 'open']])('which is checked if %s', async (_, since, status) => {
    expect(await resting({ since, status })).toEqual(['V27 60 s after a lie (tradesTwice) 3 levels are wanted, and no order rests']);
  });
});

test('V20: signed bodies have a limit per minute', () => {
  let now = 0;
  const { check, complaints } = checking(bounds([], []), { now: () => now });
  const cancel = { action: { kind: 'cancelOrder' } } as unknown as SignedAction;
  for (let sent = 0; sent < 1_800; sent++) check.sent?.(cancel, BY);
  now = 60_001;
  for (let sent = 0; sent < 1_800; sent++) check.sent?.(cancel, BY);
  expect(complaints).toEqual([]);
  check.sent?.(cancel, BY);
  expect(complaints).toEqual([expect.stringMatching(/^V20 1801 signed bodies within a minute/)]);
});

test('V11: nonces are higher than those of earlier processes, except of cancels that the disk has not taken', () => {
  let isBad = false;
  const { check, complaints } = checking(nonces, {
    now: () => 0,
    venue: { api: {} },
    record: { losses: 0 },
    tolerated: { isDiskBad: () => isBad },
  });
  const sends = (process: number, kind: string, nonce: number): void =>
    check.sent?.({ action: { kind, nonce } } as unknown as SignedAction, { number: process } as unknown as Process);
  sends(1, 'placeOrder', 5);
  isBad = true;
  sends(1, 'cancelOrder', 9);
  isBad = false;
  sends(2, 'cancelOrder', 7);
  expect(complaints).toEqual([]);
  sends(3, 'cancelOrder', 6);
  sends(3, 'placeOrder', 9); // process 3 cannot know that the cancel had this nonce
  sends(3, 'cancelOrder', 9);
  expect(complaints).toEqual([
    'V11 a cancelOrder is signed with the nonce 6, and an earlier process has used 7',
    'V11 a cancelOrder is signed with the nonce 9, which was used',
  ]);
});

test.each([
  ['prices', 1, ['V28']],
  ['prices that show when funding is paid', 0, []],
])('V28: the profit of a flat account changes with no %s', (_, booked, expected) => {
  const { check, complaints } = checking(profit, {
    venue: { exchange: { markets: [], account: () => ({ balances: [], positions: [] }), records: { fundingPayments: () => [] } } },
  });
  const turn = (money: number): void => {
    const accounting = { profit: { funding: { total: booked === 0 ? money : 0 } }, losses: { dayOpening: 0 } };
    const by = { trading: { run: { world: { marketIds: [], accounting } } } } as unknown as Process;
    check.turn?.({ events: [{ kind: 'infoSeen' }], fills: [], totals: { profit: money, today: money } } as unknown as Turn, by);
  };
  for (const money of [0, 5]) turn(money);
  expect(complaints.map((text) => text.slice(0, 3))).toEqual(expected);
});

test.each([
  ['is compared with its gain if all its trades are booked', ['5/ask', '6/bid'], ['V28']],
  ['is not compared if a trade by hand was not listed before the end', ['5/ask'], []],
])('V28: the profit of an account %s', (_, booked, expected) => {
  const accounting = {
    losses: { carry: () => ({}) },
    profit: { carry: () => ({ held: [] }), funding: { total: 0 } },
    totals: { fees: 0, volume: 0, fills: 0 },
  };
  const others = { takerId: 1, makerId: 2, takerSide: 'bid' };
  const trades = [
    { ...others, tradeId: '4' },
    { ...others, tradeId: '5', makerId: 3 },
    { ...others, tradeId: '6', takerId: 3 },
  ];
  const { check, complaints } = checking(profit, {
    venue: {
      account: 3,
      exchange: { markets: [], account: () => ({ balances: [], positions: [] }), records: { fundingPayments: () => [] } },
      truth: { trades: () => trades, undone: { trades: new Set() } },
    },
    record: { losses: 0, toleratedTrades: new Set(), fills: new Map(booked.map((key) => [key, {}])) },
    tolerated: { unseen: new Map() },
  });
  check.started?.({ trading: { run: { world: { accounting } }, summary: () => ({ pnl: '1' }) } } as unknown as Process);
  check.quiescent?.();
  expect(complaints.map((text) => text.slice(0, 3))).toEqual(expected);
});
