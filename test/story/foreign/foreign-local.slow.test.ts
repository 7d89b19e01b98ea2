// The whole bot at an independent local process: each difference of the real process from the document alone, then several together.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import { AS_DOCUMENTED, AS_REAL, DIFFERENCE_NAMES, type DifferenceName, type Differences } from '../../foreign/local/differences.ts';
import type { Control } from '../../foreign/local/process.ts';
import { type LocalSetting, type Played, playLocal } from './foreign-local-stage.ts';

const only = (...names: readonly DifferenceName[]): Differences => ({
  ...AS_DOCUMENTED,
  ...Object.fromEntries(names.map((name) => [name, true])),
});

const failCancels = (control: Control): void => control.set({ failCancels: 2 });
const loseReply = (control: Control): void => control.loseReplies(1);
const answerInHtml = (control: Control): void => control.set({ badData: ['html'] });
const answerWell = (control: Control): void => control.set({ badData: [] });

/** Plays a run in which two cancels fail and some orders are refused, because the market moves while they are signed. */
const play = (setting: LocalSetting): Promise<Played> => playLocal({ meanwhile: { 12: failCancels }, ...setting });

/** Returns the message of a run that must end early; undefined if it must trade to the end. The bot sends flags as JSON booleans. */
function stopAt({ textFlags, placeEchoes }: Differences): string | undefined {
  if (!textFlags) return undefined;
  return `postOnly was requested, but the process ${placeEchoes ? 'answered postOnly: false' : 'let the order take'}`;
}

function expectEnd(played: Played, differences: Differences): void {
  const words = stopAt(differences);
  if (words === undefined) expectTraded(played, differences);
  else expectStop(played, differences, words);
}

function expectTraded(played: Played, differences: Differences): void {
  expect(played.ending).toEqual({ kind: 'settled' });
  expect(played.trades).not.toEqual([]);
  expectAgreement(played, differences);
}

function expectStop(played: Played, differences: Differences, words: string): void {
  const { ending, summary, warned } = played;
  expect(ending).toMatchObject({ kind: 'failed', error: { code: 'ignored-flag', message: expect.stringContaining(words) } });
  expect(warned).toContainEqual(expect.stringContaining(words));
  expect(summary.seconds).toBeLessThan(15);
  expectAgreement(played, differences);
}

/** Checks the summary against the process's own record: they agree, and no order is left. */
function expectAgreement({ summary, lines, state, trades, warned }: Played, { constantFees }: Differences): void {
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

/** Endpoints that a difference changes and the bot never requests. */
const NEVER_REQUESTED: Partial<Record<DifferenceName, RegExp>> = {
  modifyReplaces: /^POST \/orders\/.+\/modify$/,
  orderPath: /^GET \/orders\/\d+$/,
  clientIdPath: /by_client_id/,
  cancelAllHangs: /^DELETE \/orders$/,
  walletByPost: /\/wallet\/(deposits|withdrawals)/,
  transferProcessed: /\/wallet\/transfers/,
};

const refusals = ({ lines }: Played) =>
  lines.flatMap((line) => (line.kind === 'order' && line.reason?.startsWith('POST_ONLY_MUST') ? [line.status] : []));

/** Further effects of a difference. */
const OBSERVED_EFFECTS: Partial<Record<DifferenceName, (played: Played) => void>> = {
  // After a failure of the process the fate of the order is unknown, so the bot waits for it.
  bareErrors: (played) => expect(new Set(refusals(played))).toEqual(new Set(['unknown'])),
  placeEchoes: (played) => expect(new Set(refusals(played))).toEqual(new Set(['rejected'])),
  historyPath: ({ requested }) => expect(requested).toContain('GET /trades/history'),
};

describe('with one difference of the real process', () => {
  test.each(DIFFERENCE_NAMES)('%s', async (row) => {
    const differences = only(row);
    const played = await play({ differences });
    expectEnd(played, differences);
    OBSERVED_EFFECTS[row]?.(played);
    expect(played.requested.filter((request) => NEVER_REQUESTED[row]?.test(request))).toEqual([]);
  });
});

/** Differences that the bot encounters while it trades. */
const ENCOUNTERED: readonly DifferenceName[] = DIFFERENCE_NAMES.filter((row) => NEVER_REQUESTED[row] === undefined);

function somePairs(count: number): DifferenceName[][] {
  const rng = rngFrom('pairs of rows');
  return Array.from({ length: count }, () => {
    const first = rng.below(ENCOUNTERED.length);
    const second = (first + 1 + rng.below(ENCOUNTERED.length - 1)) % ENCOUNTERED.length;
    return [first, second].flatMap((index) => ENCOUNTERED[index] ?? []);
  });
}

describe('with two differences', () => {
  test.each([['textFlags', 'placeEchoes'] as DifferenceName[], ...somePairs(3)])('%s and %s', async (...names) => {
    const differences = only(...names);
    expectEnd(await play({ differences }), differences);
  });
});

test.each([
  ['answered ioc: false', ['textFlags', 'placeEchoes']],
  ['let the order rest', ['textFlags']],
] as [string, DifferenceName[]][])('a strategy that takes liquidity stops if the process ignores ioc: it %s', async (did, names) => {
  const differences = only(...names);
  expectStop(await play({ differences, strategy: 'twap' }), differences, `ioc was requested, but the process ${did}`);
});

describe('with all differences', () => {
  test('the bot stops at the first answer and reports why', async () => {
    expectEnd(await play({ differences: AS_REAL }), AS_REAL);
  });

  test('the bot trades if it writes flags as text', async () => {
    expectTraded(await play({ differences: AS_REAL, flagsAs: 'text' }), AS_REAL);
  });
});

describe('errors', () => {
  test.each([
    ['as documented', AS_DOCUMENTED],
    ['as the real process', AS_REAL],
  ])('an unknown market, %s: the error lists the known names', async (_, differences) => {
    const connecting = play({ differences, market: 'BTC-PREP' });
    await expect(connecting).rejects.toMatchObject({
      code: 'market',
      message: expect.stringContaining('"BTC-PREP"'),
      hint: expect.stringContaining('BTC-PERP'),
    });
  });

  test('an HTML page at the start: the error quotes it', async () => {
    const connecting = play({ differences: AS_DOCUMENTED, settings: { badData: ['html'] } });
    await expect(connecting).rejects.toMatchObject({
      code: 'exchange',
      message: expect.stringContaining('an HTML page instead of JSON: one moment, please'),
    });
  });

  test('HTML pages during the run: nothing is sent until they end', async () => {
    const played = await playLocal({ differences: AS_DOCUMENTED, meanwhile: { 10: answerInHtml, 20: answerWell } });
    expectTraded(played, AS_DOCUMENTED);
    expect(played.sentBetween(0, 10)).not.toEqual([]);
    expect(played.sentBetween(15, 20)).toEqual([]);
    expect(played.sentBetween(20, 30)).not.toEqual([]);
  });
});

test('lost replies leave no order unknown, and no order is sent twice', async () => {
  const meanwhile = { 2: loseReply, 5: loseReply, 9: loseReply, 14: loseReply };
  const played = await playLocal({ differences: AS_DOCUMENTED, meanwhile });
  expectTraded(played, AS_DOCUMENTED);
  expect(played.state.commands.filter(({ kind, replyLost }) => kind === 'place' && replyLost)).not.toEqual([]);
});
