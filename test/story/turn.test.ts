// The behaviour of the bot, line by line. Read this test first.
import { describe, expect, test } from 'vitest';
import { worstPosition } from '../../src/bot/world/exposure.ts';
import { Stage } from './stage.ts';

const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
`;

const played = (script: string, limits?: Readonly<Record<string, unknown>>): Stage => new Stage(limits).play(CALM).play(script);

describe('intents', () => {
  test('a repeated intent is placed once', () => {
    played(`
      quote bid 99.0@1, ask 101.0@1
      tick      => bid 99.0@1.0 as 1, ask 101.0@1.0 as 2
      tick
      opened 1
      opened 2
      account 1 2
      tick
    `);
  });

  test('an order without an intent is cancelled; cancels precede placements', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      quote bid 98.0@1
      tick      => cancel 1, bid 98.0@1.0 as 2
      tick
      cancelled 1
      opened 2
      account 2
      tick
    `);
  });

  test('an order within the slack is not moved', () => {
    played(`
      quote bid 99.0@1, slack 2
      tick      => bid 99.0@1.0 as 1
      opened 1
      quote bid 99.2@1, slack 2
      tick
      quote bid 99.3@1, slack 2
      tick      => cancel 1, bid 99.3@1.0 as 2
    `);
  });

  test('a partial fill keeps its place in the queue', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      position 0.4
      filled 1 0.4
      account 1
      tick
    `);
  });

  test('a filled order is placed again only if the strategy still returns it', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      later 2
      position 1
      account
      quote nothing
      filled 1 1
      tick
    `);
  });

  test('a refusal with "market frozen" blocks both sides until newer live info shows an open market', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      rejected 1 MARKET_FROZEN
      quote ask 101.0@1
      tick
      later 1
      tick
      info 100  => ask 101.0@1.0 as 2
    `);
  });

  test('an order that one account lacks keeps its level and is not cancelled yet', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      account 1
      account
      filled
      tick
      quote nothing
      tick
      account 1 => cancel 1
    `);
  });

  test('an order that one account lacks is cancelled when the run ends', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      account 1
      account
      stop      => cancel 1
    `);
  });

  test('a target is reached with taking orders, and orders in flight count', () => {
    played(`
      hold 2 at 100.6
      tick      => take bid 100.6@2.0 as 1
      tick
      took 1 100.5@2
      tick
      position 2
      account
      tick
      hold 1 at 99.4
      tick      => take ask 99.4@1.0 as 2
    `);
  });
});

describe('a refusal', () => {
  test('pauses the intent, longer after each refusal', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      rejected 1 POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS
      tick
      later 1   => bid 99.0@1.0 as 2
      rejected 2 POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS
      book 99.5@10 | 100.5@10
      later 0.5
      later 1   => bid 99.0@1.0 as 3
    `);
  });
});

describe('an order without a definite answer', () => {
  test('blocks its level and counts in the worst case', () => {
    const { world } = played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      unknown 1 1063
      tick
      account
      later 1
    `);
    expect(world.exposure(0)).toMatchObject({ low: 0, high: 10, bids: 0, asks: 0 });
    expect(worstPosition(world.exposure(0))).toBe(10);
  });

  test('is open when the account shows it', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      unknown 1 1063
      account 1
      quote nothing
      tick      => cancel 1
    `);
  });

  test('is absent only when its message has expired and two later accounts and a later poll of trades lack it', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      unknown 1 1063
      time 1064
      account
      later 2
      account
      filled
      later 61
      account
      time 1063
      account
      time 1064
      account
      filled
      book 99.5@10 | 100.5@10
      info 100
      later 2
      account
      filled    => bid 99.0@1.0 as 2
    `);
  });
});

describe('a cancel', () => {
  test('without an answer is sent again when a later account still shows the order', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      quote nothing
      tick      => cancel 1
      account 1
      noAnswer 1
      account 1 => cancel 1
    `);
  });

  test('answered with "not found" keeps the level occupied until an account lacks the order', () => {
    const { world } = played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      quote nothing
      tick      => cancel 1
      notFound 1
    `);
    expect(world.exposure(0).bids).toBe(10);
    expect(world.orders().length).toBe(1);
  });
});

describe('an account that does not change', () => {
  test('proves nothing and stops trading', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      account (same)
      opened 1
      account (same)
      quote bid 98.0@1
      tick
      account 1 => cancel 1, bid 98.0@1.0 as 2
    `);
  });
});

describe('bad data', () => {
  test.each([
    ['a crossed book', 'book 100.5@1 | 99.5@1', 'book 99.5@1 | 100.5@1'],
    ['an empty book', 'book |', 'book 99.5@1 | 100.5@1'],
    ['an absurd book', 'book 99500@1 | 100500@1', 'book 99.5@1 | 100.5@1'],
    ['null prices', 'info null', 'info 100'],
    ['a frozen market', 'info 100 frozen', 'info 100'],
  ])('%s: nothing is sent until the data are good again', (_, bad, good) => {
    played(`
      ${bad}
      quote bid 99.0@1
      tick
      tick
      ${good} => bid 99.0@1.0 as 1
    `);
  });

  test('resting orders stay during short bad data and are cancelled if it lasts', () => {
    played(`
      quote bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      account 1
      later 10
      later 25  => cancel 1
    `);
  });
});

describe('margins', () => {
  test('when omf falls to imf, orders that could increase the exposure are cancelled and reducing ones stay', () => {
    played(`
      position 1
      account
      quote bid 99.0@1, ask 101.0@1
      tick      => bid 99.0@1.0 as 1, ask 101.0@1.0 as 2
      opened 1
      opened 2
      account 1 2
      margins 5000 5000
      account 1 2 => cancel 1
      cancelled 1
      account 2
      tick
      margins 100000 0
      account 2 => bid 99.0@1.0 as 3
    `);
  });
});

describe('the end', () => {
  test('stop cancels all orders, also with bad data, and places nothing more', () => {
    const { world } = played(`
      quote bid 99.0@1, ask 101.0@1
      tick      => bid 99.0@1.0 as 1, ask 101.0@1.0 as 2
      opened 1
      opened 2
      book 100.5@1 | 99.5@1
      stop      => cancel 1, cancel 2
      cancelled 1
      cancelled 2
      later 2
      account
      filled
    `);
    expect(world.settled).toBe(true);
  });
});
