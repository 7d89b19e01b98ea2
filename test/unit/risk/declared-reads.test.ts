// Every guard declares what it reads; it would not be run again when an undeclared input changes.
import { describe, expect, test } from 'vitest';
import { type Guard, PASS, verdictOf } from '../../../src/bot/risk/guard.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import type { GuardInput } from '../../../src/bot/world/revisions.ts';
import { BTC, calmWorld, WorldBuilder } from '../world-builder.ts';
import { strict } from './declared-reads.ts';
import { candidateOf, circumstancesOf, foreign, type ProposedOrder, standingOf } from './verdicts.ts';

const calm = () => calmWorld({ bid: 59_999, ask: 60_001 });
const busy = () =>
  calm()
    .account({ position: 0.5, others: [foreign({})] })
    .placed({ side: 'bid', price: 59_000, size: 0.01, id: '1' })
    .pending({ side: 'ask', price: 61_000, size: 0.01, id: '2' })
    .unknown('2', 9e9)
    .round();
const closing = () =>
  busy()
    .apply((at) => ({ kind: 'command', at, command: 'mode', mode: 'close-only', reason: 'a test' }))
    .apply((at) => ({ kind: 'healthSeen', at, stream: 'journal', healthy: false, reason: 'a test' }));

const WORLDS: readonly (readonly [string, () => WorldBuilder])[] = [
  ['nothing known', () => new WorldBuilder([BTC])],
  ['calm', calm],
  ['with orders and a position', busy],
  ['closing, without a journal', closing],
];
const WANTS: readonly ProposedOrder[] = (['bid', 'ask'] as const).flatMap((side) =>
  [0.001, 1, 1_000].map((size) => ({ side, size, price: side === 'bid' ? 60_100 : 59_900 })),
);

describe.each(rulesFrom(limitsSchema.parse({})).guards)('the guard $name', (guard) => {
  test.each(WORLDS)('reads only the inputs that it declares: %s', (_, build) => {
    const { world } = build();
    const circumstances = circumstancesOf(world);
    const standing = world.orders().map(({ clientOrderId, side }) => ({ side, standing: standingOf(world, clientOrderId) }));
    for (const want of WANTS) {
      const orders = standing.filter(({ side }) => side === want.side).map((order) => ({ ...want, ...order }));
      for (const each of [want, ...orders]) verdictOf(strict(guard), candidateOf(world, each), circumstances);
    }
  });
});

const of = (review: Guard['review'], reads: readonly GuardInput[] = []) => {
  const { world } = busy();
  const candidate = candidateOf(world, { side: 'bid', price: 59_000, size: 0.01, standing: standingOf(world, '1') });
  return () => strict({ name: 'new', reads, review }).review(candidate, circumstancesOf(world));
};
const using =
  (use: (...args: Parameters<Guard['review']>) => unknown): Guard['review'] =>
  (candidate, circumstances) => {
    use(candidate, circumstances);
    return PASS;
  };

describe('a guard with an undeclared input', () => {
  test.each<[GuardInput, Guard['review']]>([
    ['book', using((_, { world }) => world.book(0))],
    ['info', using((_, { world }) => world.info(0))],
    ['account', using((_, { world }) => world.account?.value.margins)],
    ['orders', using((_, circumstances) => circumstances.own(0))],
    ['orders', using(({ standing }) => standing?.status)],
    ['exposure', using(({ reducing }) => reducing)],
    ['mode', using((_, { world }) => world.mode)],
    ['time', using((_, { world }) => world.now)],
  ])('fails here: %s', (input, review) => {
    expect(of(review)).toThrow(`does not declare that it reads ${input}`);
    expect(of(review, [input])()).toEqual(PASS);
  });

  test('fails here if it reads an age without declaring time', () => {
    expect(
      of(
        using((_, { world }) => world.account?.asked),
        ['account'],
      ),
    ).toThrow('account.asked, but does not declare that it reads time');
  });

  test('fails here if it reads a member that guards may not read', () => {
    expect(of(using((_, { world }) => world.takeAlarms()))).toThrow('not for guards');
  });
});
