// Public data from a socket beside the polls: nothing is reported twice, and nothing that is older than what is known.
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { SeenAnswer } from '../../../../src/base/streams/answer.ts';
import type { Event, LiveInfo } from '../../../../src/bot/domain/event.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import type { Trade } from '../../../../src/bot/domain/order.ts';
import { infoEvents, tradeEvents } from '../../../../src/bot/exchange/kit/streams/market-streams.ts';
import { askWith, DEFAULT_POLLING, pollPlan } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import { readPages, TradeTail } from '../../../../src/bot/exchange/kit/streams/trade-tail.ts';
import { BTC } from '../../world-builder.ts';

function tools() {
  const clock = new VirtualClock(100_000);
  const plan = pollPlan(DEFAULT_POLLING, 1);
  return { clock, polling: plan.intervals, ask: askWith({ clock, rng: rngFrom('streams'), plan }) };
}

const trade = (tradeId: string, time: number): Trade => ({ tradeId, market: 0, takerSide: 'bid', price: ticks(1), size: lots(1), time });

test('a pushed trade is reported once, and a snapshot of older trades never', async () => {
  const made = tools();
  const list = [trade('2', 90_000), trade('1', 80_000)];
  const tail = new TradeTail<Trade>({ read: (window) => readPages(pages(list), window), overlapMs: 5_000 });
  const pushed = new Subject<readonly Trade[]>();
  const events: Event[] = [];
  tradeEvents(made, BTC, { tail, requests: 'several', traded: () => undefined, pushed }).subscribe((event) => events.push(event));
  pushed.next([trade('1', 80_000)]); // before the first round, which reports it
  await made.clock.drive(100_100);
  pushed.next([trade('1', 80_000), trade('2', 90_000)]);
  pushed.next([trade('3', 100_050)]);
  list.unshift(trade('3', 100_050));
  await made.clock.drive(102_000);
  expect(events.flatMap((event) => (event.kind === 'tradesSeen' ? event.trades.map(({ tradeId }) => tradeId) : []))).toEqual([
    '1',
    '2',
    '3',
  ]);
});

async function* pages(list: readonly Trade[]): AsyncGenerator<readonly Trade[]> {
  yield [...list];
}

const info = (mark: number): readonly LiveInfo[] => [{ market: 0, frozen: false, mark: ticks(mark) }];

test('a polled price that was asked for before a pushed one is dropped', async () => {
  const made = tools();
  const pushed = new Subject<SeenAnswer<readonly LiveInfo[]>>();
  const slow = (): Promise<readonly LiveInfo[]> =>
    new Promise((resolve) => made.clock.at(made.clock.now() + 400, () => resolve(info(made.clock.now()))));
  const marks: (number | undefined)[] = [];
  infoEvents(made, slow, pushed).subscribe((event) => event.kind === 'infoSeen' && marks.push(event.infos[0]?.mark));
  await made.clock.drive(100_200);
  pushed.next({ kind: 'seen', value: info(7), asked: 100_150, at: 100_200 });
  await made.clock.drive(101_500);
  expect(marks).toEqual([7, 101_400]);
});
