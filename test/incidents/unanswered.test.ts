// Public incidents of other bots, repeated with this one: a missing answer was taken for a failure or for a success.
import { describe, expect, test } from 'vitest';
import { Stage } from '../story/stage.ts';
import { agree, always, everReported, isAction, ordersIn, playing, type Scene } from './scene.ts';

/** Number of levels of the grid. */
const LEVELS = 5;
const TAKING = { name: 'twap' };
/** One slice every 15 s, at no price below the lowest of the other traders. */
const [SLICE, LOWEST] = [250, 59_500];
const boughtAtMost = (slices: number): number => (slices * SLICE) / LOWEST;
const UNAVAILABLE = { status: 503, contentType: 'text/html', body: Buffer.from('<html>busy</html>') };

describe('hummingbot #493 and #3374', () => {
  // There, a request that timed out counted as a failed order, and another one was placed beside it. Here, an order without an answer occupies its
  // level until its end is proved.
  test('with slow answers no level has two orders', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(3);
    network.faults = always('answeredLate');
    network.applies = isAction;
    network.delay = () => 10_000;
    for (let second = 4; second <= 25; second++) {
      await stage.until(second);
      expect(mostOnOneSide({ stage, network }), `second ${second}`).toBeLessThanOrEqual(LEVELS);
    }
    expect(everReported(bot.lines, 'unknown').size).toBeGreaterThan(0);
    await agree({ stage, network }, bot, { late: 12, placed: 5 });
  });
});

describe('catalyst #317', () => {
  // There, an order whose reply timed out was sent repeatedly although the first had been executed. Here, a position is bought once, even if no
  // reply to an order ever arrives.
  test('without any reply the target is bought once', async () => {
    const { stage, network, bot } = await playing({ strategy: TAKING });
    network.corrupts = (reply, request) => (isAction(request) ? undefined : reply);
    await stage.until(58);
    expect(stage.foreign.state.position({ account: 4 })).toBeLessThanOrEqual(boughtAtMost(4));
    await agree({ stage, network }, bot, { placed: 2 });
  });
});

describe('crypto-trading-bot #53 and #120', () => {
  // There, a retry was queued before the fill of the order was known, and both were executed. Here, an order that may have been filled counts for
  // the intent, whether its fill or its answer arrives first.
  test('an order whose fill is reported before its answer is not placed again', () => {
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

describe('KRK-4 and KRK-9', () => {
  // There, after a server error a connector looked at the open orders and placed the missing order again, which had been filled at once. Here, an
  // error status is not an answer, and an order is missing only if orders, trades and position agree.
  test('an order is not sent again after a server error that followed its execution', async () => {
    const { stage, network, bot } = await playing({ strategy: TAKING });
    network.corrupts = (reply, request) => (isAction(request) ? UNAVAILABLE : reply);
    await stage.until(58);
    expect(stage.foreign.state.position({ account: 4 })).toBeLessThanOrEqual(boughtAtMost(4));
    await agree({ stage, network }, bot, { placed: 2 });
  });
});

describe('ibx #116', () => {
  // There, an order placed during a reconnect vanished silently, and a position was counted that did not exist. Here, an order that did not leave
  // is reported at once as not sent, and sent again when the network is back.
  test('orders are reported as not sent while the network is down', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(2);
    network.refuses = isAction;
    await stage.until(12);
    const unsent = ordersIn(bot.lines).filter(({ reason }) => reason === 'NOT_SENT');
    expect(unsent.length).toBeGreaterThan(0);
    network.refuses = () => false;
    await stage.until(30);
    expect(stage.recorder.between(13, 30)).not.toEqual([]);
    await agree({ stage, network }, bot);
  });
});

function mostOnOneSide({ stage }: Scene): number {
  const sides = stage.recorder.ownOrders.map(({ side }) => side);
  return Math.max(sides.filter((side) => side === 'bid').length, sides.filter((side) => side === 'ask').length);
}
