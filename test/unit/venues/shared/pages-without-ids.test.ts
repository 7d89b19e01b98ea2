// Lists of trades without ids: each trade is returned once, also after a restart, and a list that grows while it is read is refused.
import { fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { tailOf } from '../../../../src/bot/exchange/kit/own-fills.ts';
import type { Resumption, TradeTail } from '../../../../src/bot/exchange/kit/streams/trade-tail.ts';
import { type RowPages, tradesWithoutIds } from '../../../../src/venues/shared/pages-without-ids.ts';

interface Row {
  readonly time: string;
  readonly what: string;
}

const MINUTE = 60_000;
const at = (second: number): string => new Date(MINUTE * 1_000 + second * 1_000).toISOString();
const row = (second: number, what = 'x'): Row => ({ time: at(second), what });

/** A list, newest first, that grows at its head, in pages of three. */
class List {
  rows: Row[] = [];
  turned = 0;
  /** Called after a page was read. */
  meanwhile: () => void = () => undefined;

  add(...rows: Row[]): this {
    this.rows.unshift(...rows.toReversed());
    return this;
  }

  async *pages(): AsyncGenerator<readonly Row[]> {
    for (let start = 0; start < this.rows.length; start += 3) {
      this.turned += 1;
      yield await Promise.resolve(this.rows.slice(start, start + 3));
      this.meanwhile();
    }
  }
}

interface Reported {
  readonly tradeId: string;
  readonly time: number;
}

interface TailOptions extends Partial<RowPages<Row, Reported>> {
  readonly resume?: Resumption;
}

const listTail = (list: List, { resume, ...more }: TailOptions = {}): TradeTail<Reported> =>
  tailOf(
    tradesWithoutIds<Row, Reported>({
      what: 'GET /list',
      rows: () => list.pages(),
      contentOf: ({ time, what }) => `${time} ${what}`,
      map: ({ time }, tradeId) => ({ tradeId, time: Date.parse(time) }),
      ...more,
    }),
    { overlapMs: 5_000, resume },
  );

const sensible: RowPages<Row, Reported>['map'] = ({ time, what }, tradeId) => {
  if (what === 'nonsense') throw new Error(what);
  return { tradeId, time: Date.parse(time) };
};

const round = async (tail: TradeTail<Reported>): Promise<string[]> =>
  tail.takeNew(await tail.read()).map(({ tradeId }) => tradeId.slice(17, 19) + tradeId.slice(24));

describe('a list without ids', () => {
  test('is reported once, oldest first', async () => {
    const list = new List().add(row(1), row(2));
    const tail = listTail(list);
    expect(await round(tail)).toEqual(['01 x/0', '02 x/0']);
    expect(await round(tail)).toEqual([]);
    list.add(row(3, 'y'));
    expect(await round(tail)).toEqual(['03 y/0']);
  });

  test('rows with the same content are distinguished by counting them', async () => {
    const list = new List().add(row(0), row(1), row(1));
    const tail = listTail(list);
    expect(await round(tail)).toEqual(['00 x/0', '01 x/0', '01 x/1']);
    list.add(row(1));
    expect(await round(tail)).toEqual(['01 x/2']);
  });

  test('an item that is listed late is reported, within the overlap', async () => {
    const list = new List().add(row(1), row(10));
    const tail = listTail(list);
    await round(tail);
    list.rows.splice(1, 0, row(6, 'late'));
    list.rows.push(row(4, 'too late'));
    expect(await round(tail)).toEqual(['06 late/0']);
  });

  test('is read back to what was reported, and no further', async () => {
    const list = new List().add(row(1));
    const tail = listTail(list);
    await round(tail);
    list.add(...[11, 12, 13, 14, 15].map((second) => row(second)));
    expect(await round(tail)).toEqual(['11 x/0', '12 x/0', '13 x/0', '14 x/0', '15 x/0']);
    list.turned = 0;
    await round(tail);
    expect(list.turned).toBe(3); // two pages, and the first one again
  });

  test('in another order is read to its end', async () => {
    const list = new List();
    list.rows = [1, 2, 3, 4, 5, 6, 7].map((second) => row(second));
    const tail = listTail(list, { resume: { since: Date.parse(at(5)), reported: [] } });
    expect(await round(tail)).toEqual(['05 x/0', '06 x/0', '07 x/0']);
  });

  test('is rejected if it grew while its pages were read, because an item would be counted twice', async () => {
    const list = new List().add(row(1), row(2), row(3), row(4));
    const tail = listTail(list, { resume: { since: 0, reported: [] } });
    list.meanwhile = () => {
      list.meanwhile = () => undefined;
      list.add(row(5));
    };
    await expect(tail.read()).rejects.toThrow(/grew/);
    expect(await round(tail)).toHaveLength(5);
  });

  test('that is empty at first reports every later item', async () => {
    const list = new List();
    const tail = listTail(list);
    expect(await round(tail)).toEqual([]);
    list.add(...[1, 1, 1, 2, 3].map((second) => row(second)));
    expect(await round(tail)).toHaveLength(5);
  });

  test('items older than its first page are not reported, even if the page ends between two of one time', async () => {
    const list = new List().add(row(1), row(2), row(2), row(3), row(4));
    const tail = listTail(list);
    expect(await round(tail)).toEqual(['02 x/0', '03 x/0', '04 x/0']);
    expect(await round(tail)).toEqual([]);
  });

  test('of which only the newest page is of use is not read any further', async () => {
    const list = new List().add(row(1));
    const tail = listTail(list, { isNewestPageOnly: true });
    await round(tail);
    list.add(...[2, 3, 4, 5].map((second) => row(second)));
    expect(await round(tail)).toEqual(['03 x/0', '04 x/0', '05 x/0']);
  });

  test('an older row is not read, and may be invalid', async () => {
    const list = new List().add(row(1, 'nonsense'), row(10));
    const tail = listTail(list, { map: sensible, resume: { since: Date.parse(at(5)), reported: [] } });
    expect(await round(tail)).toEqual(['10 x/0']);
  });
});

test('what an earlier process reported is not reported again', async () => {
  const list = new List().add(row(1), row(2), row(2), row(3));
  const reported = [{ tradeId: `${at(2)} x/0`, time: Date.parse(at(2)) }];
  const tail = listTail(list, { resume: { since: Date.parse(at(2)), reported } });
  expect(await round(tail)).toEqual(['02 x/1', '03 x/0']);
});

test('however a list grows between polls, each item is reported once', async () => {
  const growth = fc.array(
    fc.array(fc.record({ later: fc.integer({ min: 0, max: 2 }), what: fc.constantFrom('x', 'y') }), { maxLength: 7 }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(growth, async (rounds) => {
      const list = new List();
      const tail = listTail(list);
      await round(tail);
      let second = 0;
      let reported = 0;
      for (const items of rounds) {
        for (const { later, what } of items) {
          second += later;
          list.add(row(second, what));
        }
        reported += (await round(tail)).length;
        expect(reported).toBe(list.rows.length);
      }
    }),
    { seed: 3, numRuns: 200 },
  );
});
