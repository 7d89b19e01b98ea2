// `bot calibrate`: fits the flow of the embedded market to a recording, and writes a market file.
import { existsSync, writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../../../base/errors.ts';
import { makeFolderOf } from '../../../base/files/folder.ts';
import { COMMAND } from '../../../base/package.ts';
import { Market } from '../../../bot/domain/market.ts';
import type { MarketRules } from '../../../embedded/exchange/traders/market-rules.ts';
import { STAMPS_PER_MILLI } from '../../../embedded/rows/rows.ts';
import { withTape } from '../../../embedded/tape/reader.ts';
import { fitMarket } from '../../../research/facts/fit.ts';
import { observe } from '../../../research/facts/observations.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { withProgress } from '../../output/progress.ts';
import { safeText } from '../../output/table.ts';
import { measuredFrom, tableOf } from '../tapes/facts.ts';
import type { CalibrateFlags } from './command.ts';

/**
 * Fits a market to a tape, writes it to the file `out`, and prints how near it is. Throws a UserError if the tape cannot be read or measured, or if `out`
 * exists or cannot be created.
 */
export async function calibrate(file: string, { out, seed, json }: CalibrateFlags, host: Host): Promise<ExitCode> {
  prepareFile(out);
  const recording = await withTape(file, async (tape) => {
    const { header, facts } = tape;
    return { market: new Market(header.market), from: facts.first / STAMPS_PER_MILLI, seen: await observe(tape.blocks()) };
  });
  const fit = await withProgress('calibrate', host, (progress) => fitMarket(recording, { seed, progress }));
  if (fit === undefined)
    throw new UserError({
      code: 'market',
      message: `${file} has too little to fit a market to: it needs two minutes of an order book and ten trades`,
      hint: 'record for longer; a tape of candles has no book',
    });
  writeFileSync(out, yamlOf(fit.rules, file), { flag: 'wx' });
  const both = [measuredFrom(file, recording.market.symbol, recording.seen), measuredFrom(out, 'fitted', fit.seen)];
  if (json) say(host.stdout, JSON.stringify({ kind: 'market', file: out, rules: fit.rules, facts: both.map(({ facts }) => facts) }));
  else
    for (const line of [...tableOf(both), '', `wrote ${out}; use it with: ${COMMAND} --strategy grid --market ${out}`])
      say(host.stdout, safeText(line));
  return 0;
}

/** Creates the folder of a new file. Throws a UserError if that fails, or if the file exists. */
function prepareFile(out: string): void {
  if (existsSync(out)) throw wrongOut(`${out} exists`);
  try {
    makeFolderOf(out);
  } catch (error) {
    throw wrongOut(`${out} cannot be written: ${messageOf(error)}`);
  }
}

const wrongOut = (message: string): UserError => new UserError({ code: 'market', message, hint: 'choose another one for --out' });

const rounded = (value: number): string => String(Number(value.toPrecision(3)));

/** Returns the text of a market file. */
function yamlOf(
  { like, volatility = 0, takers: { perSecond = 0, leastNotional = 0 } = {}, book = {}, basis }: MarketRules,
  file: string,
): string {
  const { best = 1, behind = 1, flicker = 1 } = book;
  return `# How the embedded market moves, fitted to ${file.replaceAll(/[^\x20-\x7e]/g, '?')}. What is left out is as in the market named by \`like\`.
like: ${like}
volatility: ${rounded(volatility)}     # basis points per square-root second; jumps and short moves grow with it
takers:
  perSecond: ${rounded(perSecond)}     # arrivals that no earlier one caused
  leastNotional: ${rounded(leastNotional)}     # money of the smallest piece; larger ones grow with it
book:                      # factors of the money and of the changes in the market named by \`like\`
  best: ${rounded(best)}     # at the best price
  behind: ${rounded(behind)}     # just behind it
  flicker: ${rounded(flicker)}     # how much of the quotes is renewed
${basis === undefined ? '' : `basis: ${rounded(basis)}     # mean distance of a perpetual from its index, basis points\n`}`;
}
