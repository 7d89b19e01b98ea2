// A run on virtual time at an exchange with failing endpoints, and what each stop must do there.
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
export type Fault = (request: HttpRequest) => Partial<HttpReply> | 'lost' | undefined;

export const NO_FAULT: Fault = () => undefined;

export async function stage(seed: string) {
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

export const timeFails: Fault = ({ path }) => (path === '/timestamp' ? { status: 503 } : undefined);
export const accountFails: Fault = ({ path }) => (path.startsWith('/account/') ? { status: 502 } : undefined);

/** Registers the test of a stop that begins so many seconds after the fault. */
export const stopsCleanly = (name: string, fault: Fault, before: number): void =>
  test(`no order rests ten seconds after a stop without answers for ${name}`, async () => {
    const { trading, resting, pass, faulty } = await stage('ends');
    await pass(20);
    expect(await resting()).toBeGreaterThan(3);
    faulty(fault);
    await pass(before);
    trading.run.stop('Ctrl-C');
    await pass(10);
    expect(await resting()).toBe(0);
  });
