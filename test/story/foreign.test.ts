// The whole bot on an exchange that shares no code with it: what the exchange knows and what we say of ourselves must be the same.
import { describe, expect, onTestFinished, test } from 'vitest';
import { NO_FAULTS } from '../foreign/faults.ts';
import { expectAgreement } from './foreign-laws.ts';
import { type BotProcess, ForeignStage, type Setting } from './foreign-stage.ts';

/** Trades for so many seconds, then stops, and everything agrees. */
const SECONDS = 40;

async function staged(setting: Setting): Promise<ForeignStage> {
  const stage = await ForeignStage.open(setting);
  onTestFinished(() => stage.close());
  return stage;
}

async function agree(stage: ForeignStage, bot: BotProcess, { placed = 20 } = {}): Promise<void> {
  const run = await bot.stop();
  expectAgreement(stage.witness, run, { placed });
  expect(stage.witness.faults).toEqual([]);
}

type Kind = Omit<Setting, 'seed'>;
const DIALECTS: readonly (readonly [name: string, Kind])[] = [
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

describe.each(process.env.SEEDS?.split(',') ?? ['one'])('told with the seed %s', (seed) => {
  test.each(DIALECTS)('%s', async (_, kind) => {
    const stage = await staged({ seed, ...kind });
    const bot = await stage.bot();
    await stage.until(SECONDS);
    await agree(stage, bot);
  });
});
