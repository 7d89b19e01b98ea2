// Each fault of the proxy does what its name says, as seen by the client and by the server.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { httpTransport } from '../../src/base/transport/http.ts';
import { PATIENCE_MS } from '../patience.ts';
import { type Fault, startProxy } from './proxy.ts';

const ANSWER = 'an answer of some length';

const SEEN: readonly (readonly [fault: Fault | undefined, arrivals: number, seen: string])[] = [
  [undefined, 1, ANSWER],
  ['late', 1, ANSWER],
  ['answeredLate', 1, ANSWER],
  ['slow', 1, ANSWER],
  ['repeated', 2, ANSWER],
  ['lost', 0, 'noReply'],
  ['reset', 0, 'noReply'],
  ['unanswered', 1, 'noReply'],
  ['silent', 1, 'noReply'],
  ['cut', 1, 'noReply'],
];

describe('a request', () => {
  test.each(SEEN)('%s arrives %d times, and its sender sees: %s', async (fault, arrivals, seen) => {
    const { proxy, transport, arrived } = await proxied(fault);
    const sent = { method: 'POST', path: '/action', body: Buffer.from('bytes'), contentType: 'application/octet-stream' } as const;
    const timeoutMs = fault === 'unanswered' || fault === 'silent' ? 2_000 : PATIENCE_MS;
    const reply = transport.request(sent, { timeoutMs, maxBytes: 1_000 });
    const outcome = await reply.then(
      ({ body }) => Buffer.from(body).toString(),
      (error: { kind: string }) => error.kind,
    );
    expect([outcome, arrived.length]).toEqual([seen, arrivals]);
    expect(proxy.passed.map(({ body, reply: answer }) => Buffer.concat([body, Buffer.from(' '), answer]).toString())).toEqual(
      arrived.map(() => `bytes ${ANSWER}`),
    );
  });

  test('is refused during an outage, and passes after it', async () => {
    const { proxy, transport } = await proxied(undefined);
    const ask = () => transport.request({ method: 'GET', path: '/' }, { timeoutMs: PATIENCE_MS, maxBytes: 1_000 });
    await proxy.outage(() => expect(ask()).rejects.toMatchObject({ kind: 'notSent' }));
    await expect(ask()).resolves.toMatchObject({ status: 200 });
  });
});

async function proxied(fault: Fault | undefined) {
  const arrived: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    arrived.push(request);
    request.resume().once('end', () => response.end(ANSWER));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await startProxy({ target, rng: rngFrom('proxy'), percent: { GET: 0, POST: 0 }, lateMs: 200, fault: () => fault });
  const transport = httpTransport({ origin: proxy.url, connections: 1 });
  onTestFinished(async () => {
    await transport.close();
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  return { proxy, transport, arrived };
}
