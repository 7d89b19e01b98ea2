// Checks 26 to 33 of an adapter: what a lost, late or repeated request proves. Only a refusal and a request that never left prove an order absent.
import type { Millis } from '../../../../base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { PlaceOrder } from '../../../../bot/domain/action.ts';
import { jsonIn, replyWith, unreadableReplies, withOther } from '../altered-replies.ts';
import { ensure, outcomeText, VenueBench, type VenueSubject } from '../bench.ts';
import type { VenueCheck } from '../venue-check.ts';

const opened = (subject: VenueSubject): Promise<VenueBench> => new VenueBench(subject).open();

/** Longer than any timeout of an adapter. */
const LONG: Millis = 60_000;

/** Throws unless the order was reported as unknown, and later as nothing else, except as settled by the exchange. */
function ensureUnknown(bench: VenueBench, order: PlaceOrder, { from, why }: { from: number; why: string }): void {
  const [first, ...later] = bench.outcomes(order, from);
  ensure(
    first?.kind === 'orderUnknown',
    `${why}: an order was answered with ${first === undefined ? 'nothing' : outcomeText(first)}; only "unknown" is true`,
  );
  const wrong = later.find((outcome) => outcome.kind !== 'orderUnknown' && !(outcome.kind === 'orderRejected' && outcome.settled === true));
  ensure(
    wrong === undefined,
    `${why}: an order that was unknown was then answered with ${wrong && outcomeText(wrong)}; only "unknown" is true`,
  );
}

/** Returns the body with which the exchange refuses an order; undefined if the fake refuses none. */
async function refusalOf(bench: VenueBench): Promise<string | undefined> {
  let body: string | undefined;
  bench.onActions((_request, pass) => {
    const reply = pass();
    body = new TextDecoder().decode(reply.body);
    return reply;
  });
  await bench.place(bench.order({ times: 100_000 }));
  bench.line.mishap = undefined;
  return body;
}

/** Loses the requests of actions. Returns a function by which the first of them arrives late. */
function loseRequests(bench: VenueBench): () => void {
  let first: (() => HttpReply) | undefined;
  bench.onActions((_request, pass) => {
    first ??= pass;
    return 'silence';
  });
  return () => void first?.();
}

export const PROOF_CHECKS: readonly VenueCheck[] = [
  {
    number: 26,
    name: 'lost reply',
    prevents: 'an order whose reply was lost counts as refused, and is placed again: twice the position',
    async run(subject) {
      const bench = await opened(subject);
      let struck = 0;
      bench.onActions((_request, pass) => {
        pass();
        struck += 1;
        return struck === 1 ? 'silence' : undefined;
      });
      const order = bench.order();
      const from = bench.submit(order);
      const outcome = await bench.recorder.found('what became of an order whose reply was lost', () => bench.outcomes(order, from)[0]);
      await bench.pass(LONG);
      ensure(bench.exchange.orders().length === 1, `an order whose reply was lost was sent ${bench.exchange.orders().length} times`);
      ensure(
        outcome.kind === 'orderUnknown',
        `an order whose reply was lost was answered with ${outcomeText(outcome)}; only "unknown" is true`,
      );
      bench.line.mishap = undefined;
      const { orderId } = await bench.listedOrder(order);
      for (const later of bench.outcomes(order, from).slice(1))
        ensure(
          later.kind === 'orderUnknown' || (later.kind === 'orderOpened' && later.orderId === orderId),
          `an order whose reply was lost, and that rests as ${orderId}, was then answered with ${outcomeText(later)}`,
        );
      return 'unknown, and then found by its client order id';
    },
  },
  {
    number: 27,
    name: 'lost request',
    prevents: 'an order that may still arrive counts as absent, and both it and its replacement rest',
    async run(subject) {
      const bench = await opened(subject);
      const arrive = loseRequests(bench);
      const order = bench.order();
      const from = bench.submit(order);
      await bench.recorder.found('what became of an order that was lost', () => bench.outcomes(order, from)[0]);
      await bench.pass(LONG);
      ensureUnknown(bench, order, { from, why: 'its request was lost' });
      bench.line.mishap = undefined;
      arrive();
      if (bench.recorded(order) !== undefined) await bench.listedOrder(order);
      return `unknown; ${bench.recorded(order) === undefined ? 'when it arrived later it was refused' : 'it arrived later, and was found'}`;
    },
  },
  {
    number: 28,
    name: 'expiry',
    prevents: 'an order arrives after the bot has proved it dead and has replaced it',
    needs: ['expiry'],
    async run(subject) {
      const bench = await opened(subject);
      const { orderLife } = bench.client.rules;
      const arrive = loseRequests(bench);
      const order = bench.order();
      const from = bench.submit(order);
      const outcome = await bench.recorder.found('what became of an order that was lost', () => bench.outcomes(order, from)[0]);
      ensureUnknown(bench, order, { from, why: 'its request was lost' });
      ensure(outcome.kind === 'orderUnknown', 'a lost order is not unknown');
      await bench.pass(outcome.deadAfter * 1_000 + 1_000 - bench.clock.now());
      arrive();
      ensure(
        bench.recorded(order) === undefined,
        `an order that arrived ${orderLife} s (orderLife) after it was sent was accepted: send the time after which it is dead, or state a longer orderLife`,
      );
      return `an order that arrives after its ${orderLife} s is refused by the exchange`;
    },
  },
  {
    number: 29,
    name: 'repeated request',
    prevents: 'a proxy sends a request twice, and the answer to the second copy passes for a refusal of the order that rests',
    needs: ['unique-ids'],
    async run(subject) {
      const bench = await opened(subject);
      bench.onActions((_request, pass) => {
        pass();
        return pass(); // the answer to the second copy
      });
      const order = bench.order();
      const from = bench.submit(order);
      const outcome = await bench.recorder.found('what became of an order that arrived twice', () => bench.outcomes(order, from)[0]);
      const { length } = bench.exchange.orders();
      ensure(length === 1, `a request that arrived twice placed ${length} orders: the client order id is not sent, or not unique`);
      ensure(outcome.kind !== 'orderRejected', `an order that arrived twice, and rests, was answered with ${outcomeText(outcome)}`);
      return `one order; the answer to the second copy: ${outcomeText(outcome)}`;
    },
  },
  {
    number: 30,
    name: 'unreadable answer',
    prevents: 'an error of a server on the way passes for a refusal, and the order is placed again',
    async run(subject) {
      const bench = await opened(subject);
      const replies = Object.entries(unreadableReplies(await refusalOf(bench)));
      for (const [why, reply] of replies) {
        const order = bench.order();
        bench.onActions((_request, pass) => {
          pass();
          return reply;
        });
        const from = bench.submit(order);
        await bench.recorder.found(`what became of an order that was answered with ${why}`, () => bench.outcomes(order, from)[0]);
        await bench.pass(100);
        bench.line.mishap = undefined;
        ensureUnknown(bench, order, { from, why });
      }
      return `${replies.length} answers that prove nothing leave an order unknown`;
    },
  },
  {
    number: 31,
    name: 'cut answer',
    prevents: 'an answer that was cut off, or belongs to another order, passes for that of this order',
    async run(subject) {
      const bench = await opened(subject);
      const cut = bench.order();
      bench.onActions((_request, pass) => {
        const reply = pass();
        return { ...reply, body: reply.body.slice(0, reply.body.length >> 1) };
      });
      let from = bench.submit(cut);
      await bench.recorder.found('what became of an order whose answer was cut', () => bench.outcomes(cut, from)[0]);
      ensureUnknown(bench, cut, { from, why: 'its answer was cut in half' });
      const other = bench.order();
      let named = false;
      bench.onActions((_request, pass) => {
        const reply = pass();
        const value = jsonIn(reply);
        if (value === undefined) return reply;
        const changed = withOther(value, other.clientOrderId, String(BigInt(other.clientOrderId) + 77n));
        named ||= JSON.stringify(changed) !== JSON.stringify(value);
        return replyWith(reply, changed);
      });
      from = bench.submit(other);
      await bench.recorder.found(
        'what became of an order that was answered with the receipt of another',
        () => bench.outcomes(other, from)[0],
      );
      if (!named) return 'a cut answer leaves an order unknown; a receipt does not name its order, so nothing can be compared';
      ensureUnknown(bench, other, { from, why: 'the receipt names the client order id of another order' });
      return 'half of an answer, and the receipt of another order, leave an order unknown';
    },
  },
  {
    number: 32,
    name: 'not sent',
    prevents: 'an order that never left is locked as unknown, and the bot waits for nothing while the exchange is down',
    async run(subject) {
      const bench = await opened(subject);
      const sent: HttpRequest[] = [];
      bench.onActions((request) => {
        sent.push(request);
        return 'notSent';
      });
      const order = bench.order();
      const outcome = await bench.place(order);
      ensure(
        outcome.kind === 'orderRejected',
        `an order whose connection was refused was answered with ${outcomeText(outcome)}; it never left, so it is rejected as not sent`,
      );
      ensure(sent.length === 1, `an order whose connection was refused was sent ${sent.length} times: make one attempt`);
      return 'an order whose connection was refused never left';
    },
  },
  {
    number: 33,
    name: 'settle',
    prevents: 'an order is settled as absent, and a late copy of it is accepted',
    needs: ['settle'],
    async run(subject) {
      const bench = await opened(subject);
      const settle = async (order: PlaceOrder) => bench.client.settle?.(order);
      const { order: admitted } = await bench.rest();
      const known = await bench.wait(settle(admitted));
      ensure(known === 'admitted', `settle says "${known}" of an order that rests`);
      const arrive = loseRequests(bench);
      const lost = bench.order({ at: 0.96 });
      bench.submit(lost);
      await bench.pass(500);
      const state = await bench.wait(settle(lost));
      ensure(state !== 'admitted', 'settle says "admitted" of an order that never arrived');
      arrive();
      ensure(state !== 'absent' || bench.recorded(lost) === undefined, 'settle said "absent", and a late copy of the order was accepted');
      for (const [why, reply] of Object.entries(unreadableReplies(undefined))) {
        bench.clientLine.mishap = () => reply;
        const answer = await bench.wait(settle(bench.order()).catch(() => 'an error'));
        ensure(answer !== 'absent' && answer !== 'admitted', `settle says "${answer}" after ${why}`);
      }
      return `an order that rests: admitted; one that never arrived: ${state}, and its late copy is refused`;
    },
  },
];
