// Public incidents of other bots with missing answers, repeated with this one, that take longer than those of the fast file beside.
import { describe, expect, test } from 'vitest';
import { agree, everReported, isAction, playing } from './scene.ts';

describe('BitBot #27', () => {
  // There, a sell timed out and was sent again, and its cancel timed out as well: two sales, and the bot counted none. Here, cancels without an
  // answer prove nothing either: orders filled meanwhile are reported as filled, and no order is left.
  test('the true end of orders and cancels without an answer is reported', async () => {
    const { stage, network, bot } = await playing();
    await stage.until(4);
    network.corrupts = (reply, request) => (isAction(request) ? undefined : reply);
    await stage.until(30);
    const lines = await agree({ stage, network }, bot, { late: 80 });
    expect(everReported(lines, 'filled').size).toBeGreaterThan(0);
  });
});

describe('zenbot #176', () => {
  // There, the connection was reset after an order had arrived. The bot reported it as not placed and left it. Here, the order is found and
  // managed: it is neither forgotten nor placed again.
  test('orders that arrived before a connection reset are found', async () => {
    const { stage, network, bot } = await playing();
    const found = (): string[] => [...everReported(bot.lines, 'unknown')].filter((name) => everReported(bot.lines, 'open').has(name));
    for (let sent = 4; found().length === 0 && sent < 400; sent++) {
      await stage.untilSent(sent); // the answer may have arrived, or the order may still be in flight
      network.down(1);
      await stage.until(stage.second + 5);
    }
    expect(found().length).toBeGreaterThan(0);
    await agree({ stage, network }, bot, { placed: 4 });
  });
});
