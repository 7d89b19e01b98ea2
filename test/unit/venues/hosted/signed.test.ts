// Only what was approved is signed, at the exchange's time.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AssertionError } from '../../../../src/base/errors.ts';
import { WireError } from '../../../../src/base/wire/framing.ts';
import { ActionCodec } from '../../../../src/venues/wire/codec.ts';
import { bundledSchema, loadSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { Bench, cancel, connected, place, tamper, USER } from './bench.ts';
import { accepted } from './fake-exchange.ts';

const reducing = () => place({ fillMode: 'IMMEDIATE_OR_CANCEL', reduceOnly: true });
/** Whether each order that arrived is marked reduce-only. */
const marks = ({ exchange }: Bench): unknown[] => exchange.orders().map((action) => 'reduceOnly' in action && action.reduceOnly);

describe('a signed action', () => {
  afterEach(() => vi.restoreAllMocks());

  test.each([
    ['price', { price: 1_995n }],
    ['side', { side: 'ask' }],
    ['marketId', { marketId: 1 }],
    ['size', { size: 21n }],
    ['fillMode', { fillMode: 'LIMIT' }],
    ['clientOrderId', { clientOrderId: '1' }],
    ['senderAccountId', { senderAccountId: 3 }],
  ] as const)('must equal the approved one: another %s stops the run before anything is sent', async (field, change) => {
    const bench = await connected();
    tamper((action) => (action.kind === 'placeOrder' ? { ...action, ...change } : action));
    expect(() => bench.venue.gateway.submit([cancel(), place()])).toThrow(
      new AssertionError(`the encoded placeOrder differs from the approved one in ${field}`),
    );
    await bench.run(5_000);
    expect(bench.exchange.orders()).toEqual([]);
  });

  test('must contain nothing else: a schema that uses a known field for something else stops the run', async () => {
    const bench = await connected();
    vi.spyOn(ActionCodec.prototype, 'decode').mockImplementation(() => {
      throw new WireError('an unknown field is set in placeOrder: is_reduce_only');
    });
    expect(() => bench.venue.gateway.submit([place()])).toThrow(AssertionError);
  });

  test('has the last observed time, even if that is 90 s behind, but no time that was observed more than 20 s ago', async () => {
    const bench = new Bench();
    bench.exchange.offsetSeconds = -90;
    await bench.connect();
    await bench.run(100);
    const observed = bench.exchange.now();
    bench.exchange.fault = ({ path }) => (path === '/timestamp' ? { lost: 'reply' } : undefined);
    await bench.run(15_000);
    await bench.submit([place()]);
    expect(bench.exchange.orders()).toMatchObject([{ timestamp: observed }]);
    await bench.run(5_000);
    await bench.submit([place()]);
    expect(bench.exchange.orders()).toHaveLength(1);
    expect(bench.of('orderRejected')).toMatchObject([{ error: 'NOT_SENT' }]);
  });

  test('may be a cancel with a computed time: the last observed one advanced by the local clock, and a little behind', async () => {
    const bench = new Bench();
    bench.exchange.offsetSeconds = -90;
    await bench.connect();
    await bench.run(100);
    bench.exchange.fault = ({ path }) => (path === '/timestamp' ? { reply: { status: 503, body: '' } } : undefined);
    await bench.run(600_000);
    await bench.submit([place(), cancel()]);
    expect(bench.of('orderRejected')).toMatchObject([{ error: 'NOT_SENT' }]);
    expect(bench.exchange.orders()).toMatchObject([{ kind: 'cancelOrder' }]);
    const behind = bench.exchange.now() - Number(bench.exchange.orders()[0]?.timestamp);
    expect(behind).toBeGreaterThanOrEqual(5);
    expect(behind).toBeLessThanOrEqual(20);
  });

  test('names the account if the user has more than one', async () => {
    const bench = new Bench();
    bench.exchange.users.set(USER, [0, 7]);
    await bench.connect({ accountId: 7 });
    await bench.submit([place(), cancel()]);
    expect(bench.exchange.orders()).toMatchObject([{ senderAccountId: 7 }, { senderAccountId: 7 }]);
    const first = new Bench();
    first.exchange.users.set(USER, [0, 7]);
    await first.connect();
    await first.submit([place(), cancel()]);
    expect(first.exchange.orders()).toMatchObject([{ senderAccountId: 0 }, { senderAccountId: 0 }]);
  });

  describe('of an order that only reduces', () => {
    const schema = bundledSchema();
    const without = loadSchema(schema.text.replace('bool is_reduce_only = 36;', ''));
    async function bench(): Promise<Bench> {
      const opened = new Bench(schema);
      await opened.connect({ schema });
      await opened.run(100);
      return opened;
    }

    test('has the mark if the schema has that field, and no other order has it', async () => {
      const opened = await bench();
      await opened.submit([reducing(), place()]);
      expect(marks(opened)).toEqual([true, false]);
    });

    test('has no mark if the schema lacks it', async () => {
      const opened = new Bench(without);
      await opened.connect({ schema: without });
      await opened.run(100);
      await opened.submit([reducing()]);
      expect(marks(opened)).toEqual([false]);
    });

    test.each(['ORDER_REDUCE_IS_POST_ONLY', 'ONLY_IMMEDIATE_ORDERS_ALLOWED', 'NOT_IMPLEMENTED', 'DECODE_FAILURE_RAW'])(
      'has no mark after the exchange has answered %s',
      async (error) => {
        const opened = await bench();
        opened.exchange.answer = (action) =>
          action.kind === 'placeOrder' && action.reduceOnly === true ? { kind: 'err', actionId: '9', error, code: 1 } : accepted(action);
        const [refused, taken] = [reducing(), reducing()];
        await opened.submit([refused]);
        expect(opened.of('orderRejected')).toMatchObject([{ clientOrderId: refused.clientOrderId, error }]);
        await opened.submit([taken]);
        expect(marks(opened)).toEqual([true, false]);
        expect(opened.of('orderOpened')).toMatchObject([{ clientOrderId: taken.clientOrderId }]);
      },
    );

    test('keeps the mark if the exchange refuses for another reason', async () => {
      const opened = await bench();
      opened.exchange.answer = () => ({ kind: 'err', actionId: '9', error: 'POSITION_NOT_FOUND', code: 1 });
      await opened.submit([reducing()]);
      await opened.submit([reducing()]);
      expect(marks(opened)).toEqual([true, true]);
    });
  });

  test('has no field that the schema lacks', async () => {
    const schema = loadSchema(bundledSchema().text.replaceAll(/^.*optional .*(sender_account_id|client_order_id).*$/gm, ''));
    const bench = new Bench(schema);
    await bench.connect({ schema });
    await bench.submit([place(), cancel()]);
    expect(bench.exchange.orders().map((action) => Object.keys(action).includes('clientOrderId'))).toEqual([false, false]);
    expect(bench.of('orderOpened')).toHaveLength(1);
  });

  test('has a nonce that distinguishes equal actions of one second, also past 32 bits', async () => {
    const bench = new Bench();
    await bench.connect({ firstNonce: 2 ** 32 - 2 });
    const order = place();
    await bench.submit([order, order, order]);
    expect(bench.exchange.actions.map(({ nonce }) => nonce)).toEqual([2 ** 32 - 2, 2 ** 32 - 1, 0, 1]);
  });
});
