// The end of an agent: reported at the start, and an alarm once a day from seven days before while a run goes on.
import { expect, test } from 'vitest';
import { DAY, MINUTE, VirtualClock } from '../../../../src/base/clock.ts';
import { hyperliquidOver } from '../../../../src/venues/hyperliquid/open.ts';
import { AGENT, approvalBody, KEY, post, STAND_IN } from '../../../hyperliquid/agent.ts';
import { inProcessTransport } from '../../../in-process.ts';
import { embeddedOn, ONE_MARKET, START } from '../../../replay/virtual-run.ts';

/** A client of an account whose agent ends after `days`, and what it has warned of. */
async function clientFor(days: number) {
  const clock = new VirtualClock(START);
  const { hyperliquid } = await embeddedOn(clock, { seed: 'agent', markets: ONE_MARKET, speed: 0.001 }); // a day of its traders takes minutes
  post(hyperliquid, '/exchange', approvalBody({ nonce: START, agentName: `bot valid_until ${START + days * DAY}` }));
  const warned: string[] = [];
  const transport = inProcessTransport({ handler: hyperliquid, clock, latencyMs: () => 0 });
  const client = hyperliquidOver({ url: STAND_IN, transport, clock, key: KEY, log: { warn: (text) => void warned.push(text) } });
  const alarms: string[] = [];
  client.events?.subscribe((event) =>
    alarms.push(event.kind === 'healthSeen' && event.alarm === true ? `${event.stream}: ${event.reason}` : event.kind),
  );
  /** Refreshes each minute for some hours. */
  const pass = async (hours: number): Promise<void> => {
    for (let minute = 0; minute < hours * 60; minute++) {
      const asked = client.refresh?.ask();
      await clock.drive(clock.now() + MINUTE);
      await asked;
    }
  };
  const owner = client.owner();
  await clock.drive(clock.now() + MINUTE);
  await owner;
  return { clock, alarms, warned, pass };
}

test('an agent that ends in a week is named at the start', async () => {
  expect((await clientFor(6)).warned).toHaveLength(1);
  expect((await clientFor(8)).warned).toEqual([]);
});

test('an agent whose last week begins in a run is an alarm within an hour, and another a day later', async () => {
  const { alarms, pass, warned } = await clientFor(7.1);
  await pass(2);
  expect([alarms, warned]).toEqual([[], []]);
  await pass(2);
  expect(alarms).toHaveLength(1);
  expect(alarms[0]).toContain(`key: the agent ${AGENT} ends at`);
  await pass(20);
  expect(alarms).toHaveLength(1);
  await pass(6);
  expect(alarms).toHaveLength(2);
});
