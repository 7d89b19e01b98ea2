// The bot as a process with real sockets, disk and time: behind a bad network, killed repeatedly, or given the replies to other requests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { nodeDisk } from '../../src/base/files/node-disk.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import { httpTransport } from '../../src/base/transport/http.ts';
import { readJournal } from '../../src/bot/journal/segment.ts';
import type { Entry } from '../../src/bot/run/state/entries.ts';
import { type HostedClient, hostedClient } from '../../src/venues/client/hosted.ts';
import { keyNamed } from '../foreign/keys.ts';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, type Printed, startChild } from './children.ts';
import { type Action, Auditor, actionsIn, type ExchangeRecord } from './exchange-record.ts';
import { type Proxy, startProxy } from './proxy.ts';

/** `KILLS=100 SEED=…` in the environment makes a longer test of it. */
const KILLS = Number(process.env.KILLS ?? 4);
const SEED = process.env.SEED ?? 'kills';
/** Exchange seconds per real second: the minute after which a signed request is dead takes 7 s. */
const SPEED = 9;
const LATE_MS = 4_000;
const LONGEST_LIFE_MS = 3_000;
/** A process that has placed nothing by then waits for orders without an answer. */
const FIRST_ORDER_WITHIN_MS = 10_000;
const USER = keyNamed('killed');
/** Of BTCUSDC on the embedded exchange. */
const LOTS_PER_BASE = 10_000;

test(
  `killed ${KILLS} times behind a bad network, with seed ${SEED}, it duplicates nothing, loses nothing and continues to trade`,
  async () => {
    const rng = rngFrom(SEED);
    const folder = mkdtempSync(join(tmpdir(), 'kills-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const exchange = childUntilTheEnd(['exchange', '--json', '--hosted-port', '0', '--seed', SEED, '--speed', String(SPEED)]);
    const target = String((await exchange.printed('ready'))?.['hosted']);
    const proxy = await startProxy({ target, rng: rng.fork('network'), percent: { GET: 8, POST: 25 }, lateMs: LATE_MS });
    onTestFinished(() => proxy.close());
    const auditor = new Auditor(directClient(target), USER.base58);

    const bots: Child[] = [];
    const start = (): Child => {
      const bot = childUntilTheEnd(botArguments(proxy.url, folder));
      bots.push(bot);
      return bot;
    };
    for (let kill = 0; kill < KILLS; kill++) {
      await liveAndDie(start(), { rng, proxy });
      await auditor.look();
    }
    proxy.calm();
    const last = start();
    expect(await last.printed('order', 'open'), last.stderrText()).toBeDefined();
    expect(await last.signal('SIGINT'), last.stderrText()).toBe(0);

    const truth = await auditor.look();
    if (truth === undefined) throw new Error('the exchange does not know the bot');
    const written = readJournal<Entry>(nodeDisk(join(folder, 'state')));
    expect(written.damage).toEqual([]);
    const reported = { lines: bots.flatMap(({ lines }) => lines), written: written.entries, actions: actionsIn(proxy.passed), truth };
    report(reported, { bots, proxy });
    expectAgreement(reported);
    expectPrintedAsWritten(bots, written.entries);
  },
  (1 + KILLS) * PATIENCE_MS,
);

const TIMES_BEHIND = 4;

test('behind a proxy whose connections fall one reply behind it duplicates no level, loses nothing and continues to trade', {
  timeout: 3_600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const exchange = childUntilTheEnd(['exchange', '--json', '--hosted-port', '0', '--seed', 'behind', '--speed', String(SPEED)]);
  const target = String((await exchange.printed('ready'))?.['hosted']);
  const proxy = await startProxy({ target, rng: rngFrom('behind'), percent: { GET: 0, POST: 0 }, lateMs: LATE_MS });
  onTestFinished(() => proxy.close());
  const auditor = new Auditor(directClient(target), USER.base58);
  const bot = childUntilTheEnd(botArguments(proxy.url, folder));
  expect(await bot.printed('order', 'open'), bot.stderrText()).toBeDefined();
  const opened = (): number => bot.lines.filter(({ kind, status }) => kind === 'order' && status === 'open').length;
  for (let time = 0; time < TIMES_BEHIND; time++) {
    const [misdelivered, before] = [proxy.misdelivered, opened()];
    await vi.waitFor(
      () => {
        proxy.fallBehind(); // again, in case the bot has just closed its connections
        expect(proxy.misdelivered).toBeGreaterThan(misdelivered);
      },
      { timeout: PATIENCE_MS },
    );
    await vi.waitFor(() => expect(opened(), bot.stderrText()).toBeGreaterThan(before), { timeout: PATIENCE_MS });
    const resting = (await auditor.look())?.account.orders ?? [];
    const levels = resting.map(({ side, price }) => `${side} ${price}`);
    expect(levels).toEqual([...new Set(levels)]);
  }
  expect(await bot.signal('SIGINT'), bot.stderrText()).toBe(0);
  const truth = await auditor.look();
  if (truth === undefined) throw new Error('the exchange does not know the bot');
  const written = readJournal<Entry>(nodeDisk(join(folder, 'state'))).entries;
  expectAgreement({ lines: bot.lines, written, actions: actionsIn(proxy.passed), truth });
  expectPrintedAsWritten([bot], written);
});

/** Kills the bot while it starts, while it recovers, or, most often, while it trades. */
async function liveAndDie(bot: Child, { rng, proxy }: { rng: Rng; proxy: Proxy }): Promise<void> {
  const [span, early, outage] = [rng.below(LONGEST_LIFE_MS), rng.below(5) === 0, rng.below(4) === 0];
  if (!early) await Promise.race([bot.printed('order'), wait(FIRST_ORDER_WITHIN_MS, undefined, { ref: false })]);
  await wait(span / 2);
  if (outage) await proxy.outage(() => wait(rng.below(1_000)));
  await wait(span / 2);
  await bot.signal('SIGKILL');
}

interface Reported {
  /** Lines of all processes of the bot. */
  readonly lines: readonly Printed[];
  /** In their journal. */
  readonly written: readonly Entry[];
  readonly actions: readonly Action[];
  readonly truth: ExchangeRecord;
}

function expectAgreement({ lines, written, actions, truth }: Reported): void {
  const summary = lines.at(-1);
  const positions = summary?.['positions'] as Record<string, string> | undefined;
  expect.soft(summary).toMatchObject({ kind: 'summary', orders: { unknown: 0, openAtExit: 0 }, fills: truth.trades.length });
  expect.soft(truth.account.orders, 'left behind').toEqual([]);
  const { perp } = truth.account.positions.find(({ marketId }) => marketId === 0) ?? {};
  const held = perp === undefined ? 0 : (perp.isLong ? 1 : -1) * perp.baseSize;
  expect.soft(Number(truth.traded), 'position by its trades').toBe(held);
  expect.soft(Number(positions?.['BTCUSDC'] ?? 0), 'position').toBe(held);
  expect.soft(Number(summary?.['fees']), 'fees').toBeCloseTo(truth.fees, 6);

  const taken = actions.filter(({ outcome }) => outcome === 'placeOrder');
  const names = taken.map(({ clientOrderId }) => clientOrderId);
  expect.soft(new Set(names).size, 'orders that the exchange took').toBe(names.length);
  const bodies = new Map<string, string[]>();
  for (const { clientOrderId, body } of actions)
    if (clientOrderId !== undefined) bodies.set(clientOrderId, [...(bodies.get(clientOrderId) ?? []), body]);
  for (const [name, sent] of bodies) expect(new Set(sent).size, `order ${name} was signed more than once`).toBe(1);
  const orders = orderLines(written);
  const ends = new Map(orders.map(({ clientOrderId, status }) => [String(clientOrderId), status]));
  const wronglyReported = taken.filter((action) => ends.get(action.clientOrderId ?? '') !== endOf(action, truth));
  expect
    .soft(
      wronglyReported.map((action) => ({
        ...action,
        reported: orders.filter(({ clientOrderId }) => clientOrderId === action.clientOrderId),
      })),
    )
    .toEqual([]);
}

/**
 * A turn is journaled before it is printed, so a kill between the two loses the printed lines of that turn, and no later process prints them again. All
 * lines that a process did print are in the journal without a gap, and a process that ended in order has printed everything that it journaled.
 */
function expectPrintedAsWritten(bots: readonly Child[], written: readonly Entry[]): void {
  const all = textsOf(written);
  for (const bot of bots) {
    const printed = textsOf(bot.lines);
    const from = all.indexOf(printed[0] ?? '');
    if (printed.length > 0) expect.soft(printed).toEqual(all.slice(from, from + printed.length));
  }
  const last = textsOf(written.slice(written.findLastIndex(({ kind }) => kind === 'process')));
  expect.soft(textsOf(bots.at(-1)?.lines ?? []), 'of the process that stopped in order').toEqual(last);
}

const textsOf = (lines: Iterable<Entry | Printed>): readonly string[] => orderLines(lines).map((line) => JSON.stringify(line));

type OrderText = { readonly kind: 'order'; readonly clientOrderId?: unknown; readonly status?: unknown };

const orderLines = (lines: Iterable<Entry | Printed>): readonly OrderText[] =>
  [...lines].filter((line): line is (Entry | Printed) & OrderText => line.kind === 'order');

function endOf({ size, taken, orderId }: Action, { filled }: ExchangeRecord): 'filled' | 'cancelled' {
  const made = Math.round((filled.get(orderId ?? '') ?? 0) * LOTS_PER_BASE);
  return taken + made === size ? 'filled' : 'cancelled';
}

/** Figures for a run by hand. */
function report({ lines, actions, truth }: Reported, { bots, proxy }: { bots: readonly Child[]; proxy: Proxy }): void {
  if (process.env.KILLS === undefined) return;
  const outcomes: Record<string, number> = {};
  for (const { kind, outcome } of actions) outcomes[`${kind} ${outcome}`] = (outcomes[`${kind} ${outcome}`] ?? 0) + 1;
  const unknown = new Set(lines.filter((line) => line['status'] === 'unknown').map((line) => line['clientOrderId'])).size;
  const alarms = lines.filter(({ kind }) => kind === 'alarm');
  const figures = {
    kills: bots.length - 1,
    unknown,
    trades: truth.trades.length,
    outcomes,
    faults: Object.fromEntries(proxy.counts),
    alarms,
  };
  process.stdout.write(`${JSON.stringify(figures, undefined, 1)}\n${JSON.stringify(lines.at(-1))}\n`);
}

function childUntilTheEnd(args: readonly string[]): Child {
  const child = startChild(args);
  onTestFinished(async () => void (await child.signal('SIGKILL')));
  return child;
}

function botArguments(url: string, folder: string): readonly string[] {
  const key = join(folder, 'key.json');
  writeFileSync(key, JSON.stringify(USER.keyFile), { mode: 0o600 });
  const where = ['--exchange', 'hosted', '--url', url, '--key', key, '--live', '--state', join(folder, 'state')];
  // without the ramp of a live run, in which the grid reaches its limit and then waits for the price to return
  const always = ['params.maxPositionNotional=15000', 'limits.ramp.firstFraction=1', 'limits.ramp.secondFraction=1'];
  return ['--strategy', 'grid', '--seed', SEED, '--json', ...where, '--set', ...always];
}

function directClient(url: string): HostedClient {
  const transport = httpTransport({ origin: url, connections: 2 });
  onTestFinished(() => transport.close());
  return hostedClient({ transport });
}
