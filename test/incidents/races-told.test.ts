// The race table, reported to the engine alone: which of two messages comes first, and what the bot makes of it. `=>` is what it does about a line.
import { describe, expect, test } from 'vitest';
import { worstPosition } from '../../src/world/position/exposure.ts';
import { Stage } from '../story/stage.ts';

const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
`;
const RESTING = `
  want bid 99.0@1
  tick              => bid 99.0@1.0 as 1
  opened 1
  account 1
  filled
  tick
`;

/** Time enough for two looks that agree. */
const LOOKED_TWICE = `
  later 3
  account
  filled
  later 3
  account
  filled
`;

/** Each with how the order named 1 has ended, or what it still is. */
const RACES: readonly (readonly [name: string, story: string, end: string])[] = [
  [
    'R-11 the answer comes after it was given up, and before the fence: it is the best evidence',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      tick
      opened 1
      account 1
      tick
    `,
    'open',
  ],
  [
    'R-25 the exchange has stopped its clock: an unknown order stays unknown, for as long as it takes',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      later 100
      time 1000
      account
      filled
      later 100
      time 1000
      account
      filled
    `,
    'unknown',
  ],
  [
    'R-26 its clock leaps: the fence is past at once, and one account is not enough',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      time 9000
      account
      filled
    `,
    'unknown',
  ],
  [
    'R-27 its clock goes back before the second look: bytes that were dead are alive again',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      time 1064
      account
      filled
      time 1030
      ${LOOKED_TWICE}
    `,
    'unknown',
  ],
  [
    'R-27 its clock goes back after both looks: what they reported was of another time',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      time 1064
      account
      later 3
      account
      time 1030
      later 3
      filled
    `,
    'unknown',
  ],
  [
    'R-27 its clock went back and comes again to where it was: after that two looks are enough',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      time 1064
      account
      time 1030
      account
      time 1064
      ${LOOKED_TWICE}
    `,
    'cancelled',
  ],
  [
    'R-28 the order is listed before its answer comes',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      account 1
      tick
      opened 1
      account 1
      tick
    `,
    'open',
  ],
  [
    'R-29 its fill is reported before its answer, and before it is listed',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      want nothing
      filled 1 1
      tick
      opened 1
      position 1
      ${LOOKED_TWICE}
    `,
    'filled',
  ],
  [
    'R-30 it is filled in parts between two polls, and gone at the second',
    `${RESTING}
      want nothing
      tick              => cancel 1
      filled 1 0.4
      filled 1 0.6
      position 1
      account
      filled
      account
      filled
    `,
    'filled',
  ],
  [
    'R-31 a cancel meets an order that fills: not found, and then the fill',
    `${RESTING}
      want nothing
      tick              => cancel 1
      notFound 1
      position 1
      account
      filled 1 1
      account
      filled
    `,
    'filled',
  ],
  [
    'R-32 the answer to a cancel is lost: it is sent again, and finds nothing',
    `${RESTING}
      want nothing
      tick              => cancel 1
      noAnswer 1
      account 1         => cancel 1
      notFound 1
      account
      filled
      ${LOOKED_TWICE}
    `,
    'cancelled',
  ],
  [
    'R-34 a stop while an order is unknown: nothing is over before the fence',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      stop
      account
      filled
      account
      filled
    `,
    'unknown',
  ],
  [
    'R-35 an order is accepted after the account in which it was looked for: it is cancelled when it shows',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      stop
      account
      opened 1          => cancel 1
      cancelled 1
      ${LOOKED_TWICE}
    `,
    'cancelled',
  ],
  [
    'R-36 an account that was asked for before the order, and comes after it, proves nothing',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      opened 1
      account (same)
      filled
      tick
    `,
    'open',
  ],
  [
    'R-42 the strategy says its want again while the first order for it is unknown',
    `
      want bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      want bid 99.0@1
      tick
      want bid 99.0@1
      later 30
    `,
    'unknown',
  ],
];

describe('races', () => {
  test.each(RACES)('%s', (_, story, end) => {
    const stage = new Stage().play(CALM).play(story);
    expect(endOf(stage)).toBe(end);
  });
});

test('R-33 an order and the one in its place both count until the first is proved gone: the old one fills, and the limit holds', () => {
  const stage = new Stage({ position: { maxNotional: 190 } }).play(CALM).play(RESTING);
  stage.play(`
    want bid 98.0@1
    tick              => cancel 1, bid 98.0@0.9 as 2
    opened 2
    filled 1 1
    position 1
    account 2
    tick
  `);
  expect(worstPosition(stage.world.exposure(0))).toBe(19);
});

test('a want that a limit cuts in half: what was placed of it stays', () => {
  new Stage({ position: { maxNotional: 50 } }).play(CALM).play(`
    want bid 98.0@1
    tick              => bid 98.0@0.5 as 1
    opened 1
    account 1
    tick
  `);
});

/** The last that was said of the order named 1. */
const endOf = ({ turns }: Stage): string | undefined =>
  turns.flatMap(({ changes }) => changes.filter(({ order }) => order.clientOrderId === '1').map(({ status }) => status)).at(-1);
