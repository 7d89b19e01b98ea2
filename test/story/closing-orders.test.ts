// Closing orders in the modes close-only and flatten are reduce-only at the hosted exchange, so that they cannot reverse a position that another order
// has closed meanwhile.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import type { Handler } from '../../src/base/transport/transport.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import { splitSigned } from '../../src/base/wire/framing.ts';
import { lots } from '../../src/bot/domain/numbers.ts';
import { KillSwitch } from '../../src/bot/journal/kill-switch.ts';
import { openState } from '../../src/bot/run/state/state.ts';
import { defineStrategy } from '../../src/bot/strategy/contract.ts';
import { SimDisk } from '../../src/research/simulation/environment/disk/sim-disk.ts';
import { ActionCodec, type WireAction } from '../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { embeddedOn, latencies, ONE_MARKET, START, startBot } from '../replay/virtual-run.ts';

const CAUSE = { reason: 'a person asked', at: '2026-01-05T12:00:30.000Z', by: 'kill' };
const SIZE = 0.01;

/** A strategy that holds 0.01 long until second 20, and then targets zero. */
const holding = defineStrategy({
  name: 'holding',
  defaults: { market: 'BTCUSDC' },
  create: ({ market }) => {
    return (view) => [view.market(market).target({ position: view.now < START + 20_000 ? SIZE : 0, bandBps: 0 })];
  },
});

type Place = Extract<WireAction, { kind: 'placeOrder' }>;

/** Runs the strategy and records the orders that arrive. `before` is called before each is executed. */
async function stage(before: (order: Place, closeByHand: () => void) => void = () => undefined) {
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const embedded = await embeddedOn(clock, { seed: 'closing', markets: ONE_MARKET });
  const { exchange } = embedded;
  const codec = new ActionCodec(schema);
  const orders: Place[] = [];
  const position = (): number => exchange.account(account())?.positions[0]?.size ?? 0;
  const closeByHand = (): void => {
    const size = lots(position());
    const outcome = exchange.place({ account: account(), market: 0, side: 'ask', fillMode: 'IMMEDIATE_OR_CANCEL', size });
    expect(outcome.kind).toBe('accepted');
  };
  const handler: Handler = (request) => {
    const action = request.body && codec.decode(splitSigned(request.body).framed);
    if (action?.kind === 'placeOrder') {
      orders.push(action);
      before(action, closeByHand);
    }
    return embedded.hosted(request);
  };
  const disk = new SimDisk();
  const processes = { self: { pid: 1, started: '', boot: '' }, alive: () => false };
  const state = openState(disk, { clock, started: '1', processes });
  const transport = inProcessTransport({ handler, clock, latencyMs: latencies('closing') });
  const wallet = walletOf(newSecretKey());
  const { venue, trading } = await driven(
    clock,
    startBot({ transport, clock, seed: 'closing', strategy: holding, state, schema, wallet, exchange: 'embedded' }),
  );
  const account = (): number => Number(venue.gateway.account);
  const pass = (seconds: number): Promise<void> => clock.drive(clock.now() + seconds * 1_000);
  const raise = (mode: 'close-only' | 'flatten'): unknown => new KillSwitch(disk).raise(mode, CAUSE);
  return { clock, trading, orders, position, pass, raise, close: () => embedded.close() };
}

const marksOf = (orders: readonly Place[]): (string | boolean)[][] => orders.map(({ side, reduceOnly = false }) => [side, reduceOnly]);

test('a closing order in close-only is reduce-only and closes, an opening one is not reduce-only', async () => {
  const { orders, position, pass, raise, close } = await stage();
  await pass(10);
  expect([position(), marksOf(orders)]).toEqual([100, [['bid', false]]]);
  raise('close-only');
  await pass(25);
  expect([position(), marksOf(orders).slice(1)]).toEqual([0, [['ask', true]]]);
  await close();
});

test('flatten closes with reduce-only orders', async () => {
  const { orders, position, pass, raise, close } = await stage();
  await pass(10);
  raise('flatten');
  await pass(30);
  expect(position()).toBe(0);
  expect(marksOf(orders).slice(1)).toEqual([['ask', true]]);
  await close();
});

test.each(['close-only', 'flatten'] as const)(
  'a position closed by hand while a closing order of %s is in flight stays closed',
  async (mode) => {
    const { orders, position, pass, raise, close } = await stage(({ reduceOnly }, closeByHand) => {
      if (reduceOnly === true && position() > 0) closeByHand();
    });
    await pass(10);
    expect(position()).toBe(100);
    raise(mode);
    await pass(60);
    expect(marksOf(orders)).toContainEqual(['ask', true]);
    expect(position()).toBe(0);
    await close();
  },
);
