// The review: gates first, then each wanted order by importance, with the standing orders and the orders passed before it.
import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderIntent, Quote } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Candidate, Circumstances, Gate, Guard, Verdict } from '../../../src/bot/risk/guard.ts';
import { KeptVerdicts } from '../../../src/bot/risk/kept-verdicts.ts';
import { type Review, review } from '../../../src/bot/risk/review.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import { BTC, calmWorld, ETH, WorldBuilder } from '../world-builder.ts';

let builder: WorldBuilder;
let log: string[];
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
  log = [];
});

type Pair = readonly [price: number, size: number];
const levels = (pairs: readonly Pair[]) => pairs.map(([price, size]) => ({ price: BTC.restAt('bid', price), size: BTC.lots(size) }));
const quote = (bids: readonly Pair[], asks: readonly Pair[] = [], slack = 0): Quote => ({
  kind: 'quote',
  market: 0,
  bids: levels(bids),
  asks: levels(asks),
  slack: ticks(slack),
  fillMode: 'POST_ONLY',
});
const target = (position: number): OrderIntent => ({ kind: 'target', market: 0, position: BTC.lots(position), limit: ticks(600_000) });
const gate = (name: string, check: Gate['check']): Gate => ({ name, check });
const guard = (name: string, answer: (candidate: Candidate, circumstances: Circumstances) => Verdict): Guard => ({
  name,
  reads: [],
  review: (candidate, circumstances) => {
    log.push(`${name} ${candidate.side} ${BTC.price(candidate.price)}@${BTC.size(candidate.size)}`);
    return answer(candidate, circumstances);
  },
});
const pass: Verdict = { kind: 'pass' };
const shrink = (size: number): Verdict => ({ kind: 'shrink', size: BTC.lots(size), reason: 'too much' });
const refuse: Verdict = { kind: 'refuse', reason: 'not this one' };
const passing = guard('passing', () => pass);

function reviewed(intents: readonly OrderIntent[], guards: readonly Guard[] = [passing], gates: readonly Gate[] = []): Review {
  return review(intents, { rules: { gates, guards }, world: builder.world });
}

/** `bids 59000@1 asks`, or `position 0.5`, and the findings. */
function reviewLines({ approved, findings }: Review): string[] {
  const texts = approved.map(({ intent }) => {
    if (intent.kind === 'target') return `position ${BTC.size(intent.position)}`;
    const side = (name: 'bids' | 'asks') =>
      [name, ...intent[name].map(({ price, size }) => `${BTC.price(price)}@${BTC.size(size)}`)].join(' ');
    return `${side('bids')} ${side('asks')}`;
  });
  return [
    ...texts,
    ...findings.map(
      ({ guard: by, side, verdict, reason }) => `${by} ${side ?? '-'} ${verdict}: ${typeof reason === 'string' ? reason : reason()}`,
    ),
  ];
}

describe('gates', () => {
  const hold = gate('hold', () => ({ kind: 'hold', reason: 'blind' }));
  const withdraw = gate('withdraw', () => ({ kind: 'withdraw', reason: 'blind for long' }));

  test('that stop nothing pass everything', () => {
    const result = reviewed([quote([[59_000, 1]])], [passing], [gate('open', () => undefined)]);
    expect(reviewLines(result)).toEqual(['bids 59000@1 asks']);
    expect(result.held.size).toBe(0);
  });

  test('that hold pass nothing and run no guard; resting orders stay', () => {
    const result = reviewed([quote([[59_000, 1]])], [passing], [hold]);
    expect(reviewLines(result)).toEqual(['hold - hold: blind']);
    expect([...result.held]).toEqual([0]);
    expect(log).toEqual([]);
  });

  test('that withdraw pass nothing; resting orders are cancelled', () => {
    const result = reviewed([quote([[59_000, 1]])], [passing], [hold, withdraw]);
    expect(reviewLines(result)).toEqual(['hold - hold: blind', 'withdraw - refuse: blind for long']);
    expect([...result.held]).toEqual([]);
  });

  test('stop one market and not another, and report without any intent', () => {
    builder = new WorldBuilder([BTC, ETH]).account();
    const blind = gate('blind', (market) => (market.id === 1 ? { kind: 'hold', reason: 'dark' } : undefined));
    const { approved, held, findings } = reviewed([quote([[59_000, 1]])], [passing], [blind]);
    expect([approved.length, [...held], findings.map(({ market }) => market)]).toEqual([1, [1], [1]]);
  });
});

describe('guards', () => {
  test('run in their order, nearest levels first, both sides in turn', () => {
    reviewed([
      quote(
        [
          [59_000, 1],
          [58_000, 1],
        ],
        [
          [61_000, 1],
          [62_000, 1],
        ],
      ),
    ]);
    expect(log).toEqual(['passing bid 59000@1', 'passing ask 61000@1', 'passing bid 58000@1', 'passing ask 62000@1']);
  });

  test('see the size that the previous one allowed, and none runs after a refusal', () => {
    const half = guard('half', ({ size }) => shrink(BTC.size(size) / 2));
    expect(reviewLines(reviewed([quote([[59_000, 1]])], [half, half, passing]))).toEqual([
      'bids 59000@0.25 asks',
      'half bid shrink: too much',
      'half bid shrink: too much',
    ]);
    expect(log).toEqual(['half bid 59000@1', 'half bid 59000@0.5', 'passing bid 59000@0.25']);
    log = [];
    expect(reviewLines(reviewed([quote([[59_000, 1]])], [guard('no', () => refuse), passing]))).toEqual([
      'bids asks',
      'no bid refuse: not this one',
    ]);
    expect(log).toEqual(['no bid 59000@1']);
  });

  test('that shrink an order to 0 refuse it', () => {
    expect(reviewLines(reviewed([quote([[59_000, 1]])], [guard('none', () => shrink(0))]))).toEqual([
      'bids asks',
      'none bid refuse: too much',
    ]);
  });

  test('never enlarge an order, whatever they return', () => {
    expect(reviewLines(reviewed([quote([[59_000, 1]])], [guard('generous', () => shrink(5))]))[0]).toBe('bids 59000@1 asks');
  });

  test('see orders passed earlier in the turn in the exposure, among our orders and in their number', () => {
    const seen: unknown[] = [];
    const looking = guard('looking', (_, so) => {
      seen.push([so.exposure(0).bids, so.own(0).map(({ price, remaining }) => [price, remaining]), so.passed()]);
      return pass;
    });
    reviewed(
      [
        quote([
          [59_000, 1],
          [58_000, 2],
        ]),
      ],
      [looking],
    );
    expect(seen).toEqual([
      [0, [], 0],
      [10_000, [[590_000, 10_000]], 1],
    ]);
  });

  test('do not see refused orders', () => {
    const bids: number[] = [];
    const first = guard('first', (_, so) => {
      bids.push(so.exposure(0).bids);
      return bids.length === 1 ? refuse : pass;
    });
    reviewed(
      [
        quote([
          [59_000, 1],
          [58_000, 2],
        ]),
      ],
      [first],
    );
    expect(bids).toEqual([0, 0]);
  });

  test('see whether an order can only reduce the position', () => {
    builder.account({ position: 1 });
    const reducing: boolean[] = [];
    const looking = guard('looking', (candidate) => {
      reducing.push(candidate.reducing);
      return pass;
    });
    reviewed(
      [
        quote(
          [[59_000, 1]],
          [
            [61_000, 0.6],
            [62_000, 0.6],
          ],
        ),
      ],
      [looking],
    );
    expect(reducing).toEqual([false, true, false]); // bid, first ask, and an ask that could reverse it with the first
  });
});

const limit = (most: number) =>
  guard('limit', ({ size }, so) =>
    so.exposure(0).bids + size <= BTC.lots(most) ? pass : shrink(Math.max(0, most - BTC.size(so.exposure(0).bids))),
  );

describe('a resting order', () => {
  const many: Pair[] = [
    [59_000, 1],
    [58_000, 1],
    [57_000, 1],
  ];

  beforeEach(() => {
    for (const [index, [price, size]] of many.entries()) builder.placed({ side: 'bid', price, size, id: String(index + 1) });
  });

  test('does not count against itself', () => {
    expect(reviewLines(reviewed([quote(many)], [limit(3)]))).toEqual(['bids 59000@1 58000@1 57000@1 asks']);
  });

  test('is withdrawn if it would have to shrink, the farthest first', () => {
    expect(reviewLines(reviewed([quote(many)], [limit(2.5)]))).toEqual(['bids 59000@1 58000@1 asks', 'limit bid shrink: too much']);
  });

  test('counts until it is gone, even when withdrawn, so that no new order uses its share of a limit', () => {
    const wants: Pair[] = [...many, [56_000, 0.5]];
    expect(reviewLines(reviewed([quote(wants)], [limit(2.5)]))[0]).toBe('bids 59000@1 58000@1 asks');
  });

  test('counts for the standing orders after it until it is gone, even when withdrawn', () => {
    const seen: number[] = [];
    const nearest = guard('nearest', ({ price }, circumstances) => {
      seen.push(BTC.size(circumstances.exposure(0).bids));
      return BTC.price(price) === 59_000 ? refuse : pass;
    });
    expect(reviewLines(reviewed([quote(many)], [nearest]))[0]).toBe('bids 58000@1 57000@1 asks');
    expect(seen).toEqual([0, 1, 2]);
  });

  test('counts even if it is no longer wanted', () => {
    expect(reviewLines(reviewed([quote([[56_000, 1]])], [limit(3.5)]))).toEqual(['bids 56000@0.5 asks', 'limit bid shrink: too much']);
  });

  test('smaller than wanted, it keeps its size if a guard would shrink it again without it', () => {
    const wants: Pair[] = [
      [59_000, 1],
      [58_000, 1],
      [57_000, 2],
    ];
    const cut = 'limit bid shrink: too much';
    expect(reviewLines(reviewed([quote(wants)], [limit(3)]))).toEqual(['bids 59000@1 58000@1 57000@1 asks', cut]);
    expect(reviewLines(reviewed([quote(wants)], [limit(3.1)]))).toEqual(['bids 59000@1 58000@1 57000@1 asks', cut]); // its place is not worth it
    expect(reviewLines(reviewed([quote(wants)], [limit(3.9)]))).toEqual(['bids 59000@1 58000@1 asks']); // it is withdrawn first
    expect(reviewLines(reviewed([quote(wants)], [limit(5)]))).toEqual(['bids 59000@1 58000@1 57000@2 asks']);
    expect(reviewLines(reviewed([quote(wants)], [limit(2.9)]))).toEqual(['bids 59000@1 58000@1 asks', cut, cut]); // not even that size
  });

  test('smaller than wanted, it is not refused because of an order that is not sent', () => {
    const most = guard('most', ({ standing }) => (standing === undefined ? refuse : pass));
    expect(reviewLines(reviewed([quote([[59_000, 2]])], [most]))).toEqual(['bids 59000@1 asks']);
  });

  test('keeps its wanted size after partial fills', () => {
    builder.filled('1', 0.75);
    expect(reviewLines(reviewed([quote([[59_000, 1]])]))).toEqual(['bids 59000@1 asks']);
    expect(log).toEqual(['passing bid 59000@0.25']);
  });
});

describe('a target', () => {
  test('that is reached runs no guard', () => {
    builder.account({ position: 1 });
    expect(reviewLines(reviewed([target(1)]))).toEqual(['position 1']);
    expect(log).toEqual([]);
  });

  test('wants the missing size', () => {
    builder.account({ position: 1 });
    expect(reviewLines(reviewed([target(-0.5)]))).toEqual(['position -0.5']);
    expect(log).toEqual(['passing ask 60000@1.5']);
  });

  test('is shrunk towards the position', () => {
    builder.account({ position: 1 });
    const some = guard('some', () => shrink(0.2));
    expect(reviewLines(reviewed([target(2)], [some]))[0]).toBe('position 1.2');
    expect(reviewLines(reviewed([target(0)], [some]))[0]).toBe('position 0.8');
    expect(reviewLines(reviewed([target(2)], [guard('no', () => refuse)]))[0]).toBe('position 1');
  });
});

test('lots are never negative', () => {
  expect(reviewLines(reviewed([quote([[59_000, 1]])], [guard('mad', () => ({ kind: 'shrink', size: lots(-5), reason: 'mad' }))]))).toEqual([
    'bids asks',
    'mad bid refuse: mad',
  ]);
});

test('a verdict that depends on a new order of the same review is not kept', () => {
  const { world } = builder;
  const rules = { gates: [], guards: rulesFrom(limitsSchema.parse({})).guards.filter(({ name }) => name === 'self-trade') };
  const kept = new KeptVerdicts(rules, world.revisions);
  const refused = (asks: readonly Pair[]) =>
    review(
      [
        quote(
          [
            [59_000, 1],
            [60_500, 1],
          ],
          asks,
        ),
      ],
      { rules, world, kept },
    ).findings.length;
  expect([refused([[60_400, 1]]), refused([[60_800, 1]]), refused([[60_400, 1]])]).toEqual([1, 0, 1]);
});
