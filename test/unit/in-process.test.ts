// A simulated network on a clock: half the latency before the server, half after it.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import type { HttpReply, HttpRequest, Transport } from '../../src/base/transport/transport.ts';
import { inProcessTransport } from '../in-process.ts';

const request: HttpRequest = { method: 'GET', path: '/timestamp' };
const limits = { timeoutMs: 1_000, maxBytes: 100 };

interface Network {
  readonly clock: VirtualClock;
  readonly transport: Transport;
  readonly handled: readonly number[];
}

function network(latencyMs: () => number, bodyBytes = 1): Network {
  const clock = new VirtualClock(0);
  const handled: number[] = [];
  const handler = (): HttpReply => {
    handled.push(clock.now());
    return { status: 200, contentType: 'application/json', body: new Uint8Array(bodyBytes) };
  };
  return { clock, transport: inProcessTransport({ handler, clock, latencyMs }), handled };
}

const broken = (): never => {
  throw new Error('bug');
};

/** The outcome of a request, and its time. */
async function outcome({ clock, transport }: Network, until: number): Promise<string> {
  let text = 'pending';
  transport.request(request, limits).then(
    ({ status }) => (text = `${status} at ${clock.now()}`),
    (error: { kind: string; message: string }) => (text = `${error.kind} at ${clock.now()}: ${error.message}`),
  );
  await clock.drive(until);
  return text;
}

test('the request arrives after half of the latency, the reply after all of it', async () => {
  const net = network(() => 50);
  expect(await outcome(net, 49)).toBe('pending');
  expect(net.handled).toEqual([25]);
  expect(
    await outcome(
      network(() => 50),
      50,
    ),
  ).toBe('200 at 50');
});

test('a timeout on the way back is noReply, and the request was handled', async () => {
  const net = network(() => 1_500);
  expect(await outcome(net, 1_000)).toBe('noReply at 1000: no reply within 1 s');
  expect(net.handled).toEqual([750]);
});

test('a timeout on the way there is noReply too, and the request is handled later', async () => {
  const net = network(() => 4_000);
  expect(await outcome(net, 3_000)).toBe('noReply at 1000: no reply within 1 s');
  expect(net.handled).toEqual([2_000]);
});

test('a reply above the limit is too large', async () => {
  expect(
    await outcome(
      network(() => 50, 101),
      50,
    ),
  ).toBe('tooLarge at 50: the reply exceeds 100 bytes');
});

test('each request draws its own latency, so that answers may overtake each other', async () => {
  const latencies = [100, 20];
  const { clock, transport } = network(() => latencies.shift() ?? 0);
  const arrived: string[] = [];
  for (const name of ['first', 'second']) void transport.request(request, limits).then(() => arrived.push(`${name} at ${clock.now()}`));
  await clock.drive(1_000);
  expect(arrived).toEqual(['second at 20', 'first at 100']);
});

test('errors of the handler are thrown by the clock', () => {
  const clock = new VirtualClock(0);
  void inProcessTransport({ handler: broken, clock, latencyMs: () => 10 }).request(request, limits);
  expect(() => clock.advanceTo(10)).toThrow('bug');
});

test('after closing nothing is sent', async () => {
  const net = network(() => 10);
  await net.transport.close();
  await expect(net.transport.request(request, limits)).rejects.toMatchObject({ kind: 'notSent' });
  expect(net.handled).toEqual([]);
});
