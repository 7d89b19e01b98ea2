// What holds for the actions of every exchange: the order in which they are sent, how long they wait, and what each failure proves.
import { describe, expect, test } from 'vitest';
import { AssertionError } from '../../../src/base/errors.ts';
import type { SealedAction } from '../../../src/bot/exchange/kit/sending/outgoing.ts';
import { EXCHANGES, type Fault, type Open, type SendingBench } from './sending-benches.ts';

/** Maximum wait of an order for the cancels before it. */
const LONGEST_WAIT = 3_500;

async function spoiled(open: Open, faults: { readonly place?: Fault; readonly cancel?: Fault }): Promise<SendingBench> {
  const opened = await open({});
  opened.wire.faultOf = (kind) => faults[kind];
  return opened;
}

/** Opens a bench whose journal records how many actions were sent before each entry. */
async function journaled(open: Open, prevented?: string) {
  const written: (readonly [SealedAction['action'], number])[] = [];
  const records: SealedAction[] = [];
  let wire: SendingBench['wire'] | undefined;
  const opened = await open({
    writeAhead: (sealed) => {
      const orders = sealed.filter(({ action }) => action !== 'createSession');
      written.push(...orders.map(({ action }) => [action, wire?.sent.length ?? 0] as const));
      records.push(...orders);
      return () => (orders.length > 0 ? prevented : undefined);
    },
  });
  wire = opened.wire;
  return { ...opened, written, records };
}

describe.each(Object.entries(EXCHANGES))('%s', (_, open) => {
  describe('actions of one turn', () => {
    test('cancels are sent first, then placements when all cancels are answered; eight at a time', async () => {
      const { bench, wire, place, cancel } = await open({});
      const placements = Array.from({ length: 20 }, () => place());
      const cancels = Array.from({ length: 9 }, (_one, index) => cancel({ orderId: String(index + 1), clientOrderId: String(index + 1) }));
      await bench.submit([...placements, ...cancels], 500);
      expect(wire.sent).toEqual([...cancels.map(() => 'cancel'), ...placements.map(() => 'place')]);
      expect(wire.mostInFlight).toBe(8);
    });

    test('a placement waits for a cancel without an answer until its timeout, and is sent then unless that was too long', async () => {
      const {
        bench,
        wire,
        place,
        cancel,
        rules: { answerTimeoutMs },
      } = await spoiled(open, { cancel: 'reply lost' });
      const order = place();
      bench.venue.gateway.submit([order, cancel()]);
      await bench.run(answerTimeoutMs - 100);
      expect(wire.sent).toEqual(['cancel']);
      await bench.run(200);
      const isSent = answerTimeoutMs <= LONGEST_WAIT;
      expect(wire.sent).toEqual(isSent ? ['cancel', 'place'] : ['cancel']);
      const refused = bench.of('orderRejected').map(({ clientOrderId, error }) => [clientOrderId, error]);
      expect(refused).toEqual(isSent ? [] : [[order.clientOrderId, 'NOT_SENT']]);
    });

    test('placements that waited longer for their cancels are not sent; the cancels are', async () => {
      const { bench, wire, place, cancel } = await spoiled(open, { cancel: { late: 2_000 } });
      const order = place();
      const cancels = Array.from({ length: 17 }, (_one, index) => cancel({ orderId: String(index + 1), clientOrderId: String(index + 1) }));
      await bench.submit([order, ...cancels], 20_000);
      expect(wire.sent).toEqual(cancels.map(() => 'cancel'));
      expect(bench.of('orderRejected')).toMatchObject([{ clientOrderId: order.clientOrderId, error: 'NOT_SENT' }]);
    });

    test('a cancel that was answered in time does not delay the placements any further', async () => {
      const { bench, wire, place, cancel } = await spoiled(open, { cancel: { late: 2_900 } });
      await bench.submit([place(), cancel()], 3_000);
      expect(wire.sent).toEqual(['cancel', 'place']);
    });

    test('nothing is sent or read once the gateway is closed', async () => {
      const { bench, wire, place, cancel } = await open({});
      bench.venue.gateway.submit([place(), cancel()]);
      await bench.venue.gateway.close();
      const { reads } = wire;
      await bench.run(10_000);
      expect([wire.sent, wire.reads]).toEqual([['cancel'], reads]);
      expect(() => bench.venue.gateway.submit([place()])).toThrow(AssertionError);
    });

    test('nothing is reported before they were submitted', async () => {
      const { bench, place, cancel } = await spoiled(open, { place: 'not sent', cancel: 'not sent' });
      const before = bench.events.length;
      bench.venue.gateway.submit([place(), cancel()]);
      expect(bench.events).toHaveLength(before);
    });
  });

  test('a read of our trades is as old as their list may lag, so that no order is settled too early', async () => {
    const { bench, rules } = await open({});
    const [round] = bench.of('fillsSeen');
    expect((round?.at ?? 0) - (round?.asked ?? 0)).toBeGreaterThanOrEqual(rules.listingLagMs);
  });

  describe('the journal', () => {
    test('has each action before its first byte is sent', async () => {
      const { bench, place, cancel, written } = await journaled(open);
      await bench.submit([cancel(), place()], 500);
      expect(written).toEqual([
        ['cancel', 0],
        ['place', 0],
      ]);
    });

    test('has when an order is dead, not before the exchange could still execute it', async () => {
      const { bench, place, records, rules } = await journaled(open);
      const seconds = bench.clock.now() / 1_000;
      await bench.submit([place()], 500);
      const [record] = records;
      const deadAfter = record?.deadAfter ?? (record?.timestamp ?? Number.NaN) + rules.orderLife;
      expect(deadAfter).toBeGreaterThanOrEqual(Math.floor(seconds) + rules.orderLife);
      expect(deadAfter).toBeLessThanOrEqual(seconds + LONGEST_WAIT / 1_000 + 1 + rules.orderLife);
    });

    test('that cannot be written keeps the order back, and not the cancel', async () => {
      const { bench, wire, place, cancel } = await journaled(open, 'the disk is full');
      const order = place();
      await bench.submit([cancel(), order], 500);
      expect(wire.sent).toEqual(['cancel']);
      expect(bench.of('orderRejected')).toMatchObject([{ clientOrderId: order.clientOrderId, error: 'NOT_SENT' }]);
    });
  });

  describe('an order', () => {
    test.each<[string, Fault]>([
      ['whose request is lost', 'request lost'],
      ['whose reply is lost', 'reply lost'],
      ['at which the server fails', { reply: { status: 503, body: 'busy' } }],
      ['whose answer is a page of HTML', { reply: { status: 200, body: '<html>' } }],
      ['whose answer is empty', { reply: { status: 200, body: '' } }],
      ['whose request timed out at the server', { reply: { status: 408, body: '' } }],
      ['that is redirected', { reply: { status: 302, body: '' } }],
    ])('%s is unknown once, until its bytes are dead, and was sent once', async (_name, fault) => {
      const {
        bench,
        wire,
        place,
        rules: { answerTimeoutMs },
      } = await spoiled(open, { place: fault });
      const order = place();
      const now = bench.clock.now() / 1_000;
      await bench.submit([order], answerTimeoutMs + 35_000);
      expect(bench.of('orderUnknown')).toMatchObject([{ clientOrderId: order.clientOrderId, deadAfter: expect.any(Number) }]);
      expect(bench.of('orderUnknown')[0]?.deadAfter).toBeGreaterThan(now);
      const answered = bench.of('orderRejected').filter(({ settled }) => settled !== true); // an exchange may be asked what became of it
      expect([...bench.of('orderOpened'), ...answered]).toEqual([]);
      expect(wire.sent).toEqual(['place']);
    });

    test('without an answer is unknown after the timeout', async () => {
      const {
        bench,
        place,
        rules: { answerTimeoutMs },
      } = await spoiled(open, { place: 'reply lost' });
      await bench.submit([place()], answerTimeoutMs - 100);
      expect(bench.of('orderUnknown')).toEqual([]);
      await bench.run(200);
      expect(bench.of('orderUnknown')).toMatchObject([{ reason: `no answer within ${answerTimeoutMs / 1_000} s` }]);
    });

    test('whose late answer is definite has that outcome too', async () => {
      const opened = await open({});
      const { bench, wire, place, refusing, rules } = opened;
      const { answerTimeoutMs } = rules;
      wire.faultOf = () => ({ late: answerTimeoutMs + 2_000, reply: refusing('INSUFFICIENT_FUNDS') });
      const order = place();
      await bench.submit([order], answerTimeoutMs + 100);
      expect(bench.of('orderUnknown')).toHaveLength(1);
      await bench.run(4_000);
      expect(bench.of('orderUnknown')).toHaveLength(1);
      expect(bench.of('orderRejected')).toMatchObject([{ clientOrderId: order.clientOrderId, error: 'INSUFFICIENT_FUNDS' }]);
    });

    test('whose late answer is not definite has one outcome', async () => {
      const { bench, wire, place, rules } = await open({});
      wire.faultOf = () => ({ late: rules.answerTimeoutMs + 2_000, reply: { status: 503, body: 'busy' } });
      await bench.submit([place()], rules.answerTimeoutMs + 4_000);
      expect(bench.of('orderUnknown')).toMatchObject([{ reason: `no answer within ${rules.answerTimeoutMs / 1_000} s` }]);
      expect([...bench.of('orderOpened'), ...bench.of('orderRejected')]).toEqual([]);
    });

    test('that is refused was not placed', async () => {
      const { bench, wire, place, refusing } = await open({});
      wire.faultOf = () => ({ reply: refusing('INSUFFICIENT_FUNDS') });
      const order = place();
      await bench.submit([order], 500);
      expect(bench.of('orderRejected')).toMatchObject([{ clientOrderId: order.clientOrderId, error: 'INSUFFICIENT_FUNDS' }]);
    });

    test('that was never sent was not placed', async () => {
      const { bench, place } = await spoiled(open, { place: 'not sent' });
      const order = place();
      await bench.submit([order], 500);
      expect(bench.of('orderRejected')).toMatchObject([{ clientOrderId: order.clientOrderId, error: 'NOT_SENT' }]);
    });
  });

  describe('a cancel', () => {
    test.each<[string, Fault]>([
      ['whose request is lost', 'request lost'],
      ['whose reply is lost', 'reply lost'],
      ['at which the server fails', { reply: { status: 500, body: 'busy' } }],
      ['whose answer is a page of HTML', { reply: { status: 200, body: '<html>' } }],
    ])('%s may have been executed', async (_name, fault) => {
      const {
        bench,
        wire,
        cancel,
        rules: { answerTimeoutMs },
      } = await spoiled(open, { cancel: fault });
      await bench.submit([cancel()], answerTimeoutMs + 1_000);
      expect(bench.of('cancelAnswered')).toMatchObject([{ outcome: 'unknown' }]);
      expect(wire.sent).toEqual(['cancel']);
    });

    test('that is refused cancelled nothing, and a frozen market is named', async () => {
      const { bench, wire, place, cancel, refusing } = await open({});
      wire.faultOf = () => ({ reply: refusing('MARKET_FROZEN') });
      await bench.submit([place(), cancel()], 500);
      expect(bench.of('orderRejected')).toMatchObject([{ error: 'MARKET_FROZEN', frozen: true }]);
      expect(bench.of('cancelAnswered')).toMatchObject([{ outcome: 'refused', reason: 'MARKET_FROZEN', frozen: true }]);
    });

    test('that was never sent cancelled nothing', async () => {
      const { bench, cancel } = await spoiled(open, { cancel: 'not sent' });
      await bench.submit([cancel()], 500);
      expect(bench.of('cancelAnswered')).toMatchObject([{ outcome: 'refused', reason: expect.stringMatching(/^NOT_SENT/) }]);
    });
  });
});
