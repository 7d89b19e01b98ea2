// The kill switch: a stricter mode is written to disk; the run applies it, reports the reason and keeps it after restarts.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import type { Handler } from '../../src/base/transport/transport.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import { splitSigned } from '../../src/base/wire/framing.ts';
import { KillSwitch } from '../../src/bot/journal/kill-switch.ts';
import { openState } from '../../src/bot/run/state/state.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { SimDisk } from '../../src/research/simulation/environment/disk/sim-disk.ts';
import { ActionCodec, type WireAction } from '../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { embeddedOn, latencies, ONE_MARKET, START, startBot } from '../replay/virtual-run.ts';

const CAUSE = { reason: 'a person asked', at: '2026-01-05T12:00:30.000Z', by: 'kill' };
const WALLET = walletOf(newSecretKey());

/** An exchange, a state directory, and consecutive processes of one run. */
async function stage(seed: string) {
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const { hosted, close } = await embeddedOn(clock, { seed, markets: ONE_MARKET });
  const codec = new ActionCodec(schema);
  const arrived = new Map<WireAction['kind'], number>();
  const handler: Handler = (request) => {
    const kind = request.body && codec.decode(splitSigned(request.body).framed).kind;
    if (kind !== undefined) arrived.set(kind, (arrived.get(kind) ?? 0) + 1);
    return hosted(request);
  };
  const transport = inProcessTransport({ handler, clock, latencyMs: latencies(seed) });
  const disk = new SimDisk();
  const { strategy } = await loadStrategy('grid');
  let started = 0;
  const bot = async () => {
    const processes = { self: { pid: ++started, started: '', boot: '' }, alive: () => false };
    const state = openState(disk, { clock, started: String(started), processes });
    const { trading } = await driven(
      clock,
      startBot({ transport, clock, seed, strategy, state, schema, wallet: WALLET, exchange: 'embedded' }),
    );
    return { trading, state };
  };
  const run = (seconds: number): Promise<void> => clock.drive(clock.now() + seconds * 1_000);
  return { clock, disk, bot, run, arrived, close };
}

type Trading = Awaited<ReturnType<Awaited<ReturnType<typeof stage>>['bot']>>['trading'];
const alarmsOf = (trading: Trading): string[] => {
  const reported: string[] = [];
  trading.lines.subscribe((line) => line.kind === 'alarm' && reported.push(line.reason));
  return reported;
};

describe('set from outside', () => {
  test('cancel-all cancels all orders and ends the run, and the next process places nothing', async () => {
    const { clock, disk, bot, run, close } = await stage('latch-cancel-all');
    const first = await bot();
    const alarms = alarmsOf(first.trading);
    await run(20);
    expect(first.trading.run.world.orders().length).toBeGreaterThan(5);
    new KillSwitch(disk).raise('cancel-all', CAUSE);
    expect(await driven(clock, first.trading.run.done)).toEqual({ kind: 'settled' });
    expect(first.trading.summary().orders).toMatchObject({ unknown: 0, openAtExit: 0 });
    expect(alarms.some((reason) => reason.includes('a person asked'))).toBe(true);
    const { placed } = first.trading.summary().orders;

    first.state.close();
    const second = await bot();
    expect(await driven(clock, second.trading.run.done)).toEqual({ kind: 'settled' });
    expect(second.trading.summary().orders.placed).toBe(placed);
    await close();
  });

  test('close-only allows no order that increases the position', async () => {
    const { disk, bot, run, close } = await stage('latch-close-only');
    const { trading } = await bot();
    await run(30);
    new KillSwitch(disk).raise('close-only', CAUSE);
    await run(2);
    const sizes: number[] = [];
    for (let look = 0; look < 3; look++) {
      await run(20);
      sizes.push(Math.abs(trading.run.world.exposure(0).high));
    }
    expect(sizes.every((size, index) => index === 0 || size <= (sizes[index - 1] ?? 0))).toBe(true);
    expect(trading.run.world.mode).toBe('close-only');
    trading.run.stop('the story ends');
    await close();
  });

  test('halted sends nothing, not even a cancel', async () => {
    const { clock, disk, bot, run, close } = await stage('latch-halted');
    const { trading } = await bot();
    await run(20);
    const resting = trading.run.world.orders().length;
    new KillSwitch(disk).raise('halted', CAUSE);
    expect(await driven(clock, trading.run.done)).toMatchObject({ kind: 'unsettled', reason: expect.stringContaining('a person asked') });
    expect(trading.run.world.orders()).toHaveLength(resting);
    await close();
  });
});

test('a mode set just before orders are sent stops them', async () => {
  const { clock, disk, bot, arrived, close } = await stage('latch-race');
  const { trading } = await bot();
  let before = -1;
  trading.run.decided.subscribe(({ actions }) => {
    if (before >= 0 || !actions.some(({ kind }) => kind === 'place')) return;
    before = arrived.get('placeOrder') ?? 0;
    new KillSwitch(disk).raise('cancel-all', CAUSE); // the turn is decided and journaled, and nothing was sent
  });
  expect(await driven(clock, trading.run.done)).toEqual({ kind: 'settled' });
  expect(before).toBe(0);
  expect(arrived.get('placeOrder') ?? 0).toBe(0);
  expect(trading.summary().orders).toMatchObject({ placed: 0, unknown: 0, openAtExit: 0 });
  await close();
});
