// The replica that lags: its list of trades is late by simulated time, not by the exchange's time.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../src/base/transport/transport.ts';
import { Replica } from '../../../src/research/simulation/environment/network/replica.ts';
import { startingAtTrade } from '../../../src/research/simulation/exchanges/hosted/server.ts';
import { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';
import { pathOf } from '../../../src/research/simulation/plan/faults.ts';

const LIST: HttpRequest = { method: 'GET', path: '/trades?takerId=5&until=2026-01-06T12%3A00%3A33.000Z&pageSize=50' };

/** The newest trade in the list at each of these times, if trade n is made at n times 100 ms. */
function shownAt(times: readonly number[], request = LIST): readonly (string | undefined)[] {
  const clock = new VirtualClock(0);
  const plan = [{ id: 'lag/0', kind: 'lag', from: 5_000, until: 60_000, path: 'trades', amount: 700 }] as const;
  const faults = new FaultBox({ plan, seed: 's', now: () => clock.now(), onStruck: () => undefined });
  const none: HttpReply = { status: 200, contentType: '', body: new Uint8Array() };
  let asked = '';
  const show = ({ path }: HttpRequest): HttpReply => {
    asked = path;
    return none;
  };
  const replica = new Replica({
    clock,
    faults,
    api: { pathOf, isAccount: () => false },
    accountRequests: [],
    newestTrade: () => String(Math.floor(clock.now() / 100)),
    show,
    tradesUpTo: (sent, trade) => show(startingAtTrade(sent, trade)),
  });
  return times.map((time) => {
    clock.advanceTo(time);
    replica.answer(request);
    return /&startInclusive=(\d+)/.exec(asked)?.[1];
  });
}

test('its list lacks only the newest trades, even while the exchange’s time stands still', () => {
  expect(shownAt([4_900, 5_000, 20_000, 59_900, 60_100])).toEqual([undefined, '43', '193', '592', undefined]);
});

test('a request for a later page is not changed', () => {
  expect(shownAt([20_000], { ...LIST, path: `${LIST.path}&startInclusive=17` })).toEqual(['17']);
});
