// Public incidents of other bots, repeated with ours: what was seen, or not seen, by looking was believed too soon.
import { describe, expect, test } from 'vitest';
import { worstPosition } from '../../src/world/position/exposure.ts';
import { Stage } from '../story/stage.ts';
import { agree, alarmsIn, everSaid, ordersIn, playing } from './scene.ts';

const MINUTES = 60;
const NO_TRADES = { status: 200, contentType: 'application/json', body: Buffer.from('{"items":[],"nextStartInclusive":null}') };

describe('hummingbot #8457', () => {
  // There, six orders were accepted, then no name could be resolved for a while; each failed lookup counted as "not found", and a position was left
  // that nobody knew of. Here, a lookup that fails says nothing: the orders stay unknown for as long as it takes, and are found after it.
  test('three minutes in which every lookup fails: not one order is given up', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(4);
    stage.foreign.control.loseReplies(6);
    await stage.until(4.5);
    line.refuses = ({ path }) => path !== '/timestamp'; // its minute passes, and is seen to pass
    await stage.until(4.5 + 3 * MINUTES);
    const unknown = everSaid(bot.lines, 'unknown');
    expect(unknown.size).toBeGreaterThan(0);
    const ended = ordersIn(bot.lines).filter(
      ({ at, status }) => Date.parse(at) > Date.parse('2026-01-05T12:00:06Z') && status !== 'unknown',
    );
    expect(ended.filter(({ reason }) => reason !== 'NOT_SENT')).toEqual([]);
    line.refuses = () => false;
    await stage.until(stage.second + 30);
    await agree({ stage, line }, bot);
  });
});

describe('hummingbot #601', () => {
  // There, an order that had just been made was looked up before the exchange listed it; "order does not exist" counted as a failure, and a second
  // one was placed. Here, an account that was asked for before the order, or has not moved since, proves nothing about it.
  test('a list that does not have the order yet: nothing is placed beside it', () => {
    new Stage().play(`
      time 1000
      info 100
      account
      book 99.5@10 | 100.5@10
      want bid 99.0@1
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
  // There, fills were asked for by an id that the exchange did not know; it answered "none", and the bot believed it. Here, a list of trades that
  // lacks what the position shows is not believed: nothing is opened, a person is notified, and it heals when the list does.
  test('a list of trades that stays empty: the position reports on it', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(5);
    line.spoils = (reply, { path }) => (path.startsWith('/trades') && !path.includes('marketId') ? NO_TRADES : reply);
    await stage.until(40);
    expect(alarmsIn(bot.lines)).toContain('position');
    expect(stage.recorder.between(30, 40).filter(({ increasing }) => increasing)).toEqual([]);
    line.spoils = (reply) => reply;
    await stage.until(60);
    expect(stage.recorder.between(45, 60).filter(({ increasing }) => increasing)).not.toEqual([]);
    await agree({ stage, line }, bot);
  });
});

describe('NKC-1', () => {
  // There, an order without an id was given the id "UNKNOWN", which was then asked for and cancelled as if it were one. Here, an order has no id
  // until the exchange shows it, and nothing is asked or cancelled by any other.
  test('receipts without ids: no id is made up', async () => {
    const exchange = { bareResults: true, extras: false, settings: { echoClientOrderId: false } };
    const { stage, line, bot } = await playing({ exchange });
    for (let second = 4; second < 30; second += 4) {
      stage.foreign.control.loseReplies(2);
      await stage.until(second);
    }
    stage.foreign.control.loseReplies(0);
    await agree({ stage, line }, bot, { nameless: true });
    const known = new Set(stage.recorder.sent.flatMap(({ rested }) => rested ?? []));
    const cancelled = stage.recorder.actions.flatMap(({ kind, fields }) => (kind === 'cancelOrder' ? [fields['orderId']] : []));
    expect(cancelled.filter((id) => typeof id !== 'bigint' || !known.has(id))).toEqual([]);
    expect([...stage.foreign.state.requests.keys()].filter((path) => /unknown|undefined|null|NaN/i.test(path))).toEqual([]);
  });
});

describe('NKC-4', () => {
  // There, a balance that had been asked for before an order was sent came in after it, and took away the hold that the order had put on it. Here,
  // an order counts in full until an account that is newer than it says otherwise.
  test('an account that is older than the order: the limit counts the order all the same', () => {
    const stage = new Stage({ position: { maxNotional: 100 } });
    stage.play(`
      time 1000
      info 100
      account
      book 99.5@10 | 100.5@10
      want bid 99.0@1
      tick            => bid 99.0@1.0 as 1
      account (same)
      want bid 99.0@1, bid 98.0@1
      tick
      unknown 1 1063
      account (same)
      tick
    `);
    expect(worstPosition(stage.world.exposure(0))).toBe(10);
  });
});
