// The grid on the embedded exchange, over a line that lies about the account.
import { expect, onTestFinished } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { walletOf } from '../../src/base/keys/key.ts';
import { rngFrom } from '../../src/base/rng.ts';
import type { HttpReply, HttpRequest } from '../../src/base/transport/transport.ts';
import { newSecretKey } from '../../src/base/wire/ed25519.ts';
import type { Line } from '../../src/bot/accounting/lines.ts';
import { isLine } from '../../src/bot/run/state/entries.ts';
import { openState, type State } from '../../src/bot/run/state/state.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { SimDisk } from '../../src/research/simulation/environment/disk/sim-disk.ts';
import { bundledSchema } from '../../src/venues/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { latencies, livelyExchange, START, startBot } from '../replay/virtual-run.ts';
import { FaultyTransport, NO_FAULTS } from './faulty-transport.ts';

/** The account as the exchange sends it; the fields that a test changes. */
export interface AccountBody {
  updateId: number | string;
  balances: { amount: number }[];
  positions: { perp: { baseSize: number; isLong: boolean } | null; openOrders: number }[];
  orders: unknown[];
  margins: Record<string, number | boolean>;
}
export type Change = (body: AccountBody) => AccountBody;

const isAccount = ({ method, path }: HttpRequest): boolean => method === 'GET' && /^\/account\/\d+$/.test(path);

/** The grid on the embedded exchange, over a line that lies about the account while `lie` is set. */
export async function stage(seed: string) {
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const embedded = await livelyExchange(clock, seed);
  onTestFinished(() => embedded.close());
  const line = new FaultyTransport(inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) }), {
    clock,
    rng: rngFrom(seed),
    faults: NO_FAULTS,
  });
  let [lie, left]: [Change | undefined, number] = [undefined, 0];
  line.corrupts = (reply: HttpReply, request): HttpReply => {
    if (lie === undefined || left <= 0 || !isAccount(request) || reply.status !== 200) return reply;
    left--;
    const body = lie(JSON.parse(Buffer.from(reply.body).toString()) as AccountBody);
    return { ...reply, body: Buffer.from(JSON.stringify(body)) };
  };
  const disk = new SimDisk();
  const wallet = walletOf(newSecretKey());
  const { strategy } = await loadStrategy('grid');
  let started = 0;
  const bot = async (params = {}) => {
    const processes = { self: { pid: ++started, started: '', boot: '' }, alive: () => false };
    const opened = openState(disk, { clock, started: String(started), processes });
    const lines: Line[] = [];
    const append: State['append'] = (entries) => {
      opened.append(entries);
      lines.push(...entries.filter(isLine));
    };
    const state = { ...opened, append };
    const { trading, venue } = await driven(
      clock,
      startBot({ transport: line, clock, seed, strategy, params, state, schema, wallet, exchange: 'embedded' }),
    );
    const findings = new Set<string>();

    trading.run.turns.subscribe(({ findings: found }) => {
      for (const { guard, reason } of found) findings.add(`${guard}: ${reason}`);
    });
    return {
      trading,
      world: trading.run.world,
      lines,
      findings,
      state,
      venue,
      /** Ends without an orderly end, as a process that is killed. */
      async die() {
        await venue.gateway.close();
        opened.close();
      },
    };
  };
  return {
    clock,
    line,
    embedded,
    bot,
    /** Answers wrongly from now on, at most `times` times. */
    lie: (change: Change | undefined, times = Number.POSITIVE_INFINITY) => ([lie, left] = [change, times]),
    run: (seconds: number): Promise<void> => clock.drive(clock.now() + seconds * 1_000),
  };
}

export type Scene = Awaited<ReturnType<typeof stage>>;
export type Bot = Awaited<ReturnType<Scene['bot']>>;

/** Runs until the grid holds a position and has orders on both sides. */
export async function trading(seed: string): Promise<Scene & { readonly process: Bot }> {
  const scene = await stage(seed);
  const process = await scene.bot();
  const holds = (): boolean => (process.world.position(process.world.perps[0]!.id)?.size ?? 0) !== 0 && process.world.orders().length > 3;
  for (let second = 0; second < 300 && !holds(); second++) await scene.run(1);
  await scene.run(5);
  expect(holds()).toBe(true);
  return { ...scene, process };
}

export const placedIn = ({ lines }: Bot): number => lines.filter((line) => line.kind === 'order' && line.status === 'placed').length;
export const alarmsIn = ({ lines }: Bot): string[] => lines.flatMap((line) => (line.kind === 'alarm' ? [line.alarm] : []));

/** Runs until `isDone`, at most for `most` seconds. */
export async function until({ run }: Scene, isDone: () => boolean, most: number): Promise<void> {
  for (let second = 0; second < most && !isDone(); second++) await run(1);
}
