// Public incidents of other bots, repeated with ours: an answer that did not come was taken for a failure, or for a success.
import { describe, expect, test } from 'vitest';
import { Stage } from '../story/stage.ts';
import { agree, always, everSaid, isAction, ordersIn, playing, type Scene } from './scene.ts';

/** As many as the grid's levels. */
const LEVELS = 5;
const TAKING = { name: 'twap' };
/** One slice each 15 s, at no price below the lowest of the crowd. */
const [SLICE, LOWEST] = [250, 59_500];
const boughtAtMost = (slices: number): number => (slices * SLICE) / LOWEST;
const UNAVAILABLE = { status: 503, contentType: 'text/html', body: Buffer.from('<html>busy</html>') };

describe('hummingbot #493 and #3374', () => {
  // There, a request that timed out counted as an order that failed, and another was placed beside the one that rested. Here, an order without an
  // answer stands for its level until its end is proved: no level ever has two.
  test('slow answers: no level has two orders', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(3);
    line.weather = always('answeredLate');
    line.exposes = isAction;
    line.delay = () => 10_000;
    for (let second = 4; second <= 25; second++) {
      await stage.until(second);
      expect(mostOnOneSide({ stage, line }), `second ${second}`).toBeLessThanOrEqual(LEVELS);
    }
    expect(everSaid(bot.lines, 'unknown').size).toBeGreaterThan(0);
    await agree({ stage, line }, bot, { late: 12, placed: 5 });
  });
});

describe('catalyst #317', () => {
  // There, an order whose reply timed out was sent again and again, and the first had been executed. Here, a position is bought once, even when no
  // reply to an order ever comes.
  test('no reply at all: what is to be bought is bought once', async () => {
    const { stage, line, bot } = await playing({ strategy: TAKING });
    line.spoils = (reply, request) => (isAction(request) ? undefined : reply);
    await stage.until(58);
    expect(stage.foreign.state.position({ account: 4 })).toBeLessThanOrEqual(boughtAtMost(4));
    await agree({ stage, line }, bot, { placed: 2 });
  });
});

describe('BitBot #27', () => {
  // There, a sell timed out, was sent again, and its cancel timed out as well: two sales, and a bot that believed in none. Here, cancels without an
  // answer prove nothing either: what was filled meanwhile is reported as filled, and nothing is left behind.
  test('orders and their cancels without an answer: each end is reported as it was', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(4);
    line.spoils = (reply, request) => (isAction(request) ? undefined : reply);
    await stage.until(30);
    const lines = await agree({ stage, line }, bot, { late: 80 });
    expect(everSaid(lines, 'filled').size).toBeGreaterThan(0);
  });
});

describe('crypto-trading-bot #53 and #120', () => {
  // There, a retry was queued before the order was seen to be filled, and both were executed. Here, an order that may have been filled stands for
  // what is wanted, whichever is heard first, its fill or its answer.
  test('a fill that is reported before the answer: nothing is placed for it again', () => {
    new Stage().play(`
      time 1000
      info 100
      account
      book 99.5@10 | 100.5@10
      hold 1 at 101.0
      tick         => take bid 101.0@1.0 as 1
      unknown 1 1063
      tick
      traded bid 100.5@1
      tick
      position 1
      account
      tick
      took 1 100.5@1
      tick
      filled
      tick
    `);
  });
});

describe('zenbot #176', () => {
  // There, the connection was reset under an order that had arrived; the bot said that it was not placed, and left it there. Here, it is found and
  // stays ours: it is neither forgotten nor placed again.
  test('connections reset under orders that have arrived: they are found', async () => {
    const { stage, line, bot } = await playing();
    const found = (): string[] => [...everSaid(bot.lines, 'unknown')].filter((name) => everSaid(bot.lines, 'open').has(name));
    for (let sent = 4; found().length === 0 && sent < 400; sent++) {
      await stage.untilSent(sent); // whose answer may have come already, or which may not have arrived
      line.down(1);
      await stage.until(stage.second + 5);
    }
    expect(found().length).toBeGreaterThan(0);
    await agree({ stage, line }, bot, { placed: 4 });
  });
});

describe('KRK-4 and KRK-9', () => {
  // There, a server error made a connector look at the open orders, and place again when the order was not among them: it had been filled at once.
  // Here, a status of failure is no answer, and an order is missing only when orders, trades and position agree that it is.
  test('server errors after the order was executed: it is not sent again', async () => {
    const { stage, line, bot } = await playing({ strategy: TAKING });
    line.spoils = (reply, request) => (isAction(request) ? UNAVAILABLE : reply);
    await stage.until(58);
    expect(stage.foreign.state.position({ account: 4 })).toBeLessThanOrEqual(boughtAtMost(4));
    await agree({ stage, line }, bot, { placed: 2 });
  });
});

describe('ibx #116', () => {
  // There, an order that was placed during a reconnect vanished without a word, and a position was counted that never was. Here, what did not leave
  // is said not to have left, at once, and is wanted again when the line is back.
  test('the line is down when orders are to leave: each is reported as not sent', async () => {
    const { stage, line, bot } = await playing();
    await stage.until(2);
    line.refuses = isAction;
    await stage.until(12);
    const unsent = ordersIn(bot.lines).filter(({ reason }) => reason === 'NOT_SENT');
    expect(unsent.length).toBeGreaterThan(0);
    line.refuses = () => false;
    await stage.until(30);
    expect(stage.recorder.between(13, 30)).not.toEqual([]);
    await agree({ stage, line }, bot);
  });
});

function mostOnOneSide({ stage }: Scene): number {
  const sides = stage.recorder.ownOrders.map(({ side }) => side);
  return Math.max(sides.filter((side) => side === 'bid').length, sides.filter((side) => side === 'ask').length);
}
