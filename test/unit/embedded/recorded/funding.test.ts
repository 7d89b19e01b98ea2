// Funding of a recorded market: at the recorded time and rate, on the recorded mark, once, and booked as everywhere.
import { describe, expect, test } from 'vitest';
import { Schedule } from '../../../../src/embedded/exchange/recorded/funding-schedule.ts';
import { RowFeed } from '../../../../src/embedded/exchange/recorded/recording.ts';
import { BOOK, BTC, ETH, HOUR, RecordedExchange, rowsOf, START } from './recorded-exchange.ts';

const MINUTE = HOUR / 60;

const RATE = 0.0004;

describe('the schedule', () => {
  test('returns the hourly rate until it is due, and pays it once', () => {
    const schedule = new Schedule();
    expect([schedule.hourlyRate, schedule.next(), schedule.takeDue(START)]).toEqual([undefined, undefined, undefined]);
    schedule.expect({ due: START + HOUR, rate: 0.0008 });
    schedule.expect({ due: START + HOUR, rate: 0.0004 });
    expect(schedule.hourlyRate).toBeCloseTo(0.000_05, 12);
    expect([schedule.next(), schedule.takeDue(START + HOUR - 100)]).toEqual([START + HOUR, undefined]);
    expect(schedule.takeDue(START + HOUR)).toBe(0.0004);
    expect([schedule.hourlyRate, schedule.next(), schedule.takeDue(START + HOUR + 100)]).toEqual([undefined, undefined, undefined]);
  });

  test('rates are for the given interval', () => {
    const schedule = new Schedule(HOUR);
    schedule.expect({ due: START + HOUR, rate: 0.0004 });
    expect(schedule.hourlyRate).toBe(0.0004);
  });

  test('what was paid at its time is not paid again, when the record of it comes, nor when it is still announced', () => {
    const schedule = new Schedule();
    schedule.expect({ due: START, rate: 0.0004 });
    expect(schedule.takeDue(START)).toBe(0.0004);
    schedule.expect({ due: START, rate: 0.0004 });
    expect([schedule.takeDue(START + 100), schedule.next()]).toEqual([undefined, undefined]);
    expect(schedule.recordPayment(START + 24 * MINUTE, RATE)).toBe(false);
    expect(schedule.recordPayment(START + HOUR, RATE)).toBe(true);
    schedule.expect({ due: START + 8 * HOUR, rate: 0.0004 });
    expect(schedule.next()).toBe(START + 8 * HOUR);
  });

  test('what was recorded as paid is not due any more', () => {
    const schedule = new Schedule();
    schedule.expect({ due: START, rate: 0.0004 });
    expect(schedule.recordPayment(START - 3, RATE)).toBe(true);
    expect([schedule.takeDue(START), schedule.next()]).toEqual([undefined, undefined]);
    schedule.expect({ due: START + 8 * HOUR, rate: 0.0004 });
    expect(schedule.recordPayment(START + HOUR, RATE)).toBe(true);
    expect(schedule.next()).toBe(START + 8 * HOUR);
  });

  test('a history of payments alone shows the last one, and the time of the next', () => {
    const schedule = new Schedule();
    expect(schedule.lastPaid(START)).toBeUndefined();
    schedule.recordPayment(START, 0.0008);
    expect(schedule.lastPaid(START)).toEqual({ hourlyRate: 0.0001, next: START + 8 * HOUR });
    expect(schedule.lastPaid(START + 9 * HOUR)).toEqual({ hourlyRate: 0.0001, next: undefined });
    expect([schedule.hourlyRate, schedule.next()]).toEqual([undefined, undefined]);
  });

  test('a recording that announces rates never shows a paid one', () => {
    const schedule = new Schedule();
    schedule.expect({ due: START, rate: RATE });
    schedule.recordPayment(START, RATE);
    expect(schedule.lastPaid(START)).toBeUndefined();
  });
});

/** Alice is long 2 BTC, and the recorded traders are short; the mark is 1010 from 100 ms on. */
function setup(rows: Readonly<Record<number, string>>) {
  const played = new RecordedExchange();
  played.add(100, 'mark 1010', 'index 1005');
  for (const [after, line] of Object.entries(rows)) played.add(Number(after), line);
  played.play(0);
  const alice = played.user('alice', 10_000);
  played.placed(alice, 'bid 2 BTCUSDT @ 1001');
  return { played, alice };
}

const owed = ({ played, alice }: ReturnType<typeof setup>): number => played.state(alice).positions[0]!.fundingPaymentPnl;

describe('a position', () => {
  test('owes the recorded rate, at its time and on the mark of that time', () => {
    const scripted = setup({ 200: `funding 0.0008 in ${HOUR - 200}`, [HOUR - 500]: 'mark 1020' });
    const { played, alice } = scripted;
    played.play(200);
    expect(played.exchange.live(0)).toMatchObject({ fundingRate: 0.0001, nextFunding: START + HOUR });
    played.play(HOUR - 1);
    expect(owed(scripted)).toBe(0);
    const before = played.amount(alice, 'USDT');
    played.play(HOUR);
    expect(owed(scripted)).toBe(-1_632_000);
    expect(played.amount(alice, 'USDT')).toBe(before);
    expect(played.exchange.live(0)).toMatchObject({ fundingRate: undefined, nextFunding: undefined });
    const { records } = played.exchange;
    expect(records.fundingPayments(alice)).toEqual([{ time: START + HOUR, market: 0, rate: 0.0008, payment: 1_632_000 }]);
    expect(records.fundingHours(0)).toMatchObject([{ time: START + HOUR, market: 0, index: 0.816, collected: 1_632_000, rate: 0.0008 }]);
    played.placed(alice, 'ask 1 BTCUSDT @ 999.5');
    expect(owed(scripted)).toBe(0);
    expect(played.amount(alice, 'USDT')).toBeCloseTo(before! - 1.632 - 1.25 - 999.5 * 0.000_35, 6);
  });

  test('is charged once, though the payment is recorded as well', () => {
    const scripted = setup({ 200: `funding 0.0008 in ${HOUR - 200}`, [HOUR + 5]: 'settled 0.0009' });
    scripted.played.play(2 * HOUR);
    expect(owed(scripted)).toBe(-2 * 1_010 * 0.0008 * 1e6);
    expect(scripted.played.exchange.records.fundingPayments(scripted.alice)).toHaveLength(1);
  });

  test('is charged a recorded payment that was not announced, and earns if the rate is negative', () => {
    const scripted = setup({ [HOUR + 5]: 'settled 0.0009', [2 * HOUR + 5]: 'settled -0.0004' });
    scripted.played.play(HOUR + 5);
    expect(owed(scripted)).toBe(-2 * 1_010 * 0.0009 * 1e6);
    scripted.played.play(3 * HOUR);
    expect(owed(scripted)).toBe(-2 * 1_010 * 0.0005 * 1e6);
    expect(scripted.played.exchange.records.fundingPayments(scripted.alice)).toMatchObject([
      { time: START + 2 * HOUR + 5, rate: -0.0004, payment: -808_000 },
      { time: START + HOUR + 5, rate: 0.0009, payment: 1_818_000 },
    ]);
  });

  test('is charged by its own market alone', () => {
    const [btc, eth] = [new RowFeed(), new RowFeed()];
    const recordings = [btc, eth].map((rows) => ({ rows, queue: { kind: 'conservative' } as const }));
    const played = new RecordedExchange({ markets: [BTC, ETH], recordings });
    for (const feed of [btc, eth]) feed.push(rowsOf(0, ...BOOK));
    eth.push(rowsOf(500, 'settled 0.0001'));
    for (const feed of [btc, eth]) feed.end();
    played.play(0);
    const alice = played.user('alice', 10_000);
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) played.placed(alice, `bid 1 ${symbol} @ 1000.5`);
    played.play(1_000);
    expect(played.exchange.records.fundingPayments(alice)).toMatchObject([{ market: 1, payment: 100_030 }]); // on a middle that the order itself has moved
    expect([played.exchange.records.fundingHours(0).length, played.exchange.records.fundingHours(1).length]).toEqual([0, 1]);
  });

  test('is charged in a gap, too', () => {
    const scripted = setup({ 200: 'gap', 300: 'mark 2000', [HOUR]: 'settled 0.0001' });
    scripted.played.play(HOUR);
    expect(scripted.played.exchange.inGap(0)).toBe(true);
    expect(owed(scripted)).toBe(-2 * 1_010 * 0.0001 * 1e6);
  });
});
