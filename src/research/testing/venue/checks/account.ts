// Checks 11 to 17 of an adapter: the account.

import { lots } from '../../../../bot/domain/numbers.ts';
import { positionChange } from '../../../../bot/domain/order.ts';
import { unreadableReplies } from '../altered-replies.ts';
import { ensure, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

/** Tolerance as a fraction of the size: smaller than any fee, so that a fee that is not counted is found. */
const EXACT = 1e-5;

const opened = (subject: VenueSubject): Promise<VenueBench> => new VenueBench(subject).open();

/** Buys or sells the usual size at once, and returns the account that shows it. */
async function trade(bench: VenueBench, side: 'bid' | 'ask') {
  const { size } = bench.subject.fake;
  const before = bench.exchange.held();
  await bench.place(bench.order({ side, at: side === 'bid' ? 1.01 : 0.99 }));
  const expected = before + (side === 'bid' ? size : -size);
  const held = bench.exchange.held();
  ensure(
    Math.abs(held - expected) < size / 50,
    `after ${side === 'bid' ? 'buying' : 'selling'} ${size} the exchange holds ${held} for the account, not ${expected}: the order was not sent as it was given`,
  );
  const account = await bench.until((read) => (isNear(bench.heldIn(read), held, size) ? read : undefined));
  ensure(
    account !== undefined,
    `the account shows ${bench.heldIn(await bench.account())} of the market, the exchange ${held}, for longer than listingLagMs`,
  );
  return account;
}

const isNear = (one: number, other: number, size: number): boolean => Math.abs(one - other) < size / 1_000;

export const ACCOUNT_CHECKS: readonly VenueCheck[] = [
  {
    number: 11,
    name: 'own account',
    prevents: 'the bot trades on one account and watches another',
    async run(subject) {
      const bench = await opened(subject);
      const owner = await bench.wait(bench.client.owner());
      ensure(owner !== undefined, 'owner() returns no account');
      ensure(owner === (await bench.wait(bench.client.owner())), 'owner() returns another account the second time');
      const { id } = await bench.account();
      ensure(id === owner, `owner() is ${owner}, and the account that is read is ${id}`);
      return `the account is ${owner}`;
    },
  },
  {
    number: 12,
    name: 'position',
    prevents: 'a short position passes for a long one, or a position is shown late, and the bot adds to it',
    async run(subject) {
      const bench = await opened(subject);
      await trade(bench, 'bid');
      await trade(bench, 'ask');
      await trade(bench, 'ask');
      const held = bench.heldIn(await bench.account());
      return `bought once and sold twice: the account shows ${held}, as the exchange does`;
    },
  },
  {
    number: 13,
    name: 'resting orders',
    prevents: 'a resting order is not seen: it is placed again, or counts with its whole size after a part was filled',
    async run(subject) {
      const bench = await opened(subject);
      for (const side of ['bid', 'ask'] as const) {
        const { order, listed } = await bench.rest({ side });
        const text = `${listed.side} ${listed.price} × ${listed.size} of ${listed.originalSize}`;
        ensure(
          text === `${side} ${order.price} × ${order.size} of ${order.size}`,
          `a ${side} of ${order.size} lots at ${order.price} ticks is listed as ${text}`,
        );
      }
      const { order } = await bench.rest({ times: 2, at: 0.98 });
      bench.fill(subject.fake.size, 0.98);
      const left = order.size / 2;
      const part = await bench.until(({ orders }) => orders.find((one) => one.clientOrderId === order.clientOrderId && one.size === left));
      ensure(
        part !== undefined,
        `half of an order of ${order.size} lots was filled, and the account does not show ${left} lots as what is left of it`,
      );
      ensure(
        part.originalSize === order.size,
        `an order of ${order.size} lots of which ${left} are left has the original size ${part.originalSize}`,
      );
      return 'side, price, what is left and the original size of each order';
    },
  },
  {
    number: 14,
    name: 'fresh account',
    prevents: 'an account from before the last action passes for a new one: orders are forgotten, and placed twice',
    async run(subject) {
      const bench = await opened(subject);
      await bench.account();
      for (let index = 0; index < 3; index++) {
        const order = bench.order({ at: 0.97 - index / 100 });
        await bench.place(order);
        await bench.pass(bench.client.rules.listingLagMs);
        const { orders, updateId } = await bench.account();
        ensure(
          orders.some(({ clientOrderId }) => clientOrderId === order.clientOrderId),
          `an account that was read ${bench.client.rules.listingLagMs} ms (listingLagMs) after an order was accepted lacks it${updateId === undefined ? '' : `; its number is ${updateId}`}`,
        );
      }
      return 'an account that is read after listingLagMs shows each accepted order';
    },
  },
  {
    number: 15,
    name: 'failed account',
    prevents: 'an answer that failed passes for an account without orders, and everything is placed again',
    async run(subject) {
      const bench = await opened(subject);
      await bench.rest();
      const replies = Object.entries(unreadableReplies(undefined));
      for (const [what, reply] of replies) {
        bench.clientLine.mishap = () => reply;
        const failure = await bench.failure(() => bench.client.account([bench.market]));
        ensure(failure !== undefined, `${what} was accepted as an account`);
        const fills = await bench.failure(() => bench.fills());
        ensure(fills !== undefined, `${what} was accepted as a list of our trades`);
      }
      return `${replies.length} answers that failed are errors, not accounts`;
    },
  },
  {
    number: 16,
    name: 'margins',
    prevents: 'the guards count margin that is not there, and the position is liquidated',
    needs: ['perpetual'],
    async run(subject) {
      const bench = await opened(subject);
      const flat = (await bench.account()).margins;
      await bench.rest();
      const withOrder = (await bench.account()).margins;
      ensure(withOrder.omf - withOrder.imf <= flat.omf - flat.imf, 'a resting order makes the free margin (omf − imf) greater');
      const { margins } = await trade(bench, 'ask');
      const lost = flat.omf - flat.imf - (margins.omf - margins.imf);
      ensure(
        lost > 0,
        `a short position leaves the free margin (omf − imf) as it was: ${flat.omf - flat.imf}, then ${margins.omf - margins.imf}`,
      );
      ensure(
        margins.mmf > 0 && margins.mmf <= margins.imf,
        `of a short position mmf is ${margins.mmf} and imf ${margins.imf}: they are amounts of money, with 0 < mmf <= imf`,
      );
      const value = bench.market.notional(bench.market.restAt('bid', subject.fake.price), bench.market.lots(subject.fake.size));
      ensure(
        Math.abs(margins.pn / value - 1) < 0.05,
        `the position is worth ${value / 1e6}, and pn is ${margins.pn / 1e6}: pn is in millionths of quote money`,
      );
      for (const name of ['imf', 'mmf'] as const) {
        const [found, expected] = [margins[name] / 1e6, (value / 1e6) * bench.market.spec[name]];
        ensure(
          found > expected / 3 && found < expected * 3,
          `of a position worth ${value / 1e6} the ${name} is ${found}, and by the listing about ${expected}: it is in millionths of quote money`,
        );
      }
      ensure(
        !margins.bankruptcy && margins.mf > margins.mmf,
        'an account with enough money is said to be bankrupt, or below its maintenance margin',
      );
      return 'a position lowers the free margin, and mmf, imf and pn are amounts of quote money';
    },
  },
  {
    number: 17,
    name: 'spot balances',
    prevents: 'a fee in the base token is not counted: the bot offers what it no longer has',
    needs: ['spot'],
    async run(subject) {
      const bench = await opened(subject);
      const { spec } = bench.market;
      const before = await bench.account();
      const bought = await trade(bench, 'bid');
      const amountOf = (account: typeof before, token: number): number =>
        account.balances.find(({ tokenId }) => tokenId === token)?.amount ?? 0;
      const spent = amountOf(before, spec.quoteTokenId) - amountOf(bought, spec.quoteTokenId);
      const [fill] = bench.exchange.fills();
      ensure(fill !== undefined, 'the fake records no fill');
      const cost = bench.exchange.fills().reduce((sum, { price, size }) => sum + price * size, 0);
      ensure(spent > cost * 0.99 && spent < cost * 1.02, `buying for ${cost} changed the balance of the quote token by ${-spent}`);
      const received = amountOf(bought, spec.baseTokenId) - amountOf(before, spec.baseTokenId);
      await bench.pass(bench.client.rules.listingLagMs + 200);
      const booked = bench.market.size(lots((await bench.fills()).reduce((sum, one) => sum + positionChange(one), 0)));
      ensure(
        Math.abs(received - booked) < subject.fake.size * EXACT,
        `buying added ${received} to the balance of the base token, and our trades say ${booked}: a fee that is taken from the tokens is \`baseFee\` of the fill`,
      );
      return `buying changes the balances by what the exchange records, and by what our trades say`;
    },
  },
];
