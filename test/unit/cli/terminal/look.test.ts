// The picture that is made of a world: what a person needs of it, as text.
import { describe, expect, test } from 'vitest';
import { look } from '../../../../src/cli/terminal/look.ts';
import type { Picture } from '../../../../src/cli/terminal/picture.ts';
import { type Micros, toMicros } from '../../../../src/domain/numbers.ts';
import { calmWorld, START, WorldBuilder } from '../../world-builder.ts';

const SIGHT = { title: { strategy: 'grid', exchange: 'embedded', run: 'r' }, startedAt: START, pnl: '1.00' };
const LATEST = { alarms: [], findings: [], fills: [], changes: [], logs: [] };

const pictureOf = ({ world }: WorldBuilder, later = 0): Picture => look(world, { ...SIGHT, now: world.now + later, latest: LATEST });
const money = (amount: number): Micros => toMicros(amount) ?? (0 as Micros);

test('before anything was seen nothing is made up', () => {
  const { state, account, session, ages, markets } = pictureOf(new WorldBuilder());
  expect([state, account, session]).toEqual([{ kind: 'waiting' }, undefined, undefined]);
  expect(ages.map(({ ageMs }) => ageMs)).toEqual([undefined, undefined, undefined, undefined]);
  expect(markets).toEqual([{ symbol: 'BTCUSDC', book: { bid: [], ask: [] }, orders: { bid: [], ask: [] }, position: undefined }]);
});

describe('a market', () => {
  const world = new WorldBuilder()
    .info({ price: 100.5 })
    .book(
      [
        [100, 1],
        [99, 2],
      ],
      [[101, 1]],
    )
    .account({ balance: 1_000, position: -0.5, entry: 100.25 })
    .placed({ side: 'bid', price: 99, size: 0.1 })
    .placed({ side: 'bid', price: 100, size: 0.2 })
    .placed({ side: 'bid', price: 99, size: 0.3 });
  const [market] = pictureOf(world).markets;

  test('its book is marked where our orders are', () => {
    expect(market?.book.bid).toEqual([
      { price: '100.0', size: '1.0000', own: '0.2000' },
      { price: '99.0', size: '2.0000', own: '0.4000' },
    ]);
    expect(market?.book.ask).toEqual([{ price: '101.0', size: '1.0000', own: undefined }]);
  });

  test('our orders come nearest first', () => {
    expect(market?.orders.bid.map(({ price, remaining, status }) => `${remaining}@${price} ${status}`)).toEqual([
      '0.2000@100.0 open',
      '0.1000@99.0 open',
      '0.3000@99.0 open',
    ]);
  });

  test('the position has its sign and its entry', () => {
    expect(market?.position).toEqual({ size: '-0.5000', entry: '100.3', pnl: '0.00' });
  });
});

describe('margins', () => {
  test('imf and cmf are held against omf, mmf against mf', () => {
    expect(shares({ omf: 100, mf: 200, imf: 50, cmf: 25, mmf: 20 })).toEqual([0.5, 0.25, 0.1]);
  });

  test('nothing required is no danger, and something without anything there is the worst', () => {
    expect(shares({ omf: 0, mf: 0, imf: 0, cmf: 0, mmf: 0 })).toEqual([0, 0, 0]);
    expect(shares({ omf: -5, mf: 0, imf: 1, cmf: 1, mmf: 1 })).toEqual([1, 1, 1]);
  });
});

test('the session ends by the engine clock, which goes on between two answers', () => {
  const world = calmWorld({ bid: 100, ask: 101 })
    .apply((at) => ({ kind: 'timeSeen', at, asked: at, engineSeconds: 1_050 }))
    .apply((at) => ({ kind: 'sessionSeen', at, opened: 1_000, expires: 1_100 }));
  const { session } = pictureOf(world, 9_999);
  expect(session).toEqual({ leftMs: 40_000, share: 0.4 });
  expect(pictureOf(world, 99_999).session).toEqual({ leftMs: 0, share: 0 });
});

test('ages count from the request, and grow until the next answer', () => {
  const world = calmWorld({ bid: 100, ask: 101 }).apply((at) => ({ kind: 'timeSeen', at, asked: at - 200, engineSeconds: 1 }));
  const ages = Object.fromEntries(pictureOf(world, 1_000).ages.map(({ stream, ageMs }) => [stream, ageMs]));
  expect(ages).toEqual({ book: 1_002, info: 1_003, account: 1_001, time: 1_200 });
});

test('shows unhealthy streams, and why a run stops', () => {
  const world = calmWorld({ bid: 100, ask: 101 })
    .apply((at) => ({ kind: 'healthSeen', at, stream: 'book', market: 0, healthy: false, reason: 'the book is late' }))
    .apply((at) => ({ kind: 'command', at, command: 'stop', reason: 'Ctrl-C' }));
  expect(pictureOf(world)).toMatchObject({ faults: ['the book is late'], state: { kind: 'stopping', reason: 'Ctrl-C' } });
});

/** Of imf, cmf and mmf, as the bars show them. */
function shares({ omf, mf, imf, cmf, mmf }: Readonly<Record<'omf' | 'mf' | 'imf' | 'cmf' | 'mmf', number>>): readonly number[] {
  const numerators = { omf: money(omf), mf: money(mf), imf: money(imf), cmf: money(cmf), mmf: money(mmf) };
  const account = { id: 7, updateId: '900', balances: [], positions: [], orders: [] };
  const all = { ...numerators, pon: money(0), pn: money(0), bankruptcy: false };
  const world = new WorldBuilder().apply((at) => ({ kind: 'accountSeen', at, asked: at, account: { ...account, margins: all } }));
  return pictureOf(world).account?.margins.map(({ share }) => share) ?? [];
}
