// The race table, played with the engine alone: orders of messages and the reactions of the bot. The reaction to a line follows `=>`.
import { describe, expect, test } from 'vitest';
import { worstPosition } from '../../src/bot/world/exposure.ts';
import { Stage } from '../story/stage.ts';

const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
`;
const RESTING = `
  quote bid 99.0@1
  tick              => bid 99.0@1.0 as 1
  opened 1
  account 1
  filled
  tick
`;

/** Two accounts that agree, with enough time between them. */
const TWO_ACCOUNTS = `
  later 3
  account
  filled
  later 3
  account
  filled
`;

/** Races, each with the final or present status of order 1. */
const RACES: readonly (readonly [name: string, script: string, end: string])[] = [
  [
    'R-11 the answer arrives after the timeout and before the fence: it decides',
    `
      quote bid 99.0@1
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
    'R-25 the exchange clock stops: an unknown order stays unknown',
    `
      quote bid 99.0@1
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
    'R-26 the exchange clock jumps forward past the fence: one account is not enough',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      time 9000
      account
      filled
    `,
    'unknown',
  ],
  [
    'R-27 the exchange clock goes back before the second account: the message is valid again',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      later 63
      time 1064
      account
      filled
      time 1030
      ${TWO_ACCOUNTS}
    `,
    'unknown',
  ],
  [
    'R-27 the exchange clock goes back after both accounts: they prove nothing',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      later 63
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
    'R-27 the exchange clock goes back and catches up: then two accounts are enough',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      later 63
      time 1064
      account
      time 1030
      account
      time 1064
      ${TWO_ACCOUNTS}
    `,
    'cancelled',
  ],
  [
    'R-28 the order is listed before its answer arrives',
    `
      quote bid 99.0@1
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
    'R-29 the fill is reported before the answer and before the listing',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      quote nothing
      filled 1 1
      tick
      opened 1
      position 1
      ${TWO_ACCOUNTS}
    `,
    'filled',
  ],
  [
    'R-30 the order is filled in parts between two polls and gone at the second',
    `${RESTING}
      quote nothing
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
    'R-31 the order fills before its cancel: not found, then the fill',
    `${RESTING}
      quote nothing
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
    'R-32 the answer to a cancel is lost: the cancel is sent again and finds no order',
    `${RESTING}
      quote nothing
      tick              => cancel 1
      noAnswer 1
      account 1         => cancel 1
      notFound 1
      account
      filled
      ${TWO_ACCOUNTS}
    `,
    'cancelled',
  ],
  [
    'R-34 a stop while an order is unknown: the run does not end before the fence',
    `
      quote bid 99.0@1
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
    'R-35 an order is accepted after the accounts that lacked it: it is cancelled when it appears',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      stop
      account
      opened 1          => cancel 1
      cancelled 1
      ${TWO_ACCOUNTS}
    `,
    'cancelled',
  ],
  [
    'R-36 an account that was requested before the order and arrives after it proves nothing',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      opened 1
      account (same)
      filled
      tick
    `,
    'open',
  ],
  [
    'R-42 the strategy repeats its intent while the first order is unknown',
    `
      quote bid 99.0@1
      tick              => bid 99.0@1.0 as 1
      unknown 1 1063
      quote bid 99.0@1
      tick
      quote bid 99.0@1
      later 30
    `,
    'unknown',
  ],
];

describe('races', () => {
  test.each(RACES)('%s', (_, script, end) => {
    const stage = new Stage().play(CALM).play(script);
    expect(endOf(stage)).toBe(end);
  });
});

test('R-33 an order and its replacement both count until the first is proved gone: the old one fills, and the limit holds', () => {
  const stage = new Stage({ position: { maxNotional: 190 } }).play(CALM).play(RESTING);
  stage.play(`
    quote bid 98.0@1
    tick              => cancel 1, bid 98.0@0.9 as 2
    opened 2
    filled 1 1
    position 1
    account 2
    tick
  `);
  expect(worstPosition(stage.world.exposure(0))).toBe(19);
});

test('an intent that a limit cuts in half keeps its placed part', () => {
  new Stage({ position: { maxNotional: 50 } }).play(CALM).play(`
    quote bid 98.0@1
    tick              => bid 98.0@0.5 as 1
    opened 1
    account 1
    tick
  `);
});

/** Returns the last reported status of order 1. */
const endOf = ({ turns }: Stage): string | undefined =>
  turns.flatMap(({ changes }) => changes.filter(({ order }) => order.clientOrderId === '1').map(({ status }) => status)).at(-1);
