// What the bot does, line by line. Newcomers read this first.
import { describe, expect, test } from 'vitest';
import { worstPosition } from '../../src/world/position/exposure.ts';
import { Stage } from './stage.ts';

const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
`;

const played = (story: string, limits?: Readonly<Record<string, unknown>>): Stage => new Stage(limits).play(CALM).play(story);

describe('wants, not deeds', () => {
  test('a want is placed once, however often it is said', () => {
    played(`
      want bid 99.0@1, ask 101.0@1
      tick      => bid 99.0@1.0 as 1, ask 101.0@1.0 as 2
      tick
      opened 1
      opened 2
      account 1 2
      tick
    `);
  });

  test('what is no longer wanted is cancelled, cancels before placements', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      want bid 98.0@1
      tick      => cancel 1, bid 98.0@1.0 as 2
      tick
      cancelled 1
      opened 2
      account 2
      tick
    `);
  });

  test('an order within the slack stays where it is', () => {
    played(`
      want bid 99.0@1, slack 2
      tick      => bid 99.0@1.0 as 1
      opened 1
      want bid 99.2@1, slack 2
      tick
      want bid 99.3@1, slack 2
      tick      => cancel 1, bid 99.3@1.0 as 2
    `);
  });

  test('a partial fill keeps its place in the queue', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      position 0.4
      filled 1 0.4
      account 1
      tick
    `);
  });

  test('a filled order is wanted again only if the strategy says so', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      later 2
      position 1
      account
      want nothing
      filled 1 1
      tick
    `);
  });

  test('a refusal that says that the market is frozen holds it at once, on both sides, until live info asked for later says otherwise', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      rejected 1 MARKET_FROZEN
      want ask 101.0@1
      tick
      later 1
      tick
      info 100  => ask 101.0@1.0 as 2
    `);
  });

  test('an order that one account lacks keeps its level, and is not cancelled before more is known', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      account 1
      account
      filled
      tick
      want nothing
      tick
      account 1 => cancel 1
    `);
  });

  test('an order that one account lacks is cancelled all the same when the run ends', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      account 1
      account
      stop      => cancel 1
    `);
  });

  test('a target is reached by taking, counting what is on its way', () => {
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
  test('holds the want back until a pause has passed, longer each time', () => {
    played(`
      want bid 99.0@1
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
  test('locks its level and counts in the worst case', () => {
    const { world } = played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      unknown 1 1063
      tick
      account
      later 1
    `);
    expect(world.exposure(0)).toMatchObject({ low: 0, high: 10, bids: 0, asks: 0 });
    expect(worstPosition(world.exposure(0))).toBe(10);
  });

  test('is open once the account shows it', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      unknown 1 1063
      account 1
      want nothing
      tick      => cancel 1
    `);
  });

  test('is absent only when its bytes are dead, two accounts asked for after that lack it, and a round of trades after both reports none of it', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      unknown 1 1063
      account
      time 1063
      account
      time 1064
      account
      filled
      book 99.5@10 | 100.5@10
      later 2
      account
      filled    => bid 99.0@1.0 as 2
    `);
  });
});

describe('a cancel', () => {
  test('without an answer is tried again when a later account still shows the order', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      want nothing
      tick      => cancel 1
      account 1
      noAnswer 1
      account 1 => cancel 1
    `);
  });

  test('not found does not mean cancelled: the level stays taken until an account lacks the order', () => {
    const { world } = played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      want nothing
      tick      => cancel 1
      notFound 1
    `);
    expect(world.exposure(0).bids).toBe(10);
    expect(world.orders().length).toBe(1);
  });
});

describe('an account that stands still', () => {
  test('proves nothing and stops the trading', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      account (same)
      opened 1
      account (same)
      want bid 98.0@1
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
  ])('%s: nothing is sent, and trading resumes after', (_, bad, good) => {
    played(`
      ${bad}
      want bid 99.0@1
      tick
      tick
      ${good} => bid 99.0@1.0 as 1
    `);
  });

  test('what rests stays while the data is bad for a moment, and is withdrawn when it lasts', () => {
    played(`
      want bid 99.0@1
      tick      => bid 99.0@1.0 as 1
      opened 1
      account 1
      later 10
      later 25  => cancel 1
    `);
  });
});

describe('margins', () => {
  test('when omf falls to imf, what could increase the exposure is cancelled and what reduces it stays', () => {
    played(`
      position 1
      account
      want bid 99.0@1, ask 101.0@1
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
  test('stop cancels all, also while data is bad, and wants nothing more', () => {
    const { world } = played(`
      want bid 99.0@1, ask 101.0@1
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
