// Answers about the account that are wrong for a while: another account's, without money, bankrupt, or with positions of the wrong sign. Nothing that only
// a person can undo follows from them, and trading resumes by itself. A loss and a liquidation that are real still stop the run.
import { expect, onTestFinished, test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import type { HttpReply, HttpRequest } from '../../src/base/transport.ts';
import { inProcessTransport } from '../../src/exchange/transport/in-process.ts';
import type { Line } from '../../src/report/accounting/lines.ts';
import { walletOf } from '../../src/run/keys/key.ts';
import { isLine } from '../../src/run/state/entries.ts';
import { openState, type State } from '../../src/run/state/state.ts';
import { SimDisk } from '../../src/simulation/environment/disk/sim-disk.ts';
import { loadStrategy } from '../../src/strategy/loading/loader.ts';
import { newSecretKey } from '../../src/wire/ed25519.ts';
import { bundledSchema } from '../../src/wire/schema/schema.ts';
import { driven } from '../driven.ts';
import { latencies, livelyExchange, START, startBot } from '../replay/virtual-run.ts';
import { FaultyTransport, NO_FAULTS } from './faulty-transport.ts';

/** The account as the exchange sends it; the fields that a test changes. */
interface AccountBody {
  balances: { amount: number }[];
  positions: { perp: { baseSize: number; isLong: boolean } | null; openOrders: number }[];
  orders: unknown[];
  margins: Record<string, number | boolean>;
}
type Change = (body: AccountBody) => AccountBody;

const scaled = ({ margins }: AccountBody, factor: number): AccountBody['margins'] =>
  Object.fromEntries(Object.entries(margins).map(([name, value]) => [name, typeof value === 'number' ? value * factor : value]));

/** The body of an account with other money, the opposite position in three times the size, and no orders. */
const somebodyElse: Change = (body) => ({
  ...body,
  balances: body.balances.map((balance) => ({ ...balance, amount: balance.amount / 40 })),
  positions: body.positions.map(({ perp, ...rest }) => ({
    ...rest,
    openOrders: 0,
    perp: perp === null ? null : { ...perp, baseSize: perp.baseSize * 3, isLong: !perp.isLong },
  })),
  orders: [],
  margins: scaled(body, 0.025),
});
const withoutMoney: Change = (body) => ({
  ...body,
  balances: body.balances.map((balance) => ({ ...balance, amount: 0 })),
  margins: scaled(body, 0),
});
const withoutMargins: Change = (body) => ({ ...body, margins: scaled(body, 0) });
const bankrupt: Change = (body) => ({ ...body, margins: { ...body.margins, bankruptcy: true } });
const wrongSign: Change = (body) => ({
  ...body,
  positions: body.positions.map(({ perp, ...rest }) => ({ ...rest, perp: perp === null ? null : { ...perp, isLong: !perp.isLong } })),
});

const isAccount = ({ method, path }: HttpRequest): boolean => method === 'GET' && /^\/account\/\d+$/.test(path);

/** The grid on the embedded exchange, over a line that lies about the account while `lie` is set. */
async function stage(seed: string) {
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
    return { trading, world: trading.run.world, lines, findings, state, venue };
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

type Scene = Awaited<ReturnType<typeof stage>>;
type Bot = Awaited<ReturnType<Scene['bot']>>;

/** Runs until the grid holds a position and has orders on both sides. */
async function trading(seed: string): Promise<Scene & { readonly process: Bot }> {
  const scene = await stage(seed);
  const process = await scene.bot();
  const holds = (): boolean => (process.world.position(process.world.perps[0]!.id)?.size ?? 0) !== 0 && process.world.orders().length > 3;
  for (let second = 0; second < 300 && !holds(); second++) await scene.run(1);
  await scene.run(5);
  expect(holds()).toBe(true);
  return { ...scene, process };
}

const placedIn = ({ lines }: Bot): number => lines.filter((line) => line.kind === 'order' && line.status === 'placed').length;
const alarmsIn = ({ lines }: Bot): string[] => lines.flatMap((line) => (line.kind === 'alarm' ? [line.alarm] : []));

/** Runs until `isDone`, at most for `most` seconds. */
async function until({ run }: Scene, isDone: () => boolean, most: number): Promise<void> {
  for (let second = 0; second < most && !isDone(); second++) await run(1);
}

const LIES: readonly (readonly [string, Change, { readonly times?: number; readonly seconds: number }])[] = [
  ["another account's body for 5 s", somebodyElse, { seconds: 5 }],
  ["another account's body for 60 s", somebodyElse, { seconds: 60 }],
  ['no money once', withoutMoney, { times: 1, seconds: 2 }],
  ['no money for 20 s', withoutMoney, { seconds: 20 }],
  ['margins 0 once', withoutMargins, { times: 1, seconds: 2 }],
  ['margins 0 for 20 s', withoutMargins, { seconds: 20 }],
  ['bankrupt once', bankrupt, { times: 1, seconds: 2 }],
  ['bankrupt for 20 s', bankrupt, { seconds: 20 }],
];

test('while trading, each holds at once, changes no mode, and trading resumes', async () => {
  const scene = await trading('wrong accounts');
  const { lie, run, process } = scene;
  const { world, findings } = process;
  for (const [name, change, { times, seconds }] of LIES) {
    findings.clear();
    lie(change, times);
    await run(2);
    const before = placedIn(process);
    await run(seconds - 2);
    const during = placedIn(process) - before;
    lie(undefined);
    const held = [...findings].some((text) => text.startsWith('account: '));
    const now = placedIn(process);
    await until(scene, () => placedIn(process) > now, 200);
    const resumed = placedIn(process) > now;
    expect({ name, held, during, mode: world.mode, resumed }).toEqual({ name, held: true, during: 0, mode: 'active', resumed: true });
  }
  expect(alarmsIn(process)).toEqual(['account']);
  lie(somebodyElse);
  process.trading.run.stop('the test ends');
  await run(5);
  lie(undefined);
  await run(30);
  expect([await process.trading.run.done, world.mode]).toEqual([{ kind: 'settled' }, 'active']);
});

test('from the first answer of a run on, it is forgotten, and trading begins', async () => {
  const scene = await stage('wrong start');
  scene.lie(somebodyElse, 6);
  const process = await scene.bot();
  await until(scene, () => placedIn(process) > 0, 60);
  await scene.run(30);
  const now = placedIn(process);
  await until(scene, () => placedIn(process) > now, 200);
  expect([placedIn(process) > now, process.world.mode, process.world.binding.fault]).toEqual([true, 'active', undefined]);
});

test('positions of the wrong sign for 42 s: nothing is closed, with both figures in a finding, until both sources agree', async () => {
  const scene = await trading('wrong sign');
  const { lie, run, process, embedded } = scene;
  const { account } = process.venue.gateway;
  const { world, findings, state } = process;
  const { id } = world.perps[0]!;
  const truth = (): number => embedded.exchange.account(Number(account))?.positions.find(({ market }) => market === id)?.size ?? 0;
  lie(wrongSign);
  await run(3);
  state.killSwitch.raise('flatten', { reason: 'a person asked', at: new Date(0).toISOString(), by: 'flatten' });
  await until(scene, () => world.orders().length === 0, 10);
  const held = truth();
  await run(35);
  expect([truth(), held === 0]).toEqual([held, false]);
  expect([...findings].filter((text) => text.startsWith('account: nothing can be closed: the exchange shows a position of '))).not.toEqual(
    [],
  );
  lie(undefined);
  await until(scene, () => truth() === 0, 60);
  expect([truth(), world.mode]).toEqual([0, 'flatten']);
});
