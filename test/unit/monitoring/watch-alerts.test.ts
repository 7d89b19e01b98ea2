// The alerts that the turns of a run raise: each once while its cause lasts.
import { beforeAll, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { ALERT_KINDS } from '../../../src/bot/run/core/settings.ts';
import { alertMonitor } from '../../../src/program/commands/notify/monitor.ts';
import type { Alert } from '../../../src/program/monitoring/alerts/alert.ts';
import { type AlertRules, WatchAlerts } from '../../../src/program/monitoring/alerts/watch-alerts.ts';
import { ServiceManager, serviceStateOf } from '../../../src/program/monitoring/service-manager.ts';
import { type RecordedTurns, recordedTurns } from './recorded-turns.ts';
import { watchOf } from './test-page.ts';

let recorded: RecordedTurns;
beforeAll(async () => {
  recorded = await recordedTurns(20);
});

const DAY = 86_400_000;
const EMPTY = { intents: [], findings: [], actions: [], changes: [], fills: [], alarms: [], events: [] } as const;

function alerting(rules: Partial<AlertRules> = {}) {
  const watch = watchOf(recorded.markets);
  const raised: Alert[] = [];
  const alerts = new WatchAlerts(watch, {
    rules: { kinds: new Set(ALERT_KINDS), unknownAfterMs: 60_000, marginShare: 0.8, ...rules },
    raise: (alert) => raised.push(alert),
  });
  const turn = (parts: Partial<Turn> & Pick<Turn, 'at'>): void => {
    const whole = { ...EMPTY, ...parts } as unknown as Turn;
    watch.add(whole);
    alerts.add(whole);
  };
  const texts = (): readonly string[] => raised.splice(0).map(({ severity, text }) => `${severity}: ${text}`);
  return { watch, alerts, turn, texts };
}

const START = Date.UTC(2026, 0, 5, 12);
const byPerson = { reason: 'a person typed bot kill', at: '', by: 'kill' };

test('normal turns of a run raise nothing', () => {
  const { turn, texts } = alerting();
  for (const one of recorded.turns) turn(one);
  expect(texts()).toEqual([]);
});

test('start and end', () => {
  const { alerts, texts } = alerting();
  alerts.begun(START);
  alerts.ended(START, { outcome: 'done', words: ['all its orders are proved gone'] });
  alerts.ended(START, { outcome: 'failed', words: ['x'] });
  expect(texts()).toEqual([
    'info: started: grid trades BTCUSDC on embedded',
    'info: done: all its orders are proved gone; since the start profit 0.00, fees 0.00, 0 fills',
    'alarm: failed: x; since the start profit 0.00, fees 0.00, 0 fills',
  ]);
});

test.each([
  [{ mode: 'active' }, { kind: 'settled' }, 'info: done: all its orders are proved gone; since'],
  [
    { mode: 'cancel-all', cause: byPerson },
    { kind: 'settled' },
    'info: killed: a person typed bot kill; all its orders are proved gone; since',
  ],
  [{ mode: 'active' }, { kind: 'unsettled', reason: 'x' }, 'alarm: failed: not every order is proved gone: x; since'],
  [
    { mode: 'active' },
    { kind: 'failed', error: new Error('y'), settled: false },
    'alarm: failed: a bug in the program; some of its orders are not proved gone; since',
  ],
] as const)('the end has the outcome of the run', (killSwitch, ending, text) => {
  const { watch } = alerting();
  const raised: string[] = [];
  const monitor = alertMonitor(watch, {
    rules: { kinds: new Set(ALERT_KINDS), unknownAfterMs: 60_000, marginShare: 0.8 },
    clock: new VirtualClock(START),
    raise: ({ severity, text: said }) => raised.push(`${severity}: ${said}`),
    killSwitch: () => killSwitch,
  });
  monitor.ended?.({ ending, summary: undefined as never });
  expect(raised.at(-1)).toMatch(new RegExp(`^${text}`));
});

test('an alarm, and a stricter mode, are reported once', () => {
  const { turn, texts } = alerting();
  const market = recorded.markets[0]!.id;
  turn({ at: START, alarms: [{ name: 'ghost', reason: 'it turned up', market }] });
  const stricter = {
    at: START + 1,
    events: [{ kind: 'command', at: START + 1, command: 'mode', mode: 'close-only', reason: 'too much lost' }],
    alarms: [{ name: 'mode', reason: 'too much lost' }],
  } as const;
  turn(stricter);
  turn({ at: START + 2 });
  expect(texts()).toEqual(['alarm: ghost BTCUSDC: it turned up', 'alarm: the mode is close-only now: too much lost']);
  const { turn: other, texts: alarms } = alerting({ kinds: new Set(['alarm']) });
  other(stricter);
  expect(alarms()).toEqual(['alarm: mode: too much lost']);
});

test('an order without an answer is reported after the time limit, and when it has an answer', () => {
  const { turn, texts } = alerting();
  const order = { clientOrderId: '7', market: recorded.markets[0]!.id, status: 'unknown' };
  const change = (status: string) => [{ order, status }] as unknown as Turn['changes'];
  turn({ at: START, changes: change('unknown') });
  turn({ at: START + 59_999 });
  expect(texts()).toEqual([]);
  turn({ at: START + 60_000 });
  turn({ at: START + 70_000 });
  expect(texts()).toEqual(['warning: order 7 has had no definite answer for 60 s']);
  turn({ at: START + 80_000, changes: change('cancelled') });
  turn({ at: START + 81_000, changes: change('unknown') });
  turn({ at: START + 82_000, changes: change('open') });
  expect(texts()).toEqual(['info: order 7 has its answer now']);
});

test('a margin near its limit is reported, and again only after it was clearly away', () => {
  const { turn, texts } = alerting();
  const { account } = recorded.turns.flatMap(({ events }) => events).find((event) => event.kind === 'accountSeen')!;
  let at = START;
  const margin = (share: number): void => {
    const margins = { ...account.margins, mf: 100e6, omf: 100e6, imf: share * 100e6, cmf: 0, mmf: 0 } as typeof account.margins;
    turn({ at: ++at, events: [{ kind: 'accountSeen', at, asked: at, account: { ...account, margins } }] });
  };
  for (const share of [0.5, 0.85, 0.79, 0.9]) margin(share);
  expect(texts()).toEqual(['alarm: the margin is at 85 % of the way to the refusal of new orders (imf of omf)']);
  for (const share of [0.71, 0.95]) margin(share);
  expect(texts()).toHaveLength(1);
});

test('a summary at the first turn of a day', () => {
  const { turn, texts } = alerting();
  for (const one of recorded.turns) turn(one);
  const day = Math.floor(recorded.turns[0]!.at / DAY);
  turn({ at: (day + 1) * DAY + 5 });
  turn({ at: (day + 1) * DAY + 6 });
  expect(texts()).toEqual([expect.stringMatching(/^info: the day of 2026-01-05: profit \S+ and \d+ fills; since the start/)]);
});

test('disabled kinds are not raised', () => {
  const { turn, texts } = alerting({ kinds: new Set(['mode']) });
  turn({ at: START, alarms: [{ name: 'ghost', reason: 'it turned up' }] });
  expect(texts()).toEqual([]);
});

test('systemd is notified when the run has its data, while it has turns, and when it stops', () => {
  const watch = watchOf(recorded.markets);
  const states: string[] = [];
  const env = { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '30000000' };
  const service = new ServiceManager(serviceStateOf(watch), {
    clock: new VirtualClock(START),
    env,
    notify: (said) => states.push(...said),
  });
  for (const turn of recorded.turns) {
    watch.add(turn);
    service.add(turn);
  }
  const seconds = (recorded.turns.at(-1)!.at - recorded.turns[0]!.at) / 1_000;
  expect(states.filter((state) => state === 'READY=1')).toHaveLength(1);
  expect(states.filter((state) => state === 'WATCHDOG=1')).toHaveLength(Math.floor(seconds / 10) + 1);
  expect(states.at(-1)).toMatch(/^(STATUS=stopping|WATCHDOG=1)/);
});

test('what the engine finds itself about its streams is shown while it lasts', () => {
  const { watch, turn } = alerting();
  const found = { kind: 'healthSeen', at: START, stream: 'clock', healthy: false, reason: 'the clock is wrong' } as const;
  turn({ at: START, health: [found] });
  expect([...watch.unhealthy]).toEqual([found]);
  turn({ at: START + 1, health: [{ ...found, healthy: true }] });
  expect([...watch.unhealthy]).toEqual([]);
});
