// The end of a run at an exchange with failing endpoints: all resting orders are still cancelled.
import { expect, test } from 'vitest';

import { accountFails, NO_FAULT, stage, stopsCleanly, timeFails } from './answerless-stage.ts';

stopsCleanly('the time', timeFails, 0);
stopsCleanly('the account', accountFails, 0);

test('no order rests if the account is not answered and the first cancels are lost', async () => {
  const { trading, resting, pass, faulty } = await stage('ends');
  await pass(20);
  expect(await resting()).toBeGreaterThan(3);
  faulty((request) => (request.method === 'POST' ? 'lost' : accountFails(request)));
  trading.run.stop('Ctrl-C');
  await pass(5);
  expect(await resting()).toBeGreaterThan(3);
  faulty(accountFails);
  await pass(10);
  expect(await resting()).toBe(0);
});

test('after a 429 with an hour of Retry-After for the time, the run trades within half a minute and stops cleanly', async () => {
  const { trading, resting, pass, faulty } = await stage('ends');
  await pass(20);
  let once = true;
  faulty(({ path }) => {
    if (path !== '/timestamp' || !once) return undefined;
    once = false;
    return { status: 429, retryAfter: 3_600 };
  });
  const before = trading.summary().orders.placed;
  await pass(60);
  expect(once).toBe(false);
  expect(trading.summary().orders.placed).toBeGreaterThan(before);
  trading.run.stop('Ctrl-C');
  await pass(10);
  expect(await resting()).toBe(0);
});

test('a stop that takes long says every five seconds what it waits for, and stops saying it when it is done', async () => {
  const { trading, pass, faulty, resting } = await stage('ends');
  await pass(20);
  const said: (readonly [at: number, reason: string])[] = [];
  trading.lines.subscribe((line) => {
    if (line.kind === 'finding' && line.guard === 'stop') said.push([Date.parse(line.at), line.reason]);
  });
  const open = await resting();
  faulty((request) => (request.method === 'POST' ? 'lost' : accountFails(request)));
  const stopped = trading.run.world.now;
  trading.run.stop('Ctrl-C');
  await pass(17);
  expect(said.map(([at]) => Math.floor((at - stopped) / 1_000))).toEqual([5, 10, 15]);
  for (const [, reason] of said) expect(reason).toBe(`the stop waits for ${open} orders with a cancel whose effect is not proved`);
  faulty(NO_FAULT);
  await pass(60);
  expect(await trading.run.done).toEqual({ kind: 'settled' });
  const count = said.length;
  await pass(30);
  expect(said).toHaveLength(count);
});

test('a stop that is done at once says nothing of it', async () => {
  const { trading, pass } = await stage('ends');
  await pass(20);
  const said: string[] = [];
  trading.lines.subscribe((line) => said.push(line.kind === 'finding' ? line.guard : line.kind));
  trading.run.stop('Ctrl-C');
  await pass(4);
  expect(said).not.toContain('stop');
});
