// Why a turn sends nothing, line by line.
import { expect, test } from 'vitest';
import { Stage } from './stage.ts';

const CALM = `
  time 1000
  info 100
  account
  book 99.5@10 | 100.5@10
`;

/** The cause of the last turn, with its names. */
function causeAfter(script: string, limits?: Readonly<Record<string, unknown>>): string | undefined {
  const { turns } = new Stage(limits).play(script);
  const { idle } = turns.at(-1)!;
  return idle === undefined ? undefined : [idle.kind, ...('by' in idle ? idle.by : [])].join(' ');
}

const RESTING = `${CALM}
  quote bid 99.0@1
  tick      => bid 99.0@1.0 as 1
  opened 1
  account 1`;

test.each([
  ['a strategy that returns nothing', `${CALM} tick`, 'nothingReturned'],
  ['orders that rest as wanted', `${RESTING}\n tick`, undefined],
  ['data that is too old', `${RESTING}\n later 5`, 'held data-age'],
  ['no account', 'tick', 'held data-age account'],
  ['a mode in which the strategy is not called', `${CALM} mode halted\n tick`, 'held mode'],
  ['a pause after a refusal', `${CALM}\n quote bid 99.0@1\n tick => bid 99.0@1.0 as 1\n rejected 1 RISK`, 'held hold-back'],
])('%s', (_, script, expected) => {
  expect(causeAfter(script)).toBe(expected);
});

test('a guard that refuses comes before all others', () => {
  const limits = { 'order-size': { maxNotional: 5 } };
  expect(causeAfter(`${CALM} quote bid 99.0@1\n tick`, limits)).toBe('refused order-size');
});

const POST_ONLY = 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS';

test('after the third refusal of a post-only level that the market has passed, a finding names postOnly, until it is no longer wanted', () => {
  const stage = new Stage().play(`${CALM}
    quote bid 101.0@1
    tick      => bid 101.0@1.0 as 1
    rejected 1 ${POST_ONLY}
    later 1   => bid 101.0@1.0 as 2
    rejected 2 ${POST_ONLY}
    book 99.5@10 | 100.5@10
    account
    info 100
    later 1   => bid 101.0@1.0 as 3
  `);
  expect(stage.turns.flatMap(({ findings }) => findings).filter(({ guard }) => guard === 'post-only')).toEqual([]);
  stage.play(`rejected 3 ${POST_ONLY}`);
  expect(stage.turns.at(-1)!.findings).toMatchObject([{ guard: 'post-only', side: 'bid', verdict: 'hold' }]);
  expect(stage.turns.at(-1)!.findings[0]!.reason).toMatch(/refused 3 orders at 101\.0 .*postOnly: false/);
  expect(stage.turns.at(-1)!.idle).toEqual({ kind: 'held', by: ['post-only'] });
  stage.play(`
    quote nothing
    tick`);
  expect(stage.turns.at(-1)!.ended).toMatchObject([{ guard: 'post-only' }]);
});

test('refusals of other levels, or for other reasons, are no finding', () => {
  const stage = new Stage().play(`${CALM}
    quote bid 101.0@1
    tick      => bid 101.0@1.0 as 1
    rejected 1 ${POST_ONLY}
    quote bid 101.1@1
    later 1   => bid 101.1@1.0 as 2
    rejected 2 RISK
    book 99.5@10 | 100.5@10
    account
    info 100
    later 1   => bid 101.1@1.0 as 3
    rejected 3 RISK
    book 99.5@10 | 100.5@10
    account
    info 100
    later 2   => bid 101.1@1.0 as 4
    rejected 4 RISK
  `);
  expect(stage.turns.flatMap(({ findings }) => findings).filter(({ guard }) => guard === 'post-only')).toEqual([]);
});

test('an order that is accepted at the level begins the count anew', () => {
  const stage = new Stage().play(`${CALM}
    quote bid 101.0@1
    tick      => bid 101.0@1.0 as 1
    rejected 1 ${POST_ONLY}
    later 1   => bid 101.0@1.0 as 2
    rejected 2 ${POST_ONLY}
    book 100.5@10 | 101.5@10
    account
    info 100
    later 1   => bid 101.0@1.0 as 3
    opened 3
    account 3
  `);
  expect(stage.world.holdback.postOnlyRefusals({ market: 0, side: 'bid' })).toBe(undefined);
});
