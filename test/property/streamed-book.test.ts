// Books from a socket with lost, repeated, reordered, delayed and cut messages: every accepted book is one that the exchange had under that number, and
// none counts as newer than a poll with a later number.
import { describe, expect, test } from 'vitest';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import { compareIds } from '../../src/bot/domain/ids.ts';
import { type BookDelta, DeltaBook } from '../../src/venues/shared/delta-book.ts';
import { StreamedMarket, stateOf } from '../naive/streamed-market.ts';

const SEEDS = 60;
const STEPS = 400;

interface Faults {
  readonly loss: number;
  readonly repeat: number;
  readonly reorder: number;
  readonly delay: number;
  /** The connection ends, and messages in flight are lost. */
  readonly cut: number;
  /** Frames are rarer than changes, so polls may show states between two frames. */
  readonly skips: boolean;
  /** The number grows without frames, so most polls have a number that no frame has. */
  readonly elsewhere: boolean;
}

const NONE: Faults = { loss: 0, repeat: 0, reorder: 0, delay: 0, cut: 0, skips: false, elsewhere: false };
const CASES: readonly (readonly [string, Faults])[] = [
  ['a faultless socket', NONE],
  ['lost frames', { ...NONE, loss: 0.1 }],
  ['repeated frames', { ...NONE, repeat: 0.2 }],
  ['frames in another order', { ...NONE, reorder: 0.2, delay: 0.3 }],
  ['delayed frames', { ...NONE, delay: 0.3 }],
  ['cut connections', { ...NONE, cut: 0.02 }],
  ['frames that skip states', { ...NONE, skips: true }],
  ['numbers that count other markets too', { ...NONE, elsewhere: true }],
  ['all of it', { loss: 0.05, repeat: 0.1, reorder: 0.1, delay: 0.2, cut: 0.01, skips: true, elsewhere: true }],
];

/** Plays one seed. Returns the numbers of accepted books and of sent frames. */
function played(seed: string, faults: Faults): { accepted: number; sent: number } {
  const rng = rngFrom(seed);
  const market = new StreamedMarket(rng.fork('market'));
  const chance = (likely: number): boolean => rng.next() < likely;
  const kept = new DeltaBook();
  /** Numbers shown by polls, with their request times. */
  const polls = new Map<number, string>();
  let way: BookDelta[] = [];
  let [accepted, sent] = [0, 0];

  const check = (result: ReturnType<DeltaBook['framed']>, now: number): void => {
    if (result === undefined) return;
    accepted += 1;
    const { book, asked } = result;
    if (stateOf(book) !== market.states.get(book.updateId))
      throw new Error(`${seed}, step ${now}: not the book of number ${book.updateId}`);
    const of = polls.get(asked);
    if (of === undefined || (compareIds(of, book.updateId) > 0 && market.states.get(of) !== stateOf(book)))
      throw new Error(`${seed}, step ${now}: younger than the poll at ${asked}`);
  };
  const poll = (now: number): void => {
    const value = market.book();
    polls.set(now, value.updateId);
    check(kept.polled({ kind: 'seen', value, asked: now, at: now }), now);
  };
  const send = (): void => {
    sent += 1;
    const frame = market.frame();
    if (chance(faults.loss)) return;
    way.push(frame);
    if (chance(faults.repeat)) way.push(frame);
    if (chance(faults.reorder)) way = swapped(way, rng);
  };

  for (let now = 1; now <= STEPS; now++) {
    market.move();
    if (!faults.skips || chance(0.5)) send();
    if (faults.elsewhere && chance(0.7)) market.count();
    if (chance(0.2)) poll(now);
    while (way.length > 0 && !chance(faults.delay)) check(kept.framed(way.shift()!), now);
    if (!chance(faults.cut)) continue;
    way = [];
    kept.reset();
  }
  return { accepted, sent };
}

function swapped(way: readonly BookDelta[], rng: Rng): BookDelta[] {
  const others = [...way];
  const at = Math.floor(rng.next() * others.length);
  return [...others.slice(at), ...others.slice(0, at)];
}

describe.each(CASES)('%s', (name, faults) => {
  test('no wrong book is accepted', () => {
    let [accepted, sent] = [0, 0];
    for (let seed = 0; seed < SEEDS; seed++) {
      const result = played(`${name} ${seed}`, faults);
      accepted += result.accepted;
      sent += result.sent;
    }
    expect(accepted / sent).toBeGreaterThan(faults === NONE ? 0.9 : 0.2);
  });
});

test('the model detects a book that accepts every frame', () => {
  const rng = rngFrom('credulous');
  const market = new StreamedMarket(rng);
  const levels = new Map(market.book().bids.map(({ price, size }) => [price, size]));
  let wrong = 0;
  for (let step = 0; step < 200; step++) {
    market.move();
    const { bids } = market.frame();
    if (rng.next() < 0.1) continue;
    for (const { price, size } of bids) {
      if (size > 0) levels.set(price, size);
      else levels.delete(price);
    }
    const shown = market.book().bids;
    if (shown.length !== levels.size || shown.some(({ price, size }) => levels.get(price) !== size)) wrong += 1;
  }
  expect(wrong).toBeGreaterThan(10);
});
