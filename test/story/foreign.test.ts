// The whole bot on an exchange that shares no code with it: what the exchange knows and what we say of ourselves must be the same.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Line } from '../../src/report/lines.ts';
import { ForeignClient } from '../foreign/client.ts';
import type { ForeignOptions } from '../foreign/exchange.ts';
import { type BadData, NO_FAULTS } from '../foreign/faults.ts';
import { keyNamed } from '../foreign/keys.ts';
import { expectAgreement } from './foreign-laws.ts';
import { type BotProcess, ForeignStage, type Setting, USER } from './foreign-stage.ts';

async function staged(setting: Setting): Promise<ForeignStage> {
  const stage = await ForeignStage.open(setting);
  onTestFinished(() => stage.close());
  return stage;
}

/** The bot stops, and what it says of its run is what the exchange knows. */
async function agree(stage: ForeignStage, bot: BotProcess, { unsent = 0 } = {}): Promise<void> {
  expectAgreement(stage.witness, await bot.stop(), { placed: 20, unsent });
  expect(stage.witness.faults).toEqual([]);
}

const DIALECTS: readonly (readonly [name: string, Omit<Setting, 'seed'>])[] = [
  ["the document's numbering", {}],
  ['the live numbering', { exchange: { numbering: 'live' } }],
  [
    'nothing beyond the document: bare results, no extras, no echo of client order ids',
    { exchange: { bareResults: true, extras: false, settings: { echoClientOrderId: false } } },
  ],
  ['ids above 2^53 as numbers', { exchange: { bigIds: true } }],
  ['ids above 2^53 as strings', { exchange: { bigIds: true, settings: { idsAsStrings: true } } }],
  ['engine time 90 s behind the wall clock', { exchange: { settings: { timeOffsetSeconds: -90 } } }],
  ["the user's second account", { exchange: { accountIds: [4, 7] }, account: 7 }],
];

/** For how long after the data went bad actions may still leave, in seconds, and the finding that says why none do after that. */
const BAD_DATA: readonly (readonly [kind: BadData, within: number, because: RegExp])[] = [
  ['nullPrices', 1.1, /no index price/],
  ['frozen', 1.1, /frozen by the exchange/],
  ['crossedBook', 0.4, /book is crossed/],
  ['emptyBook', 0.4, /no bids in the book/],
  ['absurdBook', 0.4, /distance of the book from the index/],
  ['staleBook', 4, /order book stands still/],
  ['staleAccount', 5, /account stands still/],
  ['failingAccount', 5.1, /account is 5\.\d s old/],
  ['html', 3.1, /order book is 3\.\d s old/],
];

describe.each(process.env.SEEDS?.split(',') ?? ['one'])('told with the seed %s', (seed) => {
  test.each(DIALECTS)('%s', async (_, kind) => {
    const stage = await staged({ seed, ...kind });
    const bot = await stage.bot();
    await stage.until(40);
    await agree(stage, bot);
  });

  test.each(BAD_DATA)('%s: from %d s on nothing is sent, and trading resumes after', async (kind, within, because) => {
    const stage = await staged({ seed });
    const bot = await stage.bot();
    await stage.until(15);
    const told = bot.lines.length;
    stage.foreign.control.set({ badData: [kind] });
    await stage.until(25);
    stage.foreign.control.set({ badData: [] });
    expect(stage.witness.between(15 + within, 25)).toEqual([]);
    expect(reasons(bot.lines.slice(told))).toContainEqual(expect.stringMatching(because));
    await stage.until(40);
    expect(stage.witness.between(25, 33).length).toBeGreaterThan(0);
    await agree(stage, bot);
  });

  test('the seconds that are quiet with bad data are not quiet without', async () => {
    const stage = await staged({ seed });
    const bot = await stage.bot();
    await stage.until(25);
    expect(stage.witness.between(20.1, 25).length).toBeGreaterThan(0);
    await agree(stage, bot);
  });

  test('omf at imf: nothing leaves that increases exposure, what rests of it is cancelled, and it recovers', async () => {
    const stage = await staged({ seed });
    const bot = await stage.bot();
    await stage.until(15);
    expect(stage.witness.between(0, 15).some(({ increasing }) => increasing)).toBe(true);
    stage.foreign.control.set({ squeezed: true });
    await stage.until(18);
    expect(stage.witness.beyondFlat).toEqual({ bid: 0, ask: 0 });
    await stage.until(30);
    expect(stage.witness.between(15.6, 30).filter(({ increasing }) => increasing)).toEqual([]);
    stage.foreign.control.set({ squeezed: false });
    await stage.until(40);
    expect(stage.witness.between(30, 40).some(({ increasing }) => increasing)).toBe(true);
    await agree(stage, bot);
  });

  test('sessions of 15 s: renewed in time, again and again, and not more often', async () => {
    const stage = await staged({ seed, exchange: { settings: { sessionSeconds: 15 } } });
    const bot = await stage.bot();
    await stage.until(60);
    await agree(stage, bot);
    expect(sessionsOf(stage)).toBeGreaterThanOrEqual(5);
    expect(sessionsOf(stage)).toBeLessThanOrEqual(7);
    expect(stage.witness.actions.filter(({ outcome }) => outcome === 'SESSION_NOT_FOUND')).toEqual([]);
  });

  test('an evicted session is reopened once', async () => {
    const stage = await staged({ seed });
    const bot = await stage.bot();
    await stage.until(20);
    stage.foreign.control.evictSessions();
    await stage.until(40);
    expect(stage.witness.between(21, 40).length).toBeGreaterThan(0);
    await agree(stage, bot);
    expect(sessionsOf(stage)).toBe(2);
  });

  test('lost replies: what was executed is found again, and nothing is sent twice', async () => {
    const stage = await staged({ seed });
    const bot = await stage.bot();
    for (let second = 1; second <= 36; second += 5) {
      await stage.until(second);
      stage.foreign.control.loseReplies(2);
    }
    await stage.until(40);
    await agree(stage, bot);
    const lost = stage.witness.actions.filter(({ replyLost, outcome }) => replyLost && outcome === 'accepted');
    expect(lost.length).toBeGreaterThanOrEqual(10);
    expect(bot.lines).toContainEqual(expect.objectContaining({ kind: 'order', status: 'unknown' }));
  });

  test('everything at once', async () => {
    const settings = { idsAsStrings: true, timeOffsetSeconds: -90, sessionSeconds: 15 };
    const exchange: ForeignOptions = { numbering: 'live', bigIds: true, accountIds: [4, 7], settings };
    const stage = await staged({ seed, exchange, account: 7 });
    const bot = await stage.bot();
    for (let second = 1; second <= 50; second += 7) {
      await stage.until(second);
      stage.foreign.control.loseReplies(2);
      await stage.until(second + 3);
      stage.foreign.control.evictSessions();
    }
    await stage.until(60);
    await agree(stage, bot);
    expect(sessionsOf(stage)).toBeLessThanOrEqual(16);
  });

  test('dropped with actions on their way, a second process takes up the orders of the first', async () => {
    const stage = await staged({ seed });
    const first = await stage.bot();
    await stage.untilSent(30);
    first.kill();
    const standing = stage.witness.ownOrders.map(({ orderId }) => orderId);
    const second = await stage.bot(first.lines);
    await stage.until(stage.second + 2);
    const kept = stage.witness.ownOrders.filter(({ orderId }) => standing.includes(orderId));
    expect(kept.length).toBeGreaterThan(0);
    await stage.until(50);
    await agree(stage, second, { unsent: 12 });
    expect(sessionsOf(stage)).toBe(1);
  });

  test('what is traded while no process runs is counted by the next', async () => {
    const stage = await staged({ seed });
    const first = await stage.bot();
    await stage.until(15);
    first.kill();
    const before = stage.foreign.state.trades.length;
    await stage.until(30);
    const missed = stage.foreign.state.trades.slice(before).filter(({ makerId }) => makerId === 4);
    expect(missed.length).toBeGreaterThan(0);
    const second = await stage.bot(first.lines);
    await stage.until(50);
    await agree(stage, second);
  });

  test("a stranger's order on the account is counted, and never cancelled", async () => {
    const stage = await staged({ seed });
    const bot = await stage.bot();
    await stage.until(10);
    const stranger = await strangerTo(stage);
    const orderId = await stranger.rest({ side: 'bid', price: 500_000n, size: 9_990n });
    await stage.until(12);
    expect(stage.witness.ownOrders.filter(({ side }) => side === 'bid')).toEqual([]);
    await stage.until(30);
    console.log(
      stage.witness.between(11, 30).map((s) => s.second + s.action.kind + s.action.fields.side + s.action.outcome),
      reasons(bot.lines),
    );
    await agree(stage, bot);
    expect(stage.foreign.state.orders).toEqual([expect.objectContaining({ orderId })]);
  });
});

/** Another client of the same user, over a socket while the clock stands still. */
async function strangerTo({ foreign }: ForeignStage) {
  const client = new ForeignClient({ url: foreign.url, numbering: 'document' });
  const session = keyNamed('stranger');
  let nonce = 1_000_000;
  const stamp = async () => ({ timestamp: await client.engineTime(), nonce: nonce++ });
  const now = await stamp();
  const opened = await client.createSession({ user: USER, session, expiry: now.timestamp + 3_600, ...now });
  if (opened.kind !== 'session') throw new Error(opened.kind);
  return {
    async rest(order: { side: 'bid' | 'ask'; price: bigint; size: bigint }): Promise<bigint> {
      const terms = { sessionId: opened.sessionId, marketId: 0, fillMode: 'limit', ...order } as const;
      const placed = await client.placeOrder({ ...terms, ...(await stamp()) }, session);
      if (placed.kind !== 'placed' || placed.posted === undefined)
        throw new Error(JSON.stringify(placed, (_, v) => (typeof v === 'bigint' ? String(v) : v)));
      return placed.posted.orderId;
    },
  };
}

const reasons = (lines: readonly Line[]): string[] => lines.flatMap((line) => (line.kind === 'finding' ? [line.reason] : []));

const sessionsOf = (stage: ForeignStage): number => stage.witness.actions.filter(({ kind }) => kind === 'createSession').length;
