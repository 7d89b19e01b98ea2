// The end of a run at an exchange with failing endpoints: all resting orders are still cancelled.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../src/base/transport/transport.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { hostedClient } from '../../src/venues/client/hosted.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { memoryState } from '../memory-state.ts';
import { embeddedOn, latencies, ONE_MARKET, START, startBot } from '../replay/virtual-run.ts';

/** Returns a reply that replaces the exchange's answer; undefined if the exchange answers. */
type Fault = (request: HttpRequest) => Partial<HttpReply> | 'lost' | undefined;

const NO_FAULT: Fault = () => undefined;

async function stage(seed: string) {
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const embedded = await embeddedOn(clock, { seed, markets: ONE_MARKET });
  const network = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) });
  let fault = NO_FAULT;
  const transport: Transport = {
    ...network,
    request: async (request, terms) => {
      const instead = fault(request);
      if (instead === undefined) return network.request(request, terms);
      if (instead === 'lost') throw new TransportError('noReply', 'lost');
      return { status: 200, contentType: 'text/html', body: new Uint8Array(), ...instead };
    },
  };
  const { strategy } = await loadStrategy('grid');
  const wallet = walletOf(newSecretKey());
  const state = memoryState();
  const { venue, trading } = await driven(
    clock,
    startBot({ transport, clock, seed, strategy, state, schema, wallet, exchange: 'embedded' }),
  );
  const watcher = hostedClient({ transport: network });
  return {
    trading,
    /** Number of orders that rest at the exchange. */
    resting: async () => (await driven(clock, watcher.account(Number(venue.gateway.account)))).orders.length,
    pass: (seconds: number) => clock.drive(clock.now() + seconds * 1_000),
    faulty: (next: Fault): void => {
      fault = next;
    },
  };
}

const timeFails: Fault = ({ path }) => (path === '/timestamp' ? { status: 503 } : undefined);
const accountFails: Fault = ({ path }) => (path.startsWith('/account/') ? { status: 502 } : undefined);

test.each([
  ['the time', timeFails, 0],
  ['the time, for five minutes', timeFails, 300],
  ['the account', accountFails, 0],
  ['the account, for five minutes', accountFails, 300],
])('no order rests ten seconds after a stop without answers for %s', async (_, fault, before) => {
  const { trading, resting, pass, faulty } = await stage('ends');
  await pass(20);
  expect(await resting()).toBeGreaterThan(3);
  faulty(fault);
  await pass(before);
  trading.run.stop('Ctrl-C');
  await pass(10);
  expect(await resting()).toBe(0);
});

test('no order rests if the account is not answered and the first cancels are lost', async () => {
  const { trading, resting, pass, faulty } = await stage('ends');
  await pass(20);
  expect(await resting()).toBeGreaterThan(3);
  faulty((request) => (request.method === 'POST' ? 'lost' : accountFails(request)));
  trading.run.stop('Ctrl-C');
  await pass(5);
  expect(await resting()).toBeGreaterThan(3);
  faulty(accountFails);
  await pass(10);
  expect(await resting()).toBe(0);
});

test('after a 429 with an hour of Retry-After for the time, the run trades within half a minute and stops cleanly', async () => {
  const { trading, resting, pass, faulty } = await stage('ends');
  await pass(20);
  let once = true;
  faulty(({ path }) => {
    if (path !== '/timestamp' || !once) return undefined;
    once = false;
    return { status: 429, retryAfter: 3_600 };
  });
  const before = trading.summary().orders.placed;
  await pass(60);
  expect(once).toBe(false);
  expect(trading.summary().orders.placed).toBeGreaterThan(before);
  trading.run.stop('Ctrl-C');
  await pass(10);
  expect(await resting()).toBe(0);
});

test('a stop that takes long says every five seconds what it waits for, and stops saying it when it is done', async () => {
  const { trading, pass, faulty, resting } = await stage('ends');
  await pass(20);
  const said: (readonly [at: number, reason: string])[] = [];
  trading.lines.subscribe((line) => {
    if (line.kind === 'finding' && line.guard === 'stop') said.push([Date.parse(line.at), line.reason]);
  });
  const open = await resting();
  faulty((request) => (request.method === 'POST' ? 'lost' : accountFails(request)));
  const stopped = trading.run.world.now;
  trading.run.stop('Ctrl-C');
  await pass(17);
  expect(said.map(([at]) => Math.floor((at - stopped) / 1_000))).toEqual([5, 10, 15]);
  for (const [, reason] of said) expect(reason).toBe(`the stop waits for ${open} orders with a cancel whose effect is not proved`);
  faulty(NO_FAULT);
  await pass(60);
  expect(await trading.run.done).toEqual({ kind: 'settled' });
  const count = said.length;
  await pass(30);
  expect(said).toHaveLength(count);
});

test('a stop that is done at once says nothing of it', async () => {
  const { trading, pass } = await stage('ends');
  await pass(20);
  const said: string[] = [];
  trading.lines.subscribe((line) => said.push(line.kind === 'finding' ? line.guard : line.kind));
  trading.run.stop('Ctrl-C');
  await pass(4);
  expect(said).not.toContain('stop');
});
