// The whole bot at a local process that we did not write: each way in which the real one differs from the document alone, then several together.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Control } from '../../foreign/local/process.ts';
import { AS_DOCUMENTED, AS_THE_REAL_ONE, ROW_NAMES, type RowName, type Rows } from '../../foreign/local/rows.ts';
import { type LocalSetting, type Played, playLocal } from './foreign-local-stage.ts';

const only = (...names: readonly RowName[]): Rows => ({ ...AS_DOCUMENTED, ...Object.fromEntries(names.map((name) => [name, true])) });

const failCancels = (control: Control): void => control.set({ failCancels: 2 });
const loseReply = (control: Control): void => control.loseReplies(1);
const answerInHtml = (control: Control): void => control.set({ badData: ['html'] });
const answerWell = (control: Control): void => control.set({ badData: [] });

/** Two cancels fail, and the market moves on while orders are signed, so that some are refused. */
const play = (setting: LocalSetting): Promise<Played> => playLocal({ meanwhile: { 12: failCancels }, ...setting });

/** What the run must say when it ends before its time; undefined where it has to trade to the end. Our flags are JSON booleans. */
function stopAt({ textFlags, placeEchoes }: Rows): string | undefined {
  if (!textFlags) return undefined;
  return `postOnly was requested, but the process ${placeEchoes ? 'answered postOnly: false' : 'let the order take'}`;
}

function expectEnd(played: Played, rows: Rows): void {
  const words = stopAt(rows);
  if (words === undefined) expectTraded(played, rows);
  else expectStop(played, rows, words);
}

function expectTraded(played: Played, rows: Rows): void {
  expect(played.ending).toEqual({ kind: 'settled' });
  expect(played.trades).not.toEqual([]);
  expectAgreement(played, rows);
}

function expectStop(played: Played, rows: Rows, words: string): void {
  const { ending, summary, warned } = played;
  expect(ending).toMatchObject({ kind: 'failed', error: { code: 'ignored-flag', message: expect.stringContaining(words) } });
  expect(warned).toContainEqual(expect.stringContaining(words));
  expect(summary.seconds).toBeLessThan(15);
  expectAgreement(played, rows);
}

/** What the summary says is what the process knows, and nothing is left there. */
function expectAgreement({ summary, lines, state, trades, warned }: Played, { constantFees }: Rows): void {
  expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
  expect(state.orders).toEqual([]);
  expect(summary.fills).toBe(trades.length);
  expect(Number(summary.positions['BTCUSDC'] ?? 0)).toBe(state.position());

  const placed = state.commands.filter(({ kind }) => kind === 'place');
  expect(new Set(placed.map(({ fields }) => fields['clientId'])).size).toBe(placed.length);
  expect(summary.orders.placed).toBe(placed.length);
  const ends = lines.filter((line) => line.kind === 'order' && ['filled', 'cancelled', 'rejected'].includes(line.status));
  const unsent = ends.filter((line) => line.kind === 'order' && line.reason === 'NOT_SENT');
  expect(ends.length - unsent.length).toBe(placed.length);

  const charged = trades.reduce((sum, { takerId, takerFee, makerFee }) => sum + (takerId === state.account.id ? takerFee : makerFee), 0);
  if (constantFees) expect(warned).toContainEqual(expect.stringMatching(/fees and profit .* may differ from the charged fees/));
  else expect(Number(summary.fees)).toBeCloseTo(charged / 1e6, 3);
}

/** Where the bot never asks for what a row changes: that it does not. */
const NEVER_ASKED: Partial<Record<RowName, RegExp>> = {
  modifyReplaces: /^POST \/orders\/.+\/modify$/,
  orderPath: /^GET \/orders\/\d+$/,
  clientIdPath: /by_client_id/,
  cancelAllHangs: /^DELETE \/orders$/,
  walletByPost: /\/wallet\/(deposits|withdrawals)/,
  transferProcessed: /\/wallet\/transfers/,
};

const refusals = ({ lines }: Played) =>
  lines.flatMap((line) => (line.kind === 'order' && line.reason?.startsWith('POST_ONLY_MUST') ? [line.status] : []));

/** What else is seen of a row. */
const SEEN: Partial<Record<RowName, (played: Played) => void>> = {
  // Of a failure of the process nobody knows how far it had come: such an order is waited for.
  bareErrors: (played) => expect(new Set(refusals(played))).toEqual(new Set(['unknown'])),
  placeEchoes: (played) => expect(new Set(refusals(played))).toEqual(new Set(['rejected'])),
  historyPath: ({ asked }) => expect(asked).toContain('GET /trades/history'),
};

describe('with one row of the real process alone', () => {
  test.each(ROW_NAMES)('%s', async (row) => {
    const rows = only(row);
    const played = await play({ rows });
    expectEnd(played, rows);
    SEEN[row]?.(played);
    expect(played.asked.filter((request) => NEVER_ASKED[row]?.test(request))).toEqual([]);
  });
});

/** Rows that the bot meets while it trades. */
const MET: readonly RowName[] = ROW_NAMES.filter((row) => NEVER_ASKED[row] === undefined);

function somePairs(count: number): RowName[][] {
  const rng = rngFrom('pairs of rows');
  return Array.from({ length: count }, () => {
    const first = rng.below(MET.length);
    const second = (first + 1 + rng.below(MET.length - 1)) % MET.length;
    return [first, second].flatMap((index) => MET[index] ?? []);
  });
}

describe('with two', () => {
  test.each([['textFlags', 'placeEchoes'] as RowName[], ...somePairs(3)])('%s and %s', async (...names) => {
    const rows = only(...names);
    expectEnd(await play({ rows }), rows);
  });
});

test.each([
  ['answered ioc: false', ['textFlags', 'placeEchoes']],
  ['let the order rest', ['textFlags']],
] as [string, RowName[]][])('a strategy that takes stops where ioc is not heeded: it %s', async (did, names) => {
  const rows = only(...names);
  expectStop(await play({ rows, strategy: 'twap' }), rows, `ioc was requested, but the process ${did}`);
});

describe('with all', () => {
  test('it stops at the first answer, and says why', async () => {
    expectEnd(await play({ rows: AS_THE_REAL_ONE }), AS_THE_REAL_ONE);
  });

  test('and its flags written as the process reads them, it trades', async () => {
    expectTraded(await play({ rows: AS_THE_REAL_ONE, flagsAs: 'text' }), AS_THE_REAL_ONE);
  });
});

describe('what cannot work', () => {
  test.each([
    ['as documented', AS_DOCUMENTED],
    ['as the real one', AS_THE_REAL_ONE],
  ])('an unknown market, %s: one error with the names there are', async (_, rows) => {
    const wrong = play({ rows, market: 'BTC-PREP' });
    await expect(wrong).rejects.toMatchObject({
      code: 'market',
      message: expect.stringContaining('"BTC-PREP"'),
      hint: expect.stringContaining('BTC-PERP'),
    });
  });

  test('a page of HTML for an answer: one error that says what came', async () => {
    const wrong = play({ rows: AS_DOCUMENTED, settings: { badData: ['html'] } });
    await expect(wrong).rejects.toMatchObject({
      code: 'exchange',
      message: expect.stringContaining('an HTML page instead of JSON: one moment, please'),
    });
  });

  test('pages of HTML in the middle: nothing is sent until they are over', async () => {
    const played = await playLocal({ rows: AS_DOCUMENTED, meanwhile: { 10: answerInHtml, 20: answerWell } });
    expectTraded(played, AS_DOCUMENTED);
    expect(played.sentBetween(0, 10)).not.toEqual([]);
    expect(played.sentBetween(15, 20)).toEqual([]);
    expect(played.sentBetween(20, 30)).not.toEqual([]);
  });
});

test('replies that are lost leave nothing unknown, and no order is sent twice', async () => {
  const meanwhile = { 2: loseReply, 5: loseReply, 9: loseReply, 14: loseReply };
  const played = await playLocal({ rows: AS_DOCUMENTED, meanwhile });
  expectTraded(played, AS_DOCUMENTED);
  expect(played.state.commands.filter(({ kind, replyLost }) => kind === 'place' && replyLost)).not.toEqual([]);
});
