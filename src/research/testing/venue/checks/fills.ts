// Checks 39 to 42 of an adapter: our trades.
import type { Fill } from '../../../../bot/domain/order.ts';
import { ensure, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

const opened = (subject: VenueSubject): Promise<VenueBench> => new VenueBench(subject).open();
/** More than a page of most exchanges. */
const MANY = 130;

/** Waits until all trades must be listed, and reads them. */
async function listed(bench: VenueBench): Promise<readonly Fill[]> {
  await bench.pass(bench.client.rules.listingLagMs + 200);
  return bench.fills();
}

/** Joins the texts of fills in alphabetical order, so that the adapter's can be compared with the exchange's. */
const sorted = (texts: readonly string[]): string => texts.toSorted().join('; ');

/** A fill in words, to be compared. */
const textOf = (side: string, price: number, size: number, role: string): string =>
  `${role} ${side} ${price} × ${Number(size.toPrecision(12))}`;

export const FILL_CHECKS: readonly VenueCheck[] = [
  {
    number: 39,
    name: 'fills',
    prevents: 'the profit, the fees or the position of the bot are not those of the account',
    async run(subject) {
      const bench = await opened(subject);
      await bench.rest({ at: 0.999, times: 2 });
      bench.fill(subject.fake.size, 0.999);
      await bench.place(bench.order({ side: 'ask', at: 0.99 }));
      await bench.place(bench.order({ at: 1.01 }));
      const fills = await listed(bench);
      const { market } = bench;
      const found = sorted(fills.map(({ side, price, size, role }) => textOf(side, market.price(price), market.size(size), role)));
      const expected = sorted(bench.exchange.fills().map(({ side, price, size, role }) => textOf(side, price, size, role)));
      ensure(found === expected, `our trades are ${found || 'none'}; the exchange has ${expected}`);
      const [fees, charged] = [
        fills.reduce((sum, { fee = 0 }) => sum + fee, 0) / 1e6,
        bench.exchange.fills().reduce((sum, { fee }) => sum + fee, 0),
      ];
      ensure(
        fills.every(({ fee }) => fee === undefined) || Math.abs(fees - charged) <= 1e-6 * fills.length,
        `the fees of our trades are ${fees}; the exchange charged ${charged}`,
      );
      for (const { time } of fills)
        ensure(
          Math.abs(time - bench.clock.now()) < 60_000,
          `a fill of this minute has the time ${time}; now it is ${bench.clock.now()} ms`,
        );
      return `${fills.length} fills: side, role, price, size and fee as the exchange has them`;
    },
  },
  {
    number: 40,
    name: 'fill of which order',
    prevents: 'a fill is booked on another order, or on none, and the order counts as open',
    async run(subject) {
      const bench = await opened(subject);
      const { order, listed: resting } = await bench.rest({ at: 0.999 });
      bench.fill(subject.fake.size, 0.999);
      const taker = bench.order({ side: 'ask', at: 0.99 });
      const outcome = await bench.place(taker);
      const fills = await listed(bench);
      const maker = fills.find(({ role }) => role === 'maker');
      ensure(
        maker?.orderId === resting.orderId,
        `the fill of the resting order ${resting.orderId} names the order ${maker?.orderId ?? 'nothing'}`,
      );
      const taken = fills.find(({ role }) => role === 'taker');
      const id = outcome.kind === 'orderOpened' ? outcome.actionId : undefined;
      ensure(
        taken !== undefined && (taken.actionId === id || taken.clientOrderId === taker.clientOrderId),
        `the fill of an order that took names the action ${taken?.actionId ?? 'nothing'}, and its receipt ${id ?? 'none'}`,
      );
      const strange = fills.find(
        ({ clientOrderId }) => clientOrderId !== undefined && ![order.clientOrderId, taker.clientOrderId].includes(clientOrderId),
      );
      ensure(strange === undefined, `a fill names the client order id ${strange?.clientOrderId}, which is not that of an order`);
      return 'a fill as maker names our order, one as taker the action of its receipt';
    },
  },
  {
    number: 41,
    name: 'all pages',
    prevents: 'after a busy minute or a restart the older fills are missing: the position is wrong, and the run stops',
    async run(subject) {
      const bench = await opened(subject);
      const lot = bench.market.size(bench.market.lots(subject.fake.size / 10));
      await bench.rest({ at: 0.999, times: Math.ceil(MANY / 10) + 1 });
      for (let index = 0; index < MANY; index++) {
        bench.fill(lot, 0.999);
        await bench.pass(index % 3 === 0 ? 0 : 20); // some have the same time
      }
      const made = bench.exchange.fills().length;
      ensure(made >= MANY, `the fake made ${made} fills of ${MANY} trades with a resting order`);
      const fills = await listed(bench);
      ensure(fills.length === made, `the account has ${made} fills, and the adapter lists ${fills.length}: read page by page, to the last`);
      const first = bench.clock.now() - 120_000;
      const since = await bench.fills(first);
      ensure(since.length === made, `${made} fills are newer than the bound, and the adapter lists ${since.length}`);
      const oldest = Math.min(...fills.map(({ time }) => time));
      const inclusive = await bench.fills(oldest);
      ensure(inclusive.length === made, `a fill at the bound itself is left out: ${inclusive.length} of ${made} are listed`);
      return `${made} fills, over all pages and from a bound on`;
    },
  },
  {
    number: 42,
    name: 'fill once',
    prevents: 'a fill is counted twice: after a restart, at a page border, or because a socket repeats it',
    async run(subject) {
      const bench = await opened(subject);
      const lot = bench.market.size(bench.market.lots(subject.fake.size / 10));
      await bench.rest({ at: 0.999, times: 4 });
      for (let index = 0; index < 35; index++) {
        bench.fill(lot, 0.999);
        await bench.pass(100);
      }
      const fills = await listed(bench);
      const ids = fills.map(({ tradeId, role }) => `${tradeId} ${role}`);
      ensure(new Set(ids).size === ids.length, 'our trades list a fill twice, or two fills with the same trade id');
      const other = bench.clientOver(bench.clientLine);
      await bench.ready(other);
      const again = (await bench.fills(undefined, other)).map(({ tradeId, role }) => `${tradeId} ${role}`);
      ensure(sorted(again) === sorted(ids), 'another process of the bot reads other trade ids: it would count the fills again');
      await bench.pass(3_000);
      const reported = bench.recorder.of('fillsSeen').flatMap((event) => event.fills);
      const made = bench.exchange.fills().length;
      ensure(reported.length === made, `the account has ${made} fills, and the bot was given ${reported.length}`);
      return `${made} fills, each once: in the list, in another process, and as they were reported`;
    },
  },
];
