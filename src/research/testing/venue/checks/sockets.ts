// Checks 43 to 45 of an adapter: the websocket.
import { ensure, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

async function connected(subject: VenueSubject): Promise<VenueBench> {
  const bench = await new VenueBench(subject).open();
  await bench.pass(3_000);
  ensure(bench.line.openSockets > 0, 'the adapter has opened no socket');
  return bench;
}

/** Fills part of a resting order `times` times, while the socket is as it is. */
async function trade(bench: VenueBench, times: number): Promise<void> {
  const lot = bench.market.size(bench.market.lots(bench.subject.fake.size / 10));
  for (let index = 0; index < times; index++) {
    bench.fill(lot, 0.999);
    await bench.pass(300);
  }
}

async function ensureEachFill(bench: VenueBench): Promise<number> {
  await bench.pass(bench.client.rules.listingLagMs + 3_000);
  const reported = bench.recorder.of('fillsSeen').flatMap((event) => event.fills);
  const made = bench.exchange.fills().length;
  ensure(made > 0 && reported.length === made, `the account has ${made} fills, and the bot was given ${reported.length}`);
  return made;
}

export const SOCKET_CHECKS: readonly VenueCheck[] = [
  {
    number: 43,
    name: 'pushed data',
    prevents: 'what the socket says is not what the polls say, and a fill counts once for each of them',
    needs: ['socket'],
    async run(subject) {
      const bench = await connected(subject);
      await bench.rest({ at: 0.999, times: 2 });
      const reads = bench.line.requests.length;
      const from = bench.recorder.events.length;
      for (const factor of [1.002, 1.001, 1.003]) {
        bench.quote(subject.fake.price * factor);
        const best = bench.market.restAt('bid', subject.fake.price * factor * (1 - 0.0005));
        await bench.recorder.found('a book after it has changed', () =>
          bench.recorder.of('bookSeen', from).find(({ book }) => book.bids[0]?.price === best),
        );
        await bench.pass(500);
      }
      await trade(bench, 5);
      const made = await ensureEachFill(bench);
      const numbers = bench.recorder.of('bookSeen', from).map(({ book }) => book.updateId);
      ensure(new Set(numbers).size > 1, 'the numbers of the books stand still while the book changes');
      return `${counted(bench, from)} books, and ${made} fills, each once; ${bench.line.requests.length - reads} requests beside the socket`;
    },
  },
  {
    number: 44,
    name: 'cut socket',
    prevents: 'what happened while the socket was closed is never seen',
    needs: ['socket'],
    async run(subject) {
      const bench = await connected(subject);
      await bench.rest({ at: 0.999, times: 3 });
      for (let cuts = 0; cuts < 3; cuts++) {
        await trade(bench, 3);
        bench.line.cutSockets();
        await trade(bench, 3);
        await bench.pass(10_000);
        ensure(bench.line.openSockets > 0, 'a socket that was cut was not opened again within 10 s');
      }
      return `opened again three times; ${await ensureEachFill(bench)} fills, each once`;
    },
  },
  {
    number: 45,
    name: 'silent socket',
    prevents: 'a socket that is open and says nothing makes the bot trade on old data',
    needs: ['socket'],
    async run(subject) {
      const bench = await connected(subject);
      await bench.rest({ at: 0.999, times: 2 });
      bench.line.pushes = false;
      await trade(bench, 5);
      await bench.pass(5_000);
      const from = bench.recorder.events.length;
      const price = subject.fake.price * 1.004;
      bench.quote(price);
      const best = bench.market.restAt('bid', price * (1 - 0.0005));
      await bench.recorder.found(
        'the new book by a poll',
        () => bench.recorder.of('bookSeen', from).find(({ book }) => book.bids[0]?.price === best),
        20_000,
      );
      return `books and ${await ensureEachFill(bench)} fills are polled meanwhile`;
    },
  },
];

const counted = (bench: VenueBench, from: number): number => bench.recorder.of('bookSeen', from).length;
