// Lists that are created once, and again only after a change.
import { expect, test } from 'vitest';
import { MapWithLists } from '../../../src/bot/world/orders/map-with-lists.ts';
import { Revisions } from '../../../src/bot/world/revisions.ts';

const ours = () => {
  const listed = new MapWithLists<string, { readonly market: number; readonly name: string }>(new Revisions());
  for (const [id, market] of Object.entries({ a: 0, b: 1, c: 0 })) listed.set(id, { market, name: id });
  return listed;
};
const names = (listed: ReturnType<typeof ours>, market?: number): string =>
  listed
    .list(market)
    .map(({ name }) => name)
    .join('');

test('lists all values, or those of one market, in the order of insertion', () => {
  expect([names(ours()), names(ours(), 0), names(ours(), 1), names(ours(), 2)]).toEqual(['abc', 'ac', 'b', '']);
});

test('returns the same list as long as nothing changes', () => {
  const listed = ours();
  expect(listed.list(0)).toBe(listed.list(0));
  expect(listed.list()).toBe(listed.list());
  listed.delete('unknown');
  expect(listed.list(0)).toBe(listed.list(0));
});

test.each([
  ['set', (listed: ReturnType<typeof ours>) => listed.set('a', { market: 0, name: 'A' }), 'Abc', 'Ac'],
  ['delete', (listed: ReturnType<typeof ours>) => listed.delete('a'), 'bc', 'c'],
  ['clear', (listed: ReturnType<typeof ours>) => listed.clear(), '', ''],
])('%s changes the next list, but not an earlier one', (_, change, all, ofMarket) => {
  const listed = ours();
  const before = [listed.list(), listed.list(0)].map((list) => [...list]);
  const given = [listed.list(), listed.list(0)];
  change(listed);
  expect([names(listed), names(listed, 0), listed.size]).toEqual([all, ofMarket, all.length]);
  expect(given).toEqual(before);
});
