// The hosted adapter with its websocket, with frames of the published format: books arrive earlier than by polling, and only if the polls confirm them.
import { describe, expect, test } from 'vitest';
import type { SocketListener } from '../../../../src/base/transport/transport.ts';
import { Bench, bookPage } from './bench.ts';

const delta = (last: number, update: number, bids: unknown[], asks: unknown[] = []): string =>
  JSON.stringify({ delta: { last_update_id: last, update_id: update, market_symbol: 'BTCUSDC', asks, bids, timestamp: 1 } });

/** A venue whose polled book has number 10 until the test sets another, and its socket. */
async function opened() {
  const bench = new Bench();
  const dialled: { path: string; listener: SocketListener; closed: boolean }[] = [];
  let book = bookPage(10);
  bench.exchange.pages.set('/market/0/orderbook', () => book);
  await bench.connect({
    dialStreams: (path) => (listener) => {
      const line = { path, listener, closed: false };
      dialled.push(line);
      return {
        send: () => undefined,
        close: () => {
          line.closed = true;
        },
      };
    },
  });
  dialled[0]?.listener.opened();
  await bench.run(100);
  const hear = (text: string): void => dialled.at(-1)?.listener.message(text);
  const setBook = (page: unknown): void => {
    book = page;
  };
  const ids = (): string[] => bench.of('bookSeen').map((event) => event.book.updateId);
  const asked = (path: string): number => bench.exchange.requests.filter((one) => one.startsWith(path)).length;
  return { bench, dialled, hear, setBook, ids, asked };
}

test('one socket subscribes to the account and the books; other messages are ignored', async () => {
  const { bench, dialled, hear } = await opened();
  expect(dialled.map(({ path }) => path)).toEqual(['/ws/account@7&deltas@BTCUSDC']);
  hear('{"trades":{"last_update_id":1,"update_id":2,"market_symbol":"BTCUSDC","trades":[]}}');
  hear('{"res":"60","mid":0,"t":1,"o":1,"h":1,"l":1,"c":1,"v":1}');
  hear('{"delta":{"last_update_id":1,"update_id":2,"market_symbol":"OTHER","asks":[],"bids":[]}}');
  expect([dialled[0]?.closed, bench.of('bookSeen').length]).toEqual([false, 1]);
});

describe('a book', () => {
  test('follows each frame at once, with the age of the poll; levels are pairs or objects', async () => {
    const { bench, hear } = await opened();
    const [polled] = bench.of('bookSeen');
    hear(
      delta(10, 11, [
        [99.5, 2],
        [99, 3],
      ]),
    );
    hear(
      delta(
        11,
        14,
        [{ price: 99.5, size: 0 }],
        [
          { price: 100.5, size: 0 },
          { price: 100.6, size: 4 },
        ],
      ),
    );
    expect(bench.of('bookSeen').slice(1)).toMatchObject([
      {
        at: bench.clock.now(),
        asked: polled?.asked,
        book: {
          updateId: '11',
          bids: [
            { price: 995, size: 20_000 },
            { price: 990, size: 30_000 },
          ],
        },
      },
      { asked: polled?.asked, book: { updateId: '14', bids: [{ price: 990 }], asks: [{ price: 1006, size: 40_000 }] } },
    ]);
  });

  test('is not replaced by an older poll, and does not become older than that poll', async () => {
    const { bench, hear, ids } = await opened();
    hear(delta(10, 12, [[99.5, 2]]));
    await bench.run(300);
    expect(ids()).toEqual(['10', '12']); // the poll of number 10 is older
    hear(delta(12, 13, [[99.5, 3]]));
    expect(bench.of('bookSeen').at(-1)).toMatchObject({ book: { updateId: '13' }, asked: bench.clock.now() - 150 });
  });

  test('with a gap is dropped: polls continue, and the next poll starts it again', async () => {
    const { bench, hear, setBook, ids } = await opened();
    hear(delta(10, 11, [[99.5, 2]]));
    hear(delta(12, 13, [[99.5, 4]])); // the one to 12 is lost
    hear(delta(13, 14, [[99.5, 5]]));
    expect(ids()).toEqual(['10', '11']);
    setBook(bookPage(13, [[99.5, 4]]));
    await bench.run(300);
    expect(ids()).toEqual(['10', '11', '14', '14'].slice(0, 3));
    expect(bench.of('bookSeen').at(-1)).toMatchObject({ book: { bids: [{ price: 995, size: 50_000 }] } });
  });

  test('is replaced by a poll of the same number that differs', async () => {
    const { bench, hear, setBook, ids } = await opened();
    hear(delta(10, 11, [[99.5, 2]]));
    setBook(bookPage(11, [[99.5, 7]]));
    await bench.run(300);
    expect(bench.of('bookSeen').at(-1)).toMatchObject({ book: { updateId: '11', bids: [{ size: 70_000 }] } });
    hear(delta(11, 12, [[99.5, 8]]));
    expect(ids()).toEqual(['10', '11', '11']);
  });

  test('is dropped if it is crossed', async () => {
    const { hear, ids } = await opened();
    hear(delta(10, 11, [[100.5, 1]]));
    hear(delta(11, 12, [[99.5, 3]]));
    expect(ids()).toEqual(['10']);
  });

  test('is stale when the polls fail, whatever the socket sends', async () => {
    const { bench, hear } = await opened();
    bench.exchange.fault = ({ path }) => (path.startsWith('/market/0/orderbook') ? { lost: 'reply' } : undefined);
    for (let id = 10; id < 60; id++) {
      hear(delta(id, id + 1, [[99.5, id]]));
      await bench.run(100);
    }
    expect(bench.of('bookSeen').length).toBeGreaterThan(50);
    expect(bench.health('book')).toEqual([true, false]);
  });
});

describe('a socket', () => {
  test.each([
    ['is cut inside a frame', '{"delta":{"last_update_id":10,"upd'],
    ['sends a price off the tick', delta(10, 11, [[99.55, 1]])],
    ['sends a negative size', delta(10, 11, [[99.5, -1]])],
    ['sends an invalid id', delta(-1, 11, [])],
    ['sends no object', '5'],
  ])('that %s is closed and reconnected, and polls continue', async (_, text) => {
    const { bench, dialled, hear, setBook, ids } = await opened();
    hear(text);
    expect(dialled[0]?.closed).toBe(true);
    setBook(bookPage(20));
    await bench.run(2_000);
    expect(ids()).toContain('20');
    expect(dialled).toHaveLength(2);
    expect(bench.logged.filter((line) => line.startsWith('the socket is down'))).toHaveLength(1);
    dialled[1]?.listener.opened();
    await bench.run(300);
    hear(delta(20, 21, [[99.5, 6]]));
    expect(ids().at(-1)).toBe('21');
  });

  test('whose frames stay behind the polls is reconnected', async () => {
    const { bench, dialled, setBook } = await opened();
    let id = 10;
    for (let step = 0; step < 24; step++) {
      setBook(bookPage(++id));
      await bench.run(250);
    }
    expect(dialled[0]?.closed).toBe(true);
    await bench.run(1_000);
    expect(dialled.length).toBeGreaterThanOrEqual(2);
  });

  test('that is quiet because nothing changes stays connected', async () => {
    const { bench, dialled } = await opened();
    await bench.run(60_000);
    expect(dialled).toHaveLength(1);
  });
});

test('an account frame requests the account and the fills at once, at most ten times a second', async () => {
  const { bench, hear, asked } = await opened();
  await bench.run(120);
  const [accounts, trades] = [asked('/account/7'), asked('/trades?makerId')];
  const frame = JSON.stringify({
    account: { last_update_id: 1, update_id: 2, account_id: 7, fills: {}, places: {}, cancels: {}, balances: {} },
  });
  hear(frame);
  await bench.run(1);
  expect([asked('/account/7') - accounts, asked('/trades?makerId') - trades]).toEqual([1, 1]);
  for (let count = 0; count < 100; count++) {
    hear(frame);
    await bench.run(10);
  }
  expect(asked('/account/7') - accounts).toBeLessThanOrEqual(12);
  expect(asked('/account/7') - accounts).toBeGreaterThanOrEqual(8);
});
