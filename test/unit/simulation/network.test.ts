// The simulated network: the invariants observe exactly the replies that the process receives.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { HttpRequest } from '../../../src/base/transport/transport.ts';
import { SimulatedNetwork } from '../../../src/research/simulation/environment/network/network.ts';
import { ShiftedConnection } from '../../../src/research/simulation/environment/network/shifted-connection.ts';
import { FaultBox } from '../../../src/research/simulation/plan/fault-box.ts';

/** The outcome of a request with a timeout of one second, answered after this time, and when the invariants observed replies. */
async function requested(answersAfter: number): Promise<{ readonly ended: string; readonly reported: readonly number[] }> {
  const clock = new VirtualClock(0);
  const faults = new FaultBox({ plan: [], seed: 's', now: () => clock.now(), onStruck: () => undefined });
  const reply = { status: 200, contentType: '', body: new Uint8Array([1]) };
  const network = new SimulatedNetwork({
    clock,
    rng: rngFrom('s'),
    faults,
    latency: { leastMs: 2, meanMs: 1 },
    server: (_, answer) => void clock.at(clock.now() + answersAfter, () => answer(reply)),
  });
  const reported: number[] = [];
  const line = network.transport({ recordSent: () => undefined, received: () => reported.push(clock.now()) });
  let ended = 'waits';
  line.request({ method: 'GET', path: '/info' }, { timeoutMs: 1_000, maxBytes: 10 }).then(
    () => (ended = 'received'),
    ({ kind }) => (ended = kind),
  );
  await clock.drive(5_000);
  return { ended, reported };
}

test('a reply in time is received, and observed', async () => {
  const { ended, reported } = await requested(500);
  expect([ended, reported.length]).toEqual(['received', 1]);
});

test('a reply after the timeout is not received', async () => {
  expect(await requested(2_000)).toEqual({ ended: 'noReply', reported: [] });
});

test('a connection out of step gives the reply to the request before, except to an action on a connection of its own', () => {
  const shifted = { id: 'shifted', kind: 'shifted', from: 0, until: 1, path: 'action', chance: 1 } as const;
  const connection = new ShiftedConnection(
    new FaultBox({ plan: [shifted], seed: 's', now: () => 0, onStruck: () => undefined }),
    () => 'action',
  );
  const receives = (number: number, ownConnection?: true): number | undefined => {
    const request: HttpRequest = { method: 'POST', path: '/exchange', ownConnection };
    const reply = { status: 200, contentType: '', body: new Uint8Array([number]) };
    return connection.receives({ request, reply, altered: false }).reply.body[0];
  };
  expect([receives(1), receives(2), receives(3, true), receives(4)]).toEqual([1, 1, 3, 2]);
});
