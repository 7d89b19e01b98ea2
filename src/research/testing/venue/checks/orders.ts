// Checks 18 to 25 of an adapter: orders as they arrive at the exchange.
import { ensure, outcomeText, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

const opened = (subject: VenueSubject): Promise<VenueBench> => new VenueBench(subject).open();

export const ORDER_CHECKS: readonly VenueCheck[] = [
  {
    number: 18,
    name: 'order once',
    prevents: 'an order is placed twice, or is forgotten after it was accepted',
    async run(subject) {
      const bench = await opened(subject);
      const { order, listed } = await bench.rest();
      await bench.pass(3_000);
      const outcomes = bench.outcomes(order);
      ensure(outcomes.length === 1, `one order was reported ${outcomes.length} times: ${outcomes.map(outcomeText).join(', ')}`);
      const [outcome] = outcomes;
      if (outcome?.kind === 'orderOpened' && outcome.orderId !== undefined)
        ensure(
          outcome.orderId === listed.orderId,
          `the receipt names the order ${outcome.orderId}, and the account lists it as ${listed.orderId}`,
        );
      const all = bench.exchange.orders();
      ensure(all.length === 1, `one order was placed, and the exchange has ${all.length}`);
      return 'one order: accepted once, listed once, with the order id of its receipt';
    },
  },
  {
    number: 19,
    name: 'price and size',
    prevents: 'a price is rounded on the way, or a size sent in another unit: orders rest where nobody has approved them',
    async run(subject) {
      const bench = await opened(subject);
      let count = 0;
      for (const side of ['bid', 'ask'] as const)
        for (let index = 0; index < 12; index++) {
          const away = 0.9 + bench.rng.next() * 0.09;
          const order = bench.order({
            side,
            at: side === 'bid' ? away : 2 - away,
            size: bench.market.lots(subject.fake.size * (1 + bench.rng.next())),
          });
          const outcome = await bench.place(order);
          const wanted = `${side} ${bench.market.priceText(order.price)} × ${bench.market.sizeText(order.size)}`;
          ensure(outcome.kind === 'orderOpened', `${wanted} was answered with ${outcomeText(outcome)}`);
          const found = bench.recorded(order);
          const price = found && bench.market.ticksOf(found.price);
          const size = found && bench.market.lotsOf(found.size);
          ensure(
            found?.side === side && price === order.price && size === order.size,
            `${wanted} arrived as ${found === undefined ? 'nothing under its client order id' : `${found.side} ${found.price} × ${found.size}`}`,
          );
          count += 1;
        }
      return `${count} orders arrived with the side, price and size that they were given`;
    },
  },
  {
    number: 20,
    name: 'client order id',
    prevents: 'after a lost reply or a restart nobody can say which order is ours',
    async run(subject) {
      const bench = await opened(subject);
      const { order, listed } = await bench.rest();
      ensure(
        bench.recorded(order) !== undefined,
        `the exchange has no order with the client order id ${order.clientOrderId}: it was not sent`,
      );
      ensure(
        listed.clientOrderId === order.clientOrderId,
        `the account lists the client order id ${listed.clientOrderId} instead of ${order.clientOrderId}`,
      );
      const later = bench.clientOver(bench.clientLine);
      await bench.ready(later);
      const { orders } = await bench.account(later);
      ensure(
        orders.some(({ clientOrderId }) => clientOrderId === order.clientOrderId),
        'another process of the bot does not find the order by its client order id',
      );
      return 'sent, listed, and found by another process';
    },
  },
  {
    number: 21,
    name: 'post-only',
    prevents: 'an order that must only rest takes at once, and pays the taker fee',
    needs: ['post-only'],
    async run(subject) {
      const bench = await opened(subject);
      const outcome = await bench.place(bench.order({ fillMode: 'POST_ONLY', at: 1.01 }));
      ensure(bench.exchange.fills().length === 0, 'a post-only order that crosses has traded');
      ensure(
        outcome.kind === 'orderRejected',
        `a post-only order that crosses was answered with ${outcomeText(outcome)} instead of a refusal`,
      );
      const { listed } = await bench.rest({ fillMode: 'POST_ONLY' });
      return `refused where it crosses (${outcome.error}), resting where it does not (order ${listed.orderId})`;
    },
  },
  {
    number: 22,
    name: 'immediate',
    prevents: 'the rest of an order that takes, such as a stop, stays in the book',
    needs: ['ioc'],
    async run(subject) {
      const bench = await opened(subject);
      const order = bench.order({ fillMode: 'IMMEDIATE_OR_CANCEL', at: 1.0006, times: 3 }); // the first level has one size
      const outcome = await bench.place(order);
      ensure(outcome.kind === 'orderOpened', `an immediate order that crosses was answered with ${outcomeText(outcome)}`);
      const taken = outcome.taken.reduce((sum, { size }) => sum + size, 0);
      const filled = bench.exchange.fills().reduce((sum, { size }) => sum + size, 0);
      ensure(filled > 0, 'an immediate order that crosses did not trade');
      ensure(
        outcome.resting === undefined || outcome.resting === 0,
        `the receipt says that ${outcome.resting} lots of an immediate order rest`,
      );
      ensure(
        taken === 0 || taken === bench.market.lotsOf(round(filled)),
        `the receipt says that ${taken} lots were taken; the exchange has ${filled}`,
      );
      const { orders } = await bench.account();
      ensure(orders.length === 0 && bench.recorded(order)?.isOpen === false, 'the rest of an immediate order rests');
      const alone = await bench.place(bench.order({ fillMode: 'IMMEDIATE_OR_CANCEL' }));
      ensure(
        alone.kind === 'orderRejected' || (alone.kind === 'orderOpened' && alone.taken.length === 0),
        `an immediate order that reaches nobody was answered with ${outcomeText(alone)}`,
      );
      return 'it takes what it reaches, and the rest is gone';
    },
  },
  {
    number: 23,
    name: 'reduce-only',
    prevents: 'an order that should close a position opens one on the other side',
    needs: ['reduce-only', 'perpetual'],
    async run(subject) {
      const bench = await opened(subject);
      await bench.place(bench.order({ at: 1.01 }));
      await bench.place(bench.order({ side: 'ask', at: 0.99, times: 3, reduceOnly: true }));
      const held = bench.exchange.held();
      ensure(held >= 0, `selling three times a long position, reduce-only, left ${held}: the order was not marked`);
      return `three times the position, sold reduce-only, left ${held}`;
    },
  },
  {
    number: 24,
    name: 'refusal',
    prevents: 'every refused order counts as unknown: its level is locked for orderLife, and the bot stops quoting',
    async run(subject) {
      const bench = await opened(subject);
      const order = bench.order({ times: 100_000 });
      const outcome = await bench.place(order);
      ensure(
        bench.recorded(order) === undefined,
        'the fake accepted an order of 100,000 times the usual size: it must refuse it for lack of money',
      );
      ensure(
        outcome.kind === 'orderRejected',
        `an order that the exchange refused for lack of money was answered with ${outcomeText(outcome)}`,
      );
      return `an order that the account cannot pay is refused: ${outcome.error}`;
    },
  },
  {
    number: 25,
    name: 'receipt',
    prevents: 'the bot believes that nothing traded, or that something else rests, until an account shows otherwise',
    async run(subject) {
      const bench = await opened(subject);
      const order = bench.order({ at: 1.0006, times: 3 });
      const outcome = await bench.place(order);
      ensure(outcome.kind === 'orderOpened', `an order that crosses was answered with ${outcomeText(outcome)}`);
      const record = bench.recorded(order);
      ensure(
        record !== undefined && record.left > 0 && record.left < record.size,
        'the fake did not fill a part of an order that reaches the first level',
      );
      if (outcome.resting === undefined) return 'the receipt does not say what rests';
      const [left, filled] = [bench.market.lotsOf(round(record.left)), bench.market.lotsOf(round(record.size - record.left))];
      const taken = outcome.taken.reduce((sum, { size }) => sum + size, 0);
      ensure(
        outcome.resting === left && taken === filled,
        `the receipt says ${taken} lots taken and ${outcome.resting} resting; the exchange has ${filled} and ${left}`,
      );
      const best = outcome.taken.map(({ price }) => bench.market.price(price));
      const expected = bench.exchange.fills().map(({ price }) => price);
      ensure(
        best.every((price) => expected.includes(price)),
        `the receipt says taken at ${best.join(', ')}; the exchange has ${expected.join(', ')}`,
      );
      return 'what was taken, at which price, and what rests, as the exchange has it';
    },
  },
];

/** Sums of decimals have rounding errors. */
const round = (amount: number): number => Number(amount.toPrecision(12));
