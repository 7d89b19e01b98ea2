// Starts on an account with unknown orders: the stage, and the tests that each API must pass.

import { describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, type Millis, VirtualClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { HttpReply } from '../../../src/base/transport/transport.ts';
import { newSecretKey, toBase58 } from '../../../src/base/wire/ed25519.ts';
import type { Trading } from '../../../src/bot/run/core/trading.ts';
import { inheritedOptions, inheritedOptionsWithoutSession, startCheckOption } from '../../../src/bot/run/core/venue.ts';
import type { ForeignOrdersPolicy } from '../../../src/bot/run/state/entries.ts';
import { openState } from '../../../src/bot/run/state/state.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import { connectHosted } from '../../../src/venues/hosted/open.ts';
import { connectLocal } from '../../../src/venues/local/open.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { inProcessTransport } from '../../in-process.ts';
import { DEFAULTS, embeddedOn, latencies, ONE_MARKET, QUIET, START, tradeAt } from '../../replay/virtual-run.ts';
import { MemoryDisk } from '../../unit/journal/memory-disk.ts';

/** The API of the exchange. */
export type Api = 'hosted' | 'local';
export const URL = 'https://exchange.example';

export interface StartOptions {
  readonly disk: MemoryDisk;
  readonly foreign?: ForeignOrdersPolicy;
  readonly wallet?: ReturnType<typeof walletOf>;
  readonly url?: string;
  /** Lead of the machine's clock over the exchange's. */
  readonly ahead?: Millis;
}

interface Process {
  readonly trading: Trading;
  /** Ends the process at once; its last requests may be in flight. */
  die(): Promise<void>;
}

/** One exchange, and processes on one of its accounts. */
export async function stage(api: Api) {
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const seed = `start check, ${api}`;
  const embedded = await embeddedOn(clock, { seed, localPort: 0, markets: ONE_MARKET });
  onTestFinished(() => embedded.close());
  const handler = api === 'hosted' ? embedded.hosted : embedded.local;
  if (handler === undefined) throw new Error('the local API is not served');
  let changes = 0;
  let emptyUntil = START;
  const transport = inProcessTransport({
    handler: (request) => {
      if (request.method !== 'GET') changes++;
      const reply = handler(request);
      return /^\/account\/\d+$/.test(request.path) && clock.now() < emptyUntil ? withoutOrders(reply) : reply;
    },
    clock,
    latencyMs: latencies(seed),
  });
  const { strategy } = await loadStrategy('grid');
  const usual = walletOf(newSecretKey());
  let started = 0;
  let account: number | undefined;

  async function start({ disk, foreign, wallet = usual, url = URL, ahead = 0 }: StartOptions): Promise<Process> {
    const processes = { self: { pid: ++started, started: '', boot: '' }, alive: () => false };
    const own = aheadOf(clock, ahead);
    const state = openState(disk, { clock: own, started: String(started), processes });
    const options = { clock: own, rng: rngFrom(seed), polling: DEFAULTS.polling, markets: ['BTCUSDC'], state, log: QUIET, foreign };
    const connecting =
      api === 'hosted'
        ? connectHosted({
            ...options,
            ...inheritedOptions(options),
            ...startCheckOption(options, { exchange: 'hosted', url, user: toBase58(wallet.publicKey) }),
            transport,
            wallet,
            schema,
          })
        : connectLocal({
            ...options,
            ...inheritedOptionsWithoutSession(options),
            ...startCheckOption(options, { exchange: 'local', url }),
            transport,
          });
    const venue = await driven(clock, connecting);
    account ??= Number(venue.gateway.account);
    const trading = tradeAt(venue, { clock: own, seed, strategy, state, exchange: api, foreign });
    return {
      trading,
      die: async () => {
        trading.run.endNow('the process dies');
        await venue.gateway.close();
        await clock.drive(clock.now() + 1_000);
      },
    };
  }
  return {
    start,
    pass: (seconds: number) => clock.drive(clock.now() + seconds * 1_000),
    /** Makes accounts list no orders for a while. Hosted API only. */
    emptyFor: (ms: number) => void (emptyUntil = clock.now() + ms),
    /** Number of write requests so far. */
    changes: () => changes,
    resting: () => embedded.exchange.account(account ?? 0)?.orders ?? [],
  };
}

const aheadOf = (clock: Clock, by: Millis): Clock => ({
  now: () => clock.now() + by,
  at: (when, run) => clock.at(when - by, run),
  skipped: () => clock.skipped(),
});

function withoutOrders(reply: HttpReply): HttpReply {
  const account = JSON.parse(new TextDecoder().decode(reply.body)) as Record<string, unknown>;
  return { ...reply, body: new TextEncoder().encode(JSON.stringify({ ...account, orders: [] })) };
}

export async function refusal(starting: Promise<unknown>): Promise<UserError> {
  const error: unknown = await starting.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof UserError) return error;
  throw new Error(`the start was not refused: ${String(error)}`);
}

/** Registers the tests that each API must pass. */
export const startChecks = (api: Api) =>
  describe(api, () => {
    test('with a lost state the start lists the resting orders and sends nothing', async () => {
      const { start, pass, changes, resting } = await stage(api);
      const first = await start({ disk: new MemoryDisk() });
      await pass(20);
      await first.die();
      const left = resting();
      expect(left.length).toBeGreaterThan(3);
      const before = changes();
      const { code, message, hint } = await refusal(start({ disk: new MemoryDisk() }));
      expect(code).toBe('foreign');
      expect(message).toContain(`${left.length} orders rest in the markets of this run that its state does not know`);
      for (const { orderId } of left)
        expect(message).toMatch(new RegExp(`\\n {2}(bid|ask) [\\d.]+ BTCUSDC at [\\d.]+, order ${orderId}\\b`));
      expect(hint).toMatch(/--adopt .*--cancel-foreign .*--ignore-foreign/);
      await pass(5);
      expect(changes()).toBe(before);
      const leftIds = left.map(({ orderId }) => orderId);
      for (const { orderId } of resting()) expect(leftIds).toContain(orderId); // some may have been filled
    });

    test('with an older copy of the state its own later orders are reported as such', async () => {
      const { start, pass, changes, resting } = await stage(api);
      const disk = new MemoryDisk();
      await (await start({ disk })).die();
      const copy = disk.copy();
      const second = await start({ disk });
      await pass(20);
      await second.die();
      expect(resting().length).toBeGreaterThan(3);
      const before = changes();
      const { code, message } = await refusal(start({ disk: copy }));
      expect(code).toBe('state');
      expect(message).toContain('the state is older than the account');
      expect(changes()).toBe(before);
    });

    test('with the unchanged state the run continues, and no level is doubled', async () => {
      const { start, pass, resting } = await stage(api);
      const disk = new MemoryDisk();
      const first = await start({ disk });
      await pass(20);
      const most = first.trading.run.world.orders().length;
      await first.die();
      const second = await start({ disk });
      await pass(20);
      expect(resting().length).toBeLessThanOrEqual(most + 1);
      expect(second.trading.summary().orders.placed).toBeGreaterThan(0);
      await second.die();
    });

    test('a fresh state starts on an account with trades and without orders', async () => {
      const { start, pass, resting } = await stage(api);
      const first = await start({ disk: new MemoryDisk() });
      await pass(20);
      first.trading.run.stop('enough');
      await pass(95);
      expect(resting()).toHaveLength(0);
      const second = await start({ disk: new MemoryDisk() });
      await pass(20);
      expect(resting().length).toBeGreaterThan(3);
      await second.die();
    });

    test('a restarted fresh state counts no trade from before its start', async () => {
      const { start, pass } = await stage(api);
      const first = await start({ disk: new MemoryDisk() });
      await pass(60);
      expect(first.trading.summary().fills).toBeGreaterThan(0);
      await first.die();
      const disk = new MemoryDisk();
      const second = await start({ disk, foreign: 'adopt' });
      await pass(5);
      await second.die();
      const third = await start({ disk });
      const booked: string[] = [];
      const alarms: string[] = [];
      third.trading.lines.subscribe((line) => {
        if (line.kind === 'fill' && Date.parse(line.at) < START + 60_000) booked.push(line.at);
        if (line.kind === 'alarm') alarms.push(line.reason);
      });
      await pass(20);
      expect([booked, alarms]).toEqual([[], []]);
      await third.die();
    });

    test('--cancel-foreign cancels all orders; levels are placed when no earlier order can appear', async () => {
      const { start, pass, resting } = await stage(api);
      const first = await start({ disk: new MemoryDisk() });
      await pass(20);
      await first.die();
      const left = new Set(resting().map(({ orderId }) => orderId));
      const second = await start({ disk: new MemoryDisk(), foreign: 'cancel' });
      let placedBeside = 0;
      second.trading.run.turns.subscribe(({ actions }) => {
        const rests = resting().some(({ orderId }) => left.has(orderId));
        if (rests && actions.some(({ kind }) => kind === 'place')) placedBeside++;
      });
      await pass(20);
      expect([placedBeside, resting()]).toEqual([0, []]);
      await pass(70);
      expect(resting().length).toBeGreaterThan(3);
      await second.die();
    });

    test.each(['adopt', 'cancel'] as const)('a takeover by %s continues after a restart without the option', async (foreign) => {
      const { start, pass } = await stage(api);
      const first = await start({ disk: new MemoryDisk() });
      await pass(20);
      await first.die();
      const disk = new MemoryDisk();
      const second = await start({ disk, foreign });
      await pass(5);
      await second.die();
      const third = await start({ disk });
      const { world } = third.trading.run;
      expect(world.isTakingOver).toBe(true);
      const placed = third.trading.summary().orders.placed;
      await pass(40);
      expect([world.isTakingOver, third.trading.summary().orders.placed]).toEqual([true, placed]);
      await pass(50);
      expect(world.isTakingOver).toBe(false);
      expect(third.trading.summary().orders.placed).toBeGreaterThan(placed);
      await third.die();
      const fourth = await start({ disk });
      expect(fourth.trading.run.world.isTakingOver).toBe(false);
      await fourth.die();
      const older = new MemoryDisk();
      const fifth = await start({ disk: older, foreign });
      await pass(5);
      await fifth.die();
      await pass(60); // no earlier order can appear any more
      const sixth = await start({ disk: older });
      expect(sixth.trading.run.world.isTakingOver).toBe(false);
      await sixth.die();
    });

    test('--adopt takes the orders over: their levels are not placed again', async () => {
      const { start, pass, resting } = await stage(api);
      const first = await start({ disk: new MemoryDisk() });
      await pass(20);
      const most = first.trading.run.world.orders().length;
      await first.die();
      const disk = new MemoryDisk();
      const second = await start({ disk, foreign: 'adopt' });
      await pass(90);
      expect(second.trading.summary().orders.placed).toBeGreaterThan(0);
      expect(resting().length).toBeLessThanOrEqual(most + 1);
      await second.die();
      const third = await start({ disk });
      await pass(20);
      expect(resting().length).toBeLessThanOrEqual(most + 1);
      await third.die();
    });

    test('--ignore-foreign keeps and counts the orders', async () => {
      const { start, pass, resting } = await stage(api);
      const first = await start({ disk: new MemoryDisk() });
      await pass(20);
      await first.die();
      const second = await start({ disk: new MemoryDisk(), foreign: 'ignore' });
      await pass(2);
      expect(second.trading.run.world.foreignOrders(0).length).toBeGreaterThan(3);
      expect(second.trading.run.world.orders().length).toBeGreaterThan(0);
      expect(resting().length).toBeGreaterThan(second.trading.run.world.orders().length);
      await second.die();
    });

    test('a journal of another exchange is refused', async () => {
      const { start } = await stage(api);
      const disk = new MemoryDisk();
      await (await start({ disk })).die();
      const elsewhere = start({ disk, url: 'https://other.example' });
      const { code, message } = api === 'hosted' ? await refusal(elsewhere) : { code: 'state', message: 'the journal belongs to account' };
      await elsewhere.catch(() => undefined);
      expect([code, message]).toEqual(['state', expect.stringContaining('the journal belongs to account')]);
    });
  });
