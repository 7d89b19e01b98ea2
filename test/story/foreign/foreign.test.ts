// The whole bot on an independent exchange: the exchange's record and the output of the bot must agree.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Line } from '../../../src/bot/accounting/lines.ts';
import type { BadData } from '../../foreign/faults.ts';
import { expectAgreement } from './expect-agreement.ts';
import { type BotProcess, ForeignStage, type Setting, USER } from './foreign-stage.ts';
import { placeSecondClientBid } from './second-client.ts';

/** Part of the titles, so that a failure names its seed. The environment variable `SEEDS=a,b,c` sets others. */
const SEEDS = process.env.SEEDS?.split(',') ?? ['one'];

type Kind = Omit<Setting, 'seed'>;
const BARE: Kind = { exchange: { bareResults: true, extras: false, settings: { echoClientOrderId: false } } };

const PROTOCOL_VARIANTS: readonly (readonly [name: string, kind: Kind])[] = [
  ["the document's numbering", {}],
  ['the live numbering', { exchange: { numbering: 'live' } }],
  ['bare results, no extra fields, no echo of client order ids', BARE],
  ['ids above 2^53 as numbers', { exchange: { bigIds: true } }],
  ['ids above 2^53 as strings', { exchange: { bigIds: true, settings: { idsAsStrings: true } } }],
  ['engine time 90 s behind the wall clock', { exchange: { settings: { timeOffsetSeconds: -90 } } }],
  ["the user's second account", { exchange: { accountIds: [4, 7] }, account: 7 }],
];

/** `within`: seconds after which the bot must have noticed the bad data and sends nothing more. `because`: the finding that reports it. */
const BAD_DATA: readonly (readonly [kind: BadData, within: number, because: RegExp])[] = [
  ['nullPrices', 1.1, /no index price/],
  ['frozen', 1.1, /frozen by the exchange/],
  ['crossedBook', 0.4, /book is crossed/],
  ['emptyBook', 0.4, /no bids in the book/],
  ['absurdBook', 0.4, /distance of the book from the index/],
  ['staleBook', 4, /order book has not changed/],
  ['staleAccount', 5, /account is stuck|account has not changed/],
  ['failingAccount', 5.1, /^no account for more than 5 s: GET \/account\/4 answered 500$/],
  ['html', 3.1, /^no order book for more than 3 s: GET \/market\/0\/orderbook: the body is an HTML page/],
];

describe.each(SEEDS)('with the seed %s', (seed) => {
  describe('the bot trades with', () => {
    test.each(PROTOCOL_VARIANTS)('%s', async (_, kind) => {
      const { stage, bot } = await running({ seed, ...kind });
      await stage.until(25);
      await agree(stage, bot);
    });
  });

  describe('with bad data', () => {
    test.each(BAD_DATA)('%s: after %d s nothing is sent, and trading resumes', async (kind, within, because) => {
      const { stage, bot } = await running({ seed });
      await stage.until(10);
      const reported = bot.lines.length;
      stage.foreign.control.set({ badData: [kind] });
      await stage.until(20);
      stage.foreign.control.set({ badData: [] });
      expect(stage.recorder.between(10 + within, 20)).toEqual([]);
      expect(reasons(bot.lines.slice(reported))).toContainEqual(expect.stringMatching(because));
      await stage.until(30);
      expect(stage.recorder.between(20, 30)).not.toEqual([]);
      await agree(stage, bot);
    });

    test('the bot sends actions in the same seconds without it', async () => {
      const { stage, bot } = await running({ seed });
      await stage.until(20);
      expect(stage.recorder.between(15.1, 20)).not.toEqual([]);
      await agree(stage, bot, { placed: 10 });
    });
  });

  test('with omf at imf no exposure is added, orders that could add some are cancelled, and trading resumes', async () => {
    const { stage, bot } = await running({ seed });
    const increases = (from: number, to: number) => stage.recorder.between(from, to).filter(({ increasing }) => increasing);
    await stage.until(15);
    expect(increases(0, 15)).not.toEqual([]);
    stage.foreign.control.set({ noFreeMargin: true });
    await stage.until(18);
    expect(stage.recorder.beyondFlat).toEqual({ bid: 0, ask: 0 });
    await stage.until(30);
    expect(increases(15.6, 30)).toEqual([]);
    stage.foreign.control.set({ noFreeMargin: false });
    await stage.until(40);
    expect(increases(30, 40)).not.toEqual([]);
    await agree(stage, bot);
  });

  describe('sessions', () => {
    test('of 15 s are renewed before they expire, once every 10 s', async () => {
      const { stage, bot } = await running({ seed, exchange: { settings: { sessionSeconds: 15 } } });
      await stage.until(60);
      await agree(stage, bot);
      expect(sessionsOf(stage)).toBe(7); // one every 10 s: at 80 % of its life, minus the lead
      expect(stage.recorder.actions.filter(({ outcome }) => outcome === 'SESSION_NOT_FOUND')).toEqual([]);
    });

    test('are reopened once after an eviction', async () => {
      const { stage, bot } = await running({ seed });
      await stage.until(20);
      stage.foreign.control.evictSessions();
      await stage.until(40);
      await agree(stage, bot);
      expect(sessionsOf(stage)).toBe(2);
      expect(stage.recorder.between(30, 40)).not.toEqual([]);
    });
  });

  describe('after lost replies', () => {
    test.each([['identified by client id', {}] as const, ['identified by price and size', BARE] as const])(
      'orders %s are found, and none is sent twice',
      async (_, kind) => {
        const { stage, bot } = await running({ seed, ...kind });
        for (let second = 2; second < 38; second += 3) {
          await stage.until(second);
          stage.foreign.control.loseReplies(2);
        }
        await stage.until(40);
        stage.foreign.control.loseReplies(0);
        await agree(stage, bot);
        const lost = stage.recorder.actions.filter(({ replyLost, outcome }) => replyLost && outcome === 'accepted');
        expect(new Set(lost.map((action) => action.kind))).toEqual(new Set(['placeOrder', 'cancelOrder']));
        expect(bot.lines).toContainEqual(expect.objectContaining({ kind: 'order', status: 'unknown' }));
      },
    );

    test('of every action, a position is bought in slices and no slice twice', async () => {
      const { stage, bot } = await running({ seed, strategy: { name: 'twap' } });
      stage.foreign.control.loseReplies(Number.POSITIVE_INFINITY);
      await stage.until(58);
      await agree(stage, bot, { placed: 2 });
      const [slices, money, lowest] = [4, 250, 59_500]; // one every 15 s, at no price below the lowest of the other traders
      expect(stage.foreign.state.position({ account: 4 })).toBeLessThanOrEqual((slices * money) / lowest);
    });
  });

  test('the bot trades with text ids, an offset clock, short sessions, lost replies and evictions at once', async () => {
    const settings = { idsAsStrings: true, timeOffsetSeconds: -90, sessionSeconds: 15 };
    const exchange = { numbering: 'live', bigIds: true, accountIds: [4, 7], settings } as const;
    const { stage, bot } = await running({ seed, exchange, account: 7 });
    for (let second = 2; second < 58; second += 7) {
      await stage.until(second);
      stage.foreign.control.loseReplies(2);
      await stage.until(second + 3);
      stage.foreign.control.evictSessions();
    }
    await stage.until(60);
    await agree(stage, bot);
    expect(sessionsOf(stage)).toBeLessThanOrEqual(16);
  });

  describe('after a kill', () => {
    test('with actions in flight, the next process keeps the orders and the session', async () => {
      const { stage, bot } = await running({ seed });
      await stage.untilSent(30);
      bot.kill();
      const resting = stage.recorder.ownOrders.map(({ orderId }) => orderId);
      const next = await stage.bot();
      await stage.until(stage.second + 2);
      expect(stage.recorder.ownOrders.filter(({ orderId }) => resting.includes(orderId))).not.toEqual([]);
      await stage.until(50);
      await agree(stage, next, { unsent: 12 });
      expect(sessionsOf(stage)).toBe(1);
    });

    test('trades made while no process runs are counted by the next one', async () => {
      const { stage, bot } = await running({ seed });
      await stage.until(15);
      bot.kill();
      const before = stage.foreign.state.trades.length;
      await stage.until(30);
      expect(stage.foreign.state.trades.slice(before).filter(({ makerId }) => makerId === 4)).not.toEqual([]);
      const next = await stage.bot();
      await stage.until(50);
      await agree(stage, next);
    });
  });

  test('an order of another client of the account counts against the limits and is never cancelled', async () => {
    const { stage, bot } = await running({ seed });
    await stage.until(10);
    const orderId = await placeSecondClientBid(stage.foreign, { user: USER, price: 500_000n, size: 12_000n });
    const ownBids = () => stage.recorder.ownOrders.filter(({ side }) => side === 'bid');
    expect(ownBids()).not.toEqual([]);
    await stage.until(12);
    expect(ownBids()).toEqual([]);
    await stage.until(40);
    expect(stage.recorder.between(11, 40).filter(({ action }) => action.fields['side'] === 'bid')).toEqual([]);
    expect(reasons(bot.lines)).toContainEqual(expect.stringMatching(/position could reach .* limit/));
    await agree(stage, bot, { placed: 10 });
    expect(stage.foreign.state.orders.map((order) => order.orderId)).toEqual([orderId]);
  });
});

async function running(setting: Setting): Promise<{ stage: ForeignStage; bot: BotProcess }> {
  const stage = await ForeignStage.open(setting);
  onTestFinished(() => stage.close());
  return { stage, bot: await stage.bot() };
}

/** Stops the bot and checks its summary and the status of every order against the exchange. */
async function agree(stage: ForeignStage, bot: BotProcess, least: { placed?: number; unsent?: number } = {}): Promise<void> {
  const { recorder } = stage;
  const run = await bot.stop();
  expectAgreement(recorder, run, { placed: 20, ...least });
  expect(endsIn(run.lines)).toMatchObject(recorder.ends);
  expect(recorder.faults).toEqual([]);
}

const endsIn = (lines: readonly Line[]): Record<string, string> =>
  Object.fromEntries(lines.flatMap((line) => (line.kind === 'order' ? [[line.clientOrderId, line.status]] : [])));

const reasons = (lines: readonly Line[]): string[] => lines.flatMap((line) => (line.kind === 'finding' ? [line.reason] : []));

const sessionsOf = ({ recorder }: ForeignStage): number => recorder.actions.filter(({ kind }) => kind === 'createSession').length;
