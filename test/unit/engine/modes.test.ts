// The modes of the bot: each allows less than the one before.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Intent } from '../../../src/bot/domain/intent.ts';
import type { Mode } from '../../../src/bot/domain/mode.ts';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { Engine } from '../../../src/bot/engine/engine.ts';
import { modeWanted } from '../../../src/bot/risk/escalation.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import { ACCEPTED_AFTER, LAG } from '../../../src/bot/world/orders/proof.ts';
import { BTC, calmWorld, START, type WorldBuilder } from '../world-builder.ts';

const QUOTE: Intent = {
  kind: 'quote',
  market: 0,
  bids: [{ price: ticks(590_000), size: 100 as never }],
  asks: [],
  slack: ticks(0),
  fillMode: 'LIMIT',
};

let builder: WorldBuilder;
let engine: Engine;
let asked: number;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 }).showingActions().time(1_000).round();
  asked = 0;
  let ids = 100;
  const decide = (): readonly Intent[] => {
    asked += 1;
    return [QUOTE];
  };
  const rules = rulesFrom(limitsSchema.parse({ 'data-age': { accountMs: 600_000 } }));
  engine = new Engine({ world: builder.world, decide, rules, nextClientOrderId: () => String(ids++) });
});

const tick = (): Turn => engine.step({ kind: 'timerFired', at: builder.world.now + 1 });
const mode = (wanted: Mode, reason = 'a test'): Turn =>
  engine.step({ kind: 'command', at: builder.world.now + 1, command: 'mode', mode: wanted, reason });
const did = ({ actions }: Turn): string[] =>
  actions.map((action) =>
    action.kind === 'cancel' ? `cancel ${action.clientOrderId}` : `${action.side} ${action.size}@${action.price} ${action.fillMode}`,
  );

describe('a mode', () => {
  test('can be raised by a command, but never lowered', () => {
    expect(builder.world.mode).toBe('active');
    expect(mode('cancel-all').alarms).toEqual([{ name: 'mode', reason: 'a test' }]);
    expect(mode('close-only').alarms).toEqual([]);
    expect(mode('active').alarms).toEqual([]);
    expect(builder.world.mode).toBe('cancel-all');
  });

  test('returns the same empty list of alarms in every quiet turn', () => expect(tick().alarms).toBe(tick().alarms));
});

describe('close-only', () => {
  test('opens nothing, cancels orders that could, and still calls the strategy', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 0.01, id: '1', fillMode: 'LIMIT' }).account();
    const turn = mode('close-only');
    expect(did(turn)).toEqual(['cancel 1']);
    expect(turn.findings).toMatchObject([
      { guard: 'mode', verdict: 'refuse', reason: 'the bot is in mode close-only: only orders that reduce a position are placed' },
    ]);
    expect(asked).toBe(1);
  });

  test('allows orders that reduce', () => {
    builder.account({ position: -0.01, entry: 60_000 });
    expect(did(mode('close-only'))).toEqual(['bid 100@590000 LIMIT']);
  });
});

describe.each(['cancel-all', 'flatten'] as const)('%s', (wanted) => {
  test('cancels everything without calling the strategy, also while a gate holds the market', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 0.01, id: '1' }).account().book([], []);
    expect(did(mode(wanted))).toEqual(['cancel 1']);
    expect(asked).toBe(0);
  });
});

describe('flatten', () => {
  test('waits until no order of ours rests or may rest, and then takes to close the position', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 0.01, id: '1' }).account({ position: 0.02, entry: 60_000 });
    expect(did(mode('flatten'))).toEqual(['cancel 1']);
    expect(did(tick())).toEqual([]);
    builder.after(10).cancelAnswered('1', 'cancelled').account({}, ['1']).round();
    expect(did(tick())).toEqual(['ask 200@598791 IMMEDIATE_OR_CANCEL']);
    expect(did(tick())).toEqual([]); // it is in flight
  });

  test('marks its orders as reduce-only for the exchange; normal orders are not marked', () => {
    builder.account({ position: 0.02, entry: 60_000 });
    expect(mode('flatten').actions).toMatchObject([{ kind: 'place', reduceOnly: true }]);
  });

  test('buys back a short position', () => {
    builder.account({ position: -0.02, entry: 60_000 });
    expect(did(mode('flatten'))).toEqual(['bid 200@601210 IMMEDIATE_OR_CANCEL']);
  });

  test('sends the rest again, and ends when the position is flat', () => {
    builder.account({ position: 0.02, entry: 60_000 });
    mode('flatten');
    builder
      .after(10)
      .opened('100', { actionId: '2', taken: [[59_999, 0.015]], resting: 0 })
      .after(LAG)
      .account({ position: 0.005 });
    expect(did(tick())).toEqual(['ask 50@598791 IMMEDIATE_OR_CANCEL']);
    builder
      .after(10)
      .opened('101', { actionId: '3', taken: [[59_999, 0.005]], resting: 0 })
      .after(LAG)
      .account({ position: 0 });
    expect(did(tick())).toEqual([]);
  });

  test('takes nothing far from mark and index', () => {
    builder.account({ position: 0.02, entry: 60_000 }).book([[57_500, 1]], [[60_001, 1]]);
    const turn = mode('flatten');
    expect([did(turn), turn.findings.map(({ guard }) => guard)]).toEqual([[], ['price-collar']]);
  });
});

test('halted sends nothing', () => {
  builder.placed({ side: 'bid', price: 59_000, size: 0.01, id: '1' }).account();
  expect(did(mode('halted'))).toEqual([]);
  expect(did(engine.step({ kind: 'command', at: builder.world.now + 1, command: 'stop', reason: 'enough' }))).toEqual([]);
  expect(asked).toBe(0);
});

describe('the bot itself sets close-only', () => {
  test('not while all is well, nor if it is already set', () => {
    expect(modeWanted(builder.world)).toBeUndefined();
    builder.account({ margins: { mf: 10, mmf: 20 } });
    expect(modeWanted(builder.world)).toEqual({
      mode: 'close-only',
      reason: 'the account is worth less than its maintenance margin (mf below mmf)',
    });
    mode('close-only');
    expect(modeWanted(builder.world)).toBeUndefined();
  });

  test('if an order that was reported as gone exists', () => {
    builder.pending({ side: 'bid', price: 59_000, size: 0.01, id: '1' }).unknown('1', START / 1_000 + 63);
    builder.outlived(START / 1_000 + 64).lookedTwice({}, ['1']);
    builder.apply((at) => ({
      kind: 'orderOpened',
      at,
      clientOrderId: '1',
      actionId: '50',
      orderId: 'x',
      taken: [],
      resting: BTC.lots(0.01),
    }));
    expect(modeWanted(builder.world)?.reason).toContain('appeared at the exchange');
  });

  test('if the exchange reports the account as bankrupt', () => {
    const account = builder.world.account!.value;
    const margins = { ...account.margins, bankruptcy: true };
    builder.apply((at) => ({ kind: 'accountSeen', at, asked: at, account: { ...account, margins } }));
    expect(modeWanted(builder.world)?.reason).toContain('bankrupt');
  });

  test('if a position is unexplained for too long', () => {
    for (let look = 0; look < 2; look++) builder.after(5_000).account({ position: 0.3 }).round();
    expect(modeWanted(builder.world)).toBeUndefined();
    builder.after(ACCEPTED_AFTER).account();
    expect(modeWanted(builder.world)?.reason).toContain('BTCUSDC: the position is 0.3000');
  });
});
