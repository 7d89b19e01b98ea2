// Checks 34 to 38 of an adapter: cancels.

import { cancelCallsOf } from '../../../../venues/operate/client-canceller.ts';
import { unreadableReplies } from '../altered-replies.ts';
import { ensure, outcomeText, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

const opened = (subject: VenueSubject): Promise<VenueBench> => new VenueBench(subject).open();

export const CANCEL_CHECKS: readonly VenueCheck[] = [
  {
    number: 34,
    name: 'cancel',
    prevents: 'an order that the bot believes gone still rests, and trades',
    async run(subject) {
      const bench = await opened(subject);
      const { order, listed } = await bench.rest();
      const { order: other } = await bench.rest({ side: 'ask' });
      const answer = await bench.cancel(order, listed);
      ensure(
        answer.outcome === 'cancelled' || answer.outcome === 'queued',
        `a cancel of an order that rests was answered with ${outcomeText(answer)}`,
      );
      const gone = await bench.until(({ orders }) => (orders.every(({ orderId }) => orderId !== listed.orderId) ? true : undefined));
      ensure(gone === true && bench.recorded(order)?.isOpen === false, 'a cancelled order still rests');
      ensure(bench.recorded(other)?.isOpen === true, 'a cancel has taken another order, too');
      return `${answer.outcome}; the account no longer lists the order, and the other one rests`;
    },
  },
  {
    number: 35,
    name: 'cancel of a gone order',
    prevents: 'an order that was filled passes for a cancelled one: its fill is not expected, and it is placed again',
    async run(subject) {
      const bench = await opened(subject);
      const { order, listed } = await bench.rest({ at: 0.99 });
      bench.fill(subject.fake.size, 0.99);
      ensure(bench.recorded(order)?.isOpen === false, 'the fake did not fill an order that another trader took whole');
      const filled = await bench.cancel(order, listed);
      ensure(
        filled.outcome === 'notFound',
        `a cancel of an order that was filled was answered with ${outcomeText(filled)}; "notFound" is true`,
      );
      const { order: second, listed: also } = await bench.rest();
      await bench.cancel(second, also);
      await bench.pass(2_000);
      const again = await bench.cancel(second, also);
      ensure(again.outcome === 'notFound', `a second cancel of an order was answered with ${outcomeText(again)}; "notFound" is true`);
      return 'filled, and cancelled before: notFound';
    },
  },
  {
    number: 36,
    name: 'cancel of a part',
    prevents: 'the fill of an order that was cancelled in the middle is lost, and the position is wrong',
    async run(subject) {
      const bench = await opened(subject);
      const { order, listed } = await bench.rest({ at: 0.99, times: 2 });
      bench.fill(subject.fake.size, 0.99);
      await bench.cancel(order, listed);
      await bench.pass(bench.client.rules.listingLagMs);
      const fills = await bench.fills();
      const filled = fills.reduce((sum, { size }) => sum + size, 0);
      ensure(
        filled === order.size / 2,
        `half of an order of ${order.size} lots was filled before its cancel; our trades are ${filled} lots`,
      );
      ensure(bench.recorded(order)?.isOpen === false, 'a cancelled order still rests');
      return 'what was filled before the cancel is listed';
    },
  },
  {
    number: 37,
    name: 'unanswered cancel',
    prevents: 'a cancel that failed passes for done: the order rests, and its level is quoted again',
    async run(subject) {
      const bench = await opened(subject);
      const { order, listed } = await bench.rest();
      for (const [why, reply] of Object.entries(unreadableReplies(undefined))) {
        bench.onActions(() => reply);
        const answer = await bench.cancel(order, listed);
        ensure(
          answer.outcome === 'unknown' || answer.outcome === 'refused',
          `a cancel that got ${why} was answered with ${outcomeText(answer)}`,
        );
        ensure(answer.outcome === 'unknown', `a cancel that got ${why} counts as refused; only "unknown" is true`);
      }
      bench.onActions(() => 'silence');
      const lost = await bench.cancel(order, listed);
      ensure(lost.outcome === 'unknown', `a cancel that was lost was answered with ${outcomeText(lost)}`);
      bench.onActions(() => 'notSent');
      const unsent = await bench.cancel(order, listed);
      ensure(
        unsent.outcome !== 'cancelled' && unsent.outcome !== 'notFound',
        `a cancel that never left was answered with ${outcomeText(unsent)}`,
      );
      return 'errors, losses and answers that cannot be read leave a cancel unknown';
    },
  },
  {
    number: 38,
    name: 'kill',
    prevents: '`bot kill` reports an empty account while orders rest, or finds none because another process placed them',
    async run(subject) {
      const bench = await opened(subject);
      const { order } = await bench.rest();
      await bench.rest({ side: 'ask' });
      await bench.wait(bench.recorder.close());
      const client = bench.clientOver(bench.clientLine);
      const calls = cancelCallsOf(client);
      bench.clientLine.mishap = () => 'silence';
      const failure = await bench.failure(() => calls.resting());
      ensure(failure !== undefined, 'without an answer of the exchange, kill finds no orders instead of failing');
      bench.clientLine.mishap = undefined;
      const resting = await bench.wait(calls.resting());
      ensure(resting.length === 2, `two orders rest, and kill finds ${resting.length}`);
      for (const one of resting) await bench.wait(calls.cancel(one));
      const left = bench.exchange.orders().filter(({ isOpen }) => isOpen).length;
      ensure(left === 0, `kill has cancelled everything, and ${left} of 2 orders rest`);
      const again = await bench.failure(() =>
        calls.cancel({ orderId: resting[0]?.orderId ?? '', clientOrderId: order.clientOrderId, market: subject.fake.market }),
      );
      ensure(again !== undefined, 'a cancel of an order that is gone is not an error');
      return 'another client, which has placed nothing, finds both orders and cancels them';
    },
  },
];
