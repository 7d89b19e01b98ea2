// A list that is read from a time on, page after page, each of which begins at the last time of the one before.
import { expect, test } from 'vitest';
import { rowsSince } from '../../../../src/venues/shared/cursor-pages.ts';

/** Returns what is read of a list with these times in pages of three, and the starts of the pages. */
async function read(since: number, times: readonly number[]) {
  const starts: number[] = [];
  const rows = await rowsSince(since, {
    pageSize: 3,
    async fetchPage(start) {
      starts.push(start);
      return times
        .filter((time) => time >= start)
        .slice(0, 3)
        .map((time) => ({ time }));
    },
  });
  return { times: rows.map(({ time }) => time), starts };
}

test('a page that is not full is the last one', async () => {
  expect(await read(2, [1, 2, 3])).toEqual({ times: [2, 3], starts: [2] });
});

test('the next page begins at the last time of a full one, whose rows come twice', async () => {
  expect(await read(1, [1, 2, 3, 3, 4, 5, 6])).toEqual({ times: [1, 2, 3, 3, 3, 4, 4, 5, 6, 6], starts: [1, 3, 4, 6] });
});

test('a page that reaches no later time is the last one, though it is full', async () => {
  expect(await read(7, [7, 7, 7, 7, 8])).toEqual({ times: [7, 7, 7], starts: [7] });
});
