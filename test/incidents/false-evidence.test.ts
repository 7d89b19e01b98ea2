// Public incidents of other bots, repeated with this one: data of a poll were taken as proof too early.
import { describe, expect, test } from 'vitest';
import { worstPosition } from '../../src/bot/world/exposure.ts';
import { Stage } from '../story/stage.ts';
import { agree, alarmsIn, everReported, ordersIn, playing } from './scene.ts';

const MINUTES = 60;
const NO_TRADES = { status: 200, contentType: 'application/json', body: Buffer.from('{"items":[],"nextStartInclusive":null}') };

describe('hummingbot #8457', () => {
  // There, six orders were accepted, then name resolution failed for a while. Each failed lookup counted as "not found", and an unknown position was
  // left. Here, a failed lookup proves nothing: the orders stay unknown during the failure and are found after it.
  test('during three minutes of failed lookups no order is given up', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(4);
    stage.foreign.control.loseReplies(6);
    await stage.until(4.5);
    network.refuses = ({ path }) => path !== '/timestamp'; // engine time stays visible
    await stage.until(4.5 + 3 * MINUTES);
    const unknown = everReported(bot.lines, 'unknown');
    expect(unknown.size).toBeGreaterThan(0);
    const ended = ordersIn(bot.lines).filter(
      ({ at, status }) => Date.parse(at) > Date.parse('2026-01-05T12:00:06Z') && status !== 'unknown',
    );
    expect(ended.filter(({ reason }) => reason !== 'NOT_SENT')).toEqual([]);
    network.refuses = () => false;
    await stage.until(stage.second + 30);
    await agree({ stage, network }, bot);
  });
});

describe('hummingbot #601', () => {
  // There, a new order was looked up before the exchange listed it. "Order does not exist" counted as a failure, and a second one was placed.
  // Here, an account that was requested before the order, or has not changed since, proves nothing about it.
  test('an order that is not listed yet is not placed again', () => {
    new Stage().play(`
      time 1000
      info 100
      account
      book 99.5@10 | 100.5@10
      quote bid 99.0@1
      tick            => bid 99.0@1.0 as 1
      account (same)
      tick
      opened 1
      account (same)
      tick
      account 1
      tick
    `);
  });
});

describe('KRK-3', () => {
  // There, fills were requested by an id unknown to the exchange. It answered "none", and the bot accepted that. Here, a list of trades that lacks
  // trades of the position is not accepted: nothing is opened, an alarm is raised, and trading resumes when the list is complete.
  test('an empty list of trades is detected by the position', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(5);
    network.corrupts = (reply, { path }) => (path.startsWith('/trades') && !path.includes('marketId') ? NO_TRADES : reply);
    await stage.until(40);
    expect(alarmsIn(bot.lines)).toContain('position');
    expect(stage.recorder.between(30, 40).filter(({ increasing }) => increasing)).toEqual([]);
    network.corrupts = (reply) => reply;
    await stage.until(60);
    expect(stage.recorder.between(45, 60).filter(({ increasing }) => increasing)).not.toEqual([]);
    await agree({ stage, network }, bot);
  });
});

describe('NKC-1', () => {
  // There, an order without an id got the id "UNKNOWN", which was then looked up and cancelled. Here, an order has no id until the exchange shows
  // it, and no other id is looked up or cancelled.
  test('receipts without ids lead to no invented id', async () => {
    const exchange = { bareResults: true, extras: false, settings: { echoClientOrderId: false } };
    const { stage, network, bot } = await playing({ exchange });
    for (let second = 4; second < 30; second += 4) {
      stage.foreign.control.loseReplies(2);
      await stage.until(second);
    }
    stage.foreign.control.loseReplies(0);
    await agree({ stage, network }, bot, { withoutClientIds: true });
    const known = new Set(stage.recorder.sent.flatMap(({ rested }) => rested ?? []));
    const cancelled = stage.recorder.actions.flatMap(({ kind, fields }) => (kind === 'cancelOrder' ? [fields['orderId']] : []));
    expect(cancelled.filter((id) => typeof id !== 'bigint' || !known.has(id))).toEqual([]);
    expect([...stage.foreign.state.requests.keys()].filter((path) => /unknown|undefined|null|NaN/i.test(path))).toEqual([]);
  });
});

describe('NKC-4', () => {
  // There, a balance requested before an order arrived after it and released the funds that the order had reserved. Here, an order counts in full
  // until an account that is newer than the order shows otherwise.
  test('an order counts against the limit although an older account does not show it', () => {
    const stage = new Stage({ position: { maxNotional: 100 } });
    stage.play(`
      time 1000
      info 100
      account
      book 99.5@10 | 100.5@10
      quote bid 99.0@1
      tick            => bid 99.0@1.0 as 1
      account (same)
      quote bid 99.0@1, bid 98.0@1
      tick
      unknown 1 1063
      account (same)
      tick
    `);
    expect(worstPosition(stage.world.exposure(0))).toBe(10);
  });
});
