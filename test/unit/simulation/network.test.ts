// The simulated network: what it passes to the invariants is what the process has received.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { Network } from '../../../src/simulation/environment/network/network.ts';
import { FaultBox } from '../../../src/simulation/plan/fault-box.ts';

/** A reply that the exchange gives so long after it was asked, to a process that waits a second: the outcome, and what the invariants received. */
async function asked(answersAfter: number): Promise<{ readonly ended: string; readonly reported: readonly number[] }> {
  const clock = new VirtualClock(0);
  const faults = new FaultBox({ plan: [], seed: 's', now: () => clock.now(), onStruck: () => undefined });
  const reply = { status: 200, contentType: '', body: new Uint8Array([1]) };
  const network = new Network({
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
    () => (ended = 'heard'),
    ({ kind }) => (ended = kind),
  );
  await clock.drive(5_000);
  return { ended, reported };
}

test('a reply in time is received, and observed', async () => {
  const { ended, reported } = await asked(500);
  expect([ended, reported.length]).toEqual(['heard', 1]);
});

test('a reply after the line was closed is not received', async () => {
  expect(await asked(2_000)).toEqual({ ended: 'noReply', reported: [] });
});
