// Every request is journaled before it is sent; if that fails, only cancels are sent.
import { expect, test } from 'vitest';
import type { SealedAction, WriteAhead } from '../../../../src/bot/exchange/kit/sending/outgoing.ts';
import { Bench, cancel, place } from './bench.ts';

async function kept(prevented?: string) {
  const bench = new Bench();
  const bodies: Uint8Array[] = [];
  const written: SealedAction[] = [];
  const asked: number[] = [];
  const request = bench.exchange.request.bind(bench.exchange);
  bench.exchange.request = (sent, limits) => {
    if (sent.body !== undefined) bodies.push(sent.body);
    return request(sent, limits);
  };
  const writeAhead: WriteAhead = (sealed) => {
    written.push(...sealed);
    asked.push(bodies.length);
    return () => (written.some(({ action }) => action !== 'createSession') ? prevented : undefined);
  };
  await bench.connect({ writeAhead });
  await bench.run(1_000);
  return { bench, bodies, written, asked };
}

test('the session, a cancel and an order are journaled before their first byte is sent', async () => {
  const { bench, bodies, written, asked } = await kept();
  const order = place();
  await bench.submit([cancel(), order]);
  expect(written.map(({ action, clientOrderId }) => [action, clientOrderId])).toEqual([
    ['createSession', undefined],
    ['cancel', '5'],
    ['place', order.clientOrderId],
  ]);
  expect(written.map(({ body }) => body)).toEqual(bodies);
  expect(asked).toEqual([0, 1]);
  for (const { timestamp, nonce } of written) expect([timestamp, nonce].every(Number.isInteger)).toBe(true);
});
