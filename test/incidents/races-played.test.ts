// The race table, played by the whole bot on the foreign exchange: what happens to requests, replies, sessions and processes on their way.
import { describe, expect, test } from 'vitest';
import { USER } from '../story/foreign/foreign-stage.ts';
import { placeSecondClientBid } from '../story/foreign/second-client.ts';
import { agree, alarmsIn, always, everSaid, isAction, ordersIn, playing, type Scene } from './scene.ts';

const text = (status: number, body: string) => ({ status, contentType: 'text/html', body: Buffer.from(body) });
const sessionsOf = ({ stage }: Scene): number => stage.recorder.actions.filter(({ kind }) => kind === 'createSession').length;

describe('a process that dies', () => {
  test('R-02 in the middle of writing down what was to leave: the torn end is dropped, and nothing was sent', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(6);
    bot.kill();
    await stage.until(7);
    const journal = stage.disk.list().findLast((file) => file.startsWith('journal-')) ?? '';
    stage.disk.append(journal, Buffer.from('1234abcd [{"kind":"sent","at":"2026-01-05T12:00:06Z","action":"place","cl'));
    const next = await stage.bot();
    await stage.until(20);
    await agree({ stage, line }, next, { kills: 1 });
  });

  test('R-03 and R-04 after writing down, before sending: as if it had been sent, and never a second one', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(3);
    line.swallows = isAction;
    const { sent } = line.counts;
    while (line.counts.sent === sent && stage.second < 30) await stage.until(stage.second + 0.05);
    bot.kill();
    line.swallows = () => false;
    const next = await stage.bot();
    await stage.until(stage.second + 5);
    expect(ordersIn(next.lines).filter(({ reason }) => reason === 'never reached the book')).toEqual([]);
    await stage.until(stage.second + 75);
    expect(line.counts.sent).toBeGreaterThan(sent);
    await agree({ stage, line }, next, { kills: 1 });
  });

  test('R-05 and R-06 after the exchange has executed, before the answer is written down: it is found', async () => {
    const { stage, line, bot } = await playing();
    await stage.untilSent(6);
    bot.kill();
    const resting = stage.recorder.ownOrders.map(({ orderId }) => String(orderId));
    const next = await stage.bot();
    await stage.until(stage.second + 8);
    const known = ordersIn(next.lines).flatMap(({ orderId }) => orderId ?? []);
    expect(resting.length).toBeGreaterThan(0);
    expect(resting.filter((id) => !known.includes(id))).toEqual([]);
    await agree({ stage, line }, next, { kills: 1, placed: 5 });
  });

  test('R-23 after it has asked for a session whose reply is lost: the next finds that session by its key', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(2);
    stage.foreign.control.evictSessions();
    line.spoils = (reply, request) => (isAction(request) && stage.recorder.actions.at(-1)?.kind === 'createSession' ? undefined : reply);
    while (sessionsOf({ stage, line }) < 2 && stage.second < 30) await stage.until(stage.second + 0.05);
    bot.kill();
    line.spoils = (reply) => reply;
    const next = await stage.bot();
    await stage.until(20);
    expect(sessionsOf({ stage, line })).toBe(2);
    await agree({ stage, line }, next, { kills: 1 });
  });

  test('R-41 and is back within the same second: no nonce comes twice', async () => {
    const { stage, line, bot } = await playing();
    await stage.untilSent(6);
    bot.kill();
    const next = await stage.bot();
    await stage.until(15);
    await agree({ stage, line }, next, { kills: 1 });
    const nonces = stage.recorder.actions.map(({ fields }) => fields['nonce']);
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});

describe('R-29 a fill is reported, its order has no answer yet, and the process dies: the next knows whose it was', () => {
  test('with the exchange by our clock', () => filledUnheardAndKilled(0));

  test('with the exchange 90 s behind our clock', () => filledUnheardAndKilled(-90));
});

async function filledUnheardAndKilled(timeOffsetSeconds: number): Promise<void> {
  const { stage, line, bot } = await playing({ exchange: { settings: { timeOffsetSeconds } } });
  stage.foreign.control.loseReplies(Number.POSITIVE_INFINITY);
  await stage.untilSent(3);
  stage.foreign.control.set({ badData: ['failingAccount'] });
  while (filledUnheard(stage).length === 0 && stage.second < 60) await stage.until(stage.second + 0.5);
  await stage.until(stage.second + 2);
  const filled = filledUnheard(stage);
  bot.kill();
  stage.foreign.control.set({ badData: [], loseReplies: 0 });
  const next = await stage.bot();
  const lines = await agree({ stage, line }, next, { kills: 1, placed: 5, late: 10 });
  const reported = everSaid(lines, 'filled');
  expect(filled.length).toBeGreaterThan(0);
  expect(filled.filter((name) => !reported.has(name))).toEqual([]);
}

/** Orders whose replies were lost, and that have been filled. */
function filledUnheard({ recorder, foreign }: Scene['stage']): readonly string[] {
  const makers = new Set(foreign.state.trades.map(({ orderId }) => orderId));
  const unheard = recorder.sent.filter(({ action, rested }) => action.replyLost && rested !== undefined && makers.has(rested));
  return unheard.map(({ action }) => String(action.fields['clientOrderId']));
}

describe('on the way there', () => {
  test('R-13 requests are two minutes late: the exchange refuses them, and nothing doubles', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(3);
    [line.weather, line.exposes, line.delay] = [always('late'), isAction, () => 120_000];
    await stage.until(12);
    line.exposes = () => false;
    await stage.until(140);
    expect(stage.recorder.actions.some(({ outcome }) => outcome === 'TIMESTAMP_OUT_OF_THRESHOLD')).toBe(true);
    await agree({ stage, line }, bot, { placed: 5 });
  });

  test('R-14 the network repeats them: the exchange says so to nobody, and nothing doubles', async () => {
    const { stage, line, bot } = await playing();
    [line.weather, line.exposes] = [always('repeated'), isAction];
    await stage.until(20);
    await agree({ stage, line }, bot, { late: 10 });
  });

  test('R-17 connections are refused: not sent, definitely, and wanted again', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(2);
    line.refuses = isAction;
    await stage.until(8);
    line.refuses = () => false;
    await stage.until(14);
    const reasons = new Set(ordersIn(bot.lines).flatMap(({ status, reason }) => (status === 'rejected' ? [reason] : [])));
    expect([...reasons]).toContain('NOT_SENT');
    await agree({ stage, line }, bot);
  });
});

describe('on the way back', () => {
  const REPLIES: readonly (readonly [name: string, spoil: Scene['line']['spoils']])[] = [
    ['R-10 is lost', () => undefined],
    ['R-15 is a redirect elsewhere', () => text(307, '')],
    ['R-16 ends in a reset', () => undefined],
    ['R-18 is cut in the middle', (reply) => ({ ...reply, body: reply.body.subarray(0, reply.body.length >> 1) })],
    ['R-18 is no receipt at all', () => text(200, '<html>one moment, please</html>')],
    ['R-18 is empty', (reply) => ({ ...reply, body: new Uint8Array() })],
  ];
  test.each(REPLIES)('the reply %s: unknown, then found, and never a second one', async (_, spoil) => {
    const { stage, line, bot } = await playing();
    await stage.until(2);
    line.spoils = (reply, request) => (isAction(request) ? spoil(reply, request) : reply);
    await stage.until(6);
    line.spoils = (reply) => reply;
    await stage.until(10);
    expect(everSaid(bot.lines, 'unknown').size).toBeGreaterThan(0);
    await agree({ stage, line }, bot, { placed: 5 });
  });

  test('R-19 it is DUPLICATE to a first attempt: that proves nothing, and is never a refusal', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(2);
    line.answersRepeat = true;
    [line.weather, line.exposes] = [always('repeated'), isAction];
    await stage.until(6);
    [line.answersRepeat, line.exposes] = [false, () => false];
    await stage.until(10);
    expect(everSaid(bot.lines, 'unknown').size).toBeGreaterThan(0);
    expect(ordersIn(bot.lines).filter(({ status, reason }) => status === 'rejected' && reason === 'DUPLICATE')).toEqual([]);
    await agree({ stage, line }, bot, { placed: 5 });
  });
});

test('R-22 the session is renewed while orders are unknown: they keep their fence, new ones take the new session', async () => {
  const { stage, line, bot } = await playing();
  await stage.until(3);
  stage.foreign.control.loseReplies(4);
  await stage.until(3.6);
  stage.foreign.control.evictSessions();
  await stage.until(30);
  expect(sessionsOf({ stage, line })).toBe(2);
  await agree({ stage, line }, bot);
});

test('R-39 somebody else trades on the account: it is noticed, counted, and left alone', async () => {
  const { stage, line, bot } = await playing();
  await stage.until(8);
  const orderId = await placeSecondClientBid(stage.foreign, { user: USER, price: 500_000n, size: 100n });
  await stage.until(14);
  expect(alarmsIn(bot.lines)).toContain('company');
  await agree({ stage, line }, bot);
  expect(stage.foreign.state.orders.map((order) => order.orderId)).toEqual([orderId]);
});

test('R-40 the exchange forgets what it has seen, and then a copy of an order arrives: a ghost, reported and taken care of', async () => {
  const { stage, line, bot } = await playing();
  await stage.until(3);
  [line.weather, line.exposes] = [always('repeated'), isAction];
  line.repeatAfter = () => 20_000;
  await stage.until(8); // long enough for several orders to be placed
  line.exposes = () => false;
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
