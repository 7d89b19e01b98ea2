// The race table, played by the whole bot on the foreign exchange: faults of requests, replies, sessions and processes.
import { describe, expect, test } from 'vitest';
import { USER } from '../story/foreign/foreign-stage.ts';
import { placeSecondClientBid } from '../story/foreign/second-client.ts';
import { agree, alarmsIn, always, everReported, isAction, ordersIn, playing, type Scene } from './scene.ts';

const text = (status: number, body: string) => ({ status, contentType: 'text/html', body: Buffer.from(body) });
const sessionsOf = ({ stage }: Scene): number => stage.recorder.actions.filter(({ kind }) => kind === 'createSession').length;

describe('after a kill', () => {
  test('R-02 during a journal write: the torn end is dropped, and nothing was sent', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(6);
    bot.kill();
    await stage.until(7);
    const journal = stage.disk.list().findLast((file) => file.startsWith('journal-')) ?? '';
    stage.disk.append(journal, Buffer.from('1234abcd [{"kind":"sent","at":"2026-01-05T12:00:06Z","action":"place","cl'));
    const next = await stage.bot();
    await stage.until(20);
    await agree({ stage, network }, next, { kills: 1 });
  });

  test('R-03 and R-04 between journal write and send: the order counts as sent and is not sent again', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(3);
    network.drops = isAction;
    const { sent } = network.counts;
    while (network.counts.sent === sent && stage.second < 30) await stage.until(stage.second + 0.05);
    bot.kill();
    network.drops = () => false;
    const next = await stage.bot();
    await stage.until(stage.second + 5);
    expect(ordersIn(next.lines).filter(({ reason }) => reason === 'never reached the book')).toEqual([]);
    await stage.until(stage.second + 75);
    expect(network.counts.sent).toBeGreaterThan(sent);
    await agree({ stage, network }, next, { kills: 1 });
  });

  test('R-05 and R-06 between execution and journal write of the answer: the order is found', async () => {
    const { stage, network, bot } = await playing();
    await stage.untilSent(6);
    bot.kill();
    const resting = stage.recorder.ownOrders.map(({ orderId }) => String(orderId));
    const next = await stage.bot();
    await stage.until(stage.second + 8);
    const known = ordersIn(next.lines).flatMap(({ orderId }) => orderId ?? []);
    expect(resting.length).toBeGreaterThan(0);
    expect(resting.filter((id) => !known.includes(id))).toEqual([]);
    await agree({ stage, network }, next, { kills: 1, placed: 5 });
  });

  test('R-23 after the lost reply to a session request: the next process finds the session by its key', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(2);
    stage.foreign.control.evictSessions();
    network.corrupts = (reply, request) =>
      isAction(request) && stage.recorder.actions.at(-1)?.kind === 'createSession' ? undefined : reply;
    while (sessionsOf({ stage, network }) < 2 && stage.second < 30) await stage.until(stage.second + 0.05);
    bot.kill();
    network.corrupts = (reply) => reply;
    const next = await stage.bot();
    await stage.until(20);
    expect(sessionsOf({ stage, network })).toBe(2);
    await agree({ stage, network }, next, { kills: 1 });
  });

  test('R-41 with a restart in the same second: no nonce is repeated', async () => {
    const { stage, network, bot } = await playing();
    await stage.untilSent(6);
    bot.kill();
    const next = await stage.bot();
    await stage.until(15);
    await agree({ stage, network }, next, { kills: 1 });
    const nonces = stage.recorder.actions.map(({ fields }) => fields['nonce']);
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});

describe('R-29 after a kill the next process knows the order of a fill that was reported before its answer', () => {
  test('with equal clocks', () => killAfterFillWithLostReply(0));

  test('with the exchange clock 90 s behind', () => killAfterFillWithLostReply(-90));
});

async function killAfterFillWithLostReply(timeOffsetSeconds: number): Promise<void> {
  const { stage, network, bot } = await playing({ exchange: { settings: { timeOffsetSeconds } } });
  stage.foreign.control.loseReplies(Number.POSITIVE_INFINITY);
  await stage.untilSent(3);
  stage.foreign.control.set({ badData: ['failingAccount'] });
  while (filledWithLostReply(stage).length === 0 && stage.second < 60) await stage.until(stage.second + 0.5);
  await stage.until(stage.second + 2);
  const filled = filledWithLostReply(stage);
  bot.kill();
  stage.foreign.control.set({ badData: [], loseReplies: 0 });
  const next = await stage.bot();
  const lines = await agree({ stage, network }, next, { kills: 1, placed: 5, late: 10 });
  const reported = everReported(lines, 'filled');
  expect(filled.length).toBeGreaterThan(0);
  expect(filled.filter((name) => !reported.has(name))).toEqual([]);
}

/** Returns filled orders whose replies were lost. */
function filledWithLostReply({ recorder, foreign }: Scene['stage']): readonly string[] {
  const makers = new Set(foreign.state.trades.map(({ orderId }) => orderId));
  const withLostReply = recorder.sent.filter(({ action, rested }) => action.replyLost && rested !== undefined && makers.has(rested));
  return withLostReply.map(({ action }) => String(action.fields['clientOrderId']));
}

describe('requests', () => {
  test('R-13 two minutes late: the exchange refuses them, and no order is doubled', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(3);
    [network.faults, network.applies, network.delay] = [always('late'), isAction, () => 120_000];
    await stage.until(12);
    network.applies = () => false;
    await stage.until(140);
    expect(stage.recorder.actions.some(({ outcome }) => outcome === 'TIMESTAMP_OUT_OF_THRESHOLD')).toBe(true);
    await agree({ stage, network }, bot, { placed: 5 });
  });

  test('R-14 repeated by the network: no order is doubled', async () => {
    const { stage, network, bot } = await playing();
    [network.faults, network.applies] = [always('repeated'), isAction];
    await stage.until(20);
    await agree({ stage, network }, bot, { late: 10 });
  });

  test('R-17 with refused connections: reported as not sent, and sent again', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(2);
    network.refuses = isAction;
    await stage.until(8);
    network.refuses = () => false;
    await stage.until(14);
    const reasons = new Set(ordersIn(bot.lines).flatMap(({ status, reason }) => (status === 'rejected' ? [reason] : [])));
    expect([...reasons]).toContain('NOT_SENT');
    await agree({ stage, network }, bot);
  });
});

describe('replies', () => {
  const REPLIES: readonly (readonly [name: string, corrupt: Scene['network']['corrupts']])[] = [
    ['R-10 and R-16 is lost, or ends in a reset', () => undefined],
    ['R-15 is a redirect', () => text(307, '')],
    ['R-18 is cut in the middle', (reply) => ({ ...reply, body: reply.body.subarray(0, reply.body.length >> 1) })],
    ['R-18 is not a receipt', () => text(200, '<html>one moment, please</html>')],
    ['R-18 is empty', (reply) => ({ ...reply, body: new Uint8Array() })],
  ];
  test.each(REPLIES)('the reply %s: the order is unknown, then found, and not sent again', async (_, corrupt) => {
    const { stage, network, bot } = await playing();
    await stage.until(2);
    network.corrupts = (reply, request) => (isAction(request) ? corrupt(reply, request) : reply);
    await stage.until(6);
    network.corrupts = (reply) => reply;
    await stage.until(10);
    expect(everReported(bot.lines, 'unknown').size).toBeGreaterThan(0);
    await agree({ stage, network }, bot, { placed: 5 });
  });

  test('R-19 DUPLICATE to a first attempt: proves nothing and is not a refusal', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(2);
    network.answersRepeat = true;
    [network.faults, network.applies] = [always('repeated'), isAction];
    await stage.until(6);
    [network.answersRepeat, network.applies] = [false, () => false];
    await stage.until(10);
    expect(everReported(bot.lines, 'unknown').size).toBeGreaterThan(0);
    expect(ordersIn(bot.lines).filter(({ status, reason }) => status === 'rejected' && reason === 'DUPLICATE')).toEqual([]);
    await agree({ stage, network }, bot, { placed: 5 });
  });
});

test('R-22 a session renewal while orders are unknown: they keep their fence, new orders use the new session', async () => {
  const { stage, network, bot } = await playing();
  await stage.until(3);
  stage.foreign.control.loseReplies(4);
  await stage.until(3.6);
  stage.foreign.control.evictSessions();
  await stage.until(30);
  expect(sessionsOf({ stage, network })).toBe(2);
  await agree({ stage, network }, bot);
});

test('R-39 another trader on the account: its order is reported, counted and left alone', async () => {
  const { stage, network, bot } = await playing();
  await stage.until(8);
  const orderId = await placeSecondClientBid(stage.foreign, { user: USER, price: 500_000n, size: 100n });
  await stage.until(14);
  expect(alarmsIn(bot.lines)).toContain('company');
  await agree({ stage, network }, bot);
  expect(stage.foreign.state.orders.map((order) => order.orderId)).toEqual([orderId]);
});

test('R-40 an exchange without duplicate detection receives a copy of an order: the ghost order is reported and cancelled', async () => {
  const { stage, network, bot } = await playing();
  await stage.until(3);
  [network.faults, network.applies] = [always('repeated'), isAction];
  network.repeatAfter = () => 20_000;
  await stage.until(8); // time for several orders
  network.applies = () => false;
  await stage.until(20);
  stage.foreign.control.restart('kept');
  await stage.until(60);
  const ghosts = new Set(
    stage.recorder.actions.flatMap(({ fields, outcome }) => (outcome === 'accepted' ? [String(fields['clientOrderId'])] : [])),
  );
  expect(ghosts.size).toBeGreaterThan(0);
  expect(alarmsIn(bot.lines).length).toBeGreaterThan(0);
  const run = await bot.stop();
  expect(run.ending).toEqual({ kind: 'settled' });
  expect(stage.recorder.ownOrders).toEqual([]);
});
