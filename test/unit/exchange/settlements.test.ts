// An exchange that knows whether an order can still be admitted is asked about each order without an answer, until it says so.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { ClientError } from '../../../src/base/transport/client-error.ts';
import type { PlaceOrder } from '../../../src/bot/domain/action.ts';
import { Settlements } from '../../../src/bot/exchange/kit/sending/settlements.ts';
import { EXCHANGES, type Fault } from './sending-benches.ts';
import { placeFrom } from './venue-bench.ts';

const place = placeFrom(1n);

async function third(fault: Fault) {
  const opened = await EXCHANGES['third']!({});
  opened.wire.faultOf = () => fault;
  const order = opened.place();
  await opened.bench.submit([order], opened.rules.answerTimeoutMs + 500);
  return { ...opened, order };
}

test('an order whose request was lost is known to be absent at once, long before its bytes are dead', async () => {
  const { bench, order } = await third('request lost');
  expect(bench.of('orderUnknown')).toHaveLength(1);
  const { clientOrderId } = order;
  expect(bench.of('orderRejected')).toMatchObject([{ clientOrderId, error: 'NEVER_ADMITTED', settled: true }]);
});

test('an order whose reply was lost stays unknown until an account shows it', async () => {
  const { bench, order } = await third('reply lost');
  expect(bench.of('orderUnknown')).toHaveLength(1);
  expect(bench.of('orderRejected')).toEqual([]);
  await bench.run(30_000);
  expect(bench.of('orderRejected')).toEqual([]);
  expect(
    bench
      .of('accountSeen')
      .at(-1)
      ?.account.orders.map(({ clientOrderId }) => clientOrderId),
  ).toContain(order.clientOrderId);
});

test('a copy of the request that arrives after the question places nothing', async () => {
  const { bench, wire, order } = await third('request lost');
  wire.faultOf = () => undefined;
  await bench.submit([order], 5_000); // the same client order id, as a copy of the bytes would have
  expect(bench.of('orderOpened')).toEqual([]);
});

type Answer = Awaited<ReturnType<ConstructorParameters<typeof Settlements>[0]['settle']>> | ClientError;

/** Asks about one order with a life of a minute; returns when it asked, in seconds, and what it reported. */
async function asking(answers: readonly Answer[], act: (settlements: Settlements, order: PlaceOrder) => void = () => undefined) {
  const clock = new VirtualClock(0);
  const [asked, absent]: [number[], string[]] = [[], []];
  const settlements = new Settlements({
    clock,
    settle: async () => {
      const answer = answers[Math.min(asked.push(clock.now() / 1_000), answers.length) - 1]!;
      if (answer instanceof ClientError) throw answer;
      return answer;
    },
    absent: ({ clientOrderId }) => void absent.push(clientOrderId),
    fail: (error) => {
      throw error;
    },
  });
  const order = place();
  settlements.begin(order, 60_000);
  settlements.begin(order, 60_000);
  act(settlements, order);
  await clock.drive(600_000);
  return { asked, absent, order };
}

test('is asked again with growing pauses, and no longer than the order can live', async () => {
  const lost = new ClientError({ kind: 'noReply', message: 'lost' });
  const { asked, absent } = await asking([lost, 'unknown']);
  expect(asked).toEqual([0, 0.5, 1.5, 3.5, 7.5, 15.5, 23.5, 31.5, 39.5, 47.5, 55.5]);
  expect(absent).toEqual([]);
});

test('ends with the first answer that proves something', async () => {
  const found = await asking(['unknown', 'absent']);
  expect([found.asked, found.absent]).toEqual([[0, 0.5], [found.order.clientOrderId]]);
  expect(await asking(['admitted'])).toMatchObject({ asked: [0], absent: [] });
});

test('ends if the order is answered by other means, also while a question is on its way', async () => {
  const { asked, absent } = await asking(['absent'], (settlements, order) => settlements.end(order.clientOrderId));
  expect([asked, absent]).toEqual([[0], []]);
});
