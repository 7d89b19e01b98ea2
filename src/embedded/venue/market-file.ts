// Reads how the embedded market moves: the name of a regime, or a market file.

import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import { readTextFile } from '../../base/files/text-file.ts';
import { docsFile } from '../../base/package.ts';
import { suggestion } from '../../base/text/phrases.ts';
import { regimeWith } from '../exchange/traders/market-rules.ts';
import { REGIME_NAMES, REGIMES, type Regime } from '../exchange/traders/regimes.ts';

const MAX_BYTES = 64 * 1024;
const positive = (max: number) => z.number('must be a number').positive('must be above 0').max(max, `must be at most ${max}`).optional();

/** The bounds keep the exchange able to run: prices stay positive, and a step has a bounded number of orders. */
const schema = z.strictObject({
  like: z.enum(REGIME_NAMES as readonly [string, ...string[]], { error: `must be one of ${REGIME_NAMES.join(', ')}` }).optional(),
  volatility: positive(50),
  takers: z.strictObject({ perSecond: positive(100), leastNotional: positive(1e6) }).optional(),
  book: z.strictObject({ best: positive(1_000), behind: positive(1_000), flicker: positive(100) }).optional(),
  basis: z.number('must be a number').min(-100, 'must be at least -100').max(100, 'must be at most 100').optional(),
});

const isFile = (market: string): boolean => /[./\\]/.test(market);

/** Returns the regime of a name or a market file; undefined without either. Throws a UserError for an unknown name, or a missing or invalid file. */
export function readRegime(market: string | undefined): Regime | undefined {
  if (market === undefined) return undefined;
  if (isFile(market)) return regimeInFile(market);
  const known = REGIME_NAMES.find((name) => name === market);
  if (known !== undefined) return REGIMES[known];
  throw new UserError({
    code: 'use',
    message: `--market "${market}" is not one of ${REGIME_NAMES.join(', ')}, nor a file`,
    hint: suggestion(market, REGIME_NAMES, 'write the path of a file with a dot or a slash, as in ./market.yaml'),
  });
}

function regimeInFile(file: string): Regime {
  const given = schema.safeParse(contentOf(file));
  if (!given.success) throw wrong(file, issueText(given.error.issues[0]!));
  const regime = regimeWith(given.data as Parameters<typeof regimeWith>[0]);
  if (regime === undefined) throw wrong(file, 'like: swinging has no figures that a file could change');
  return regime;
}

function issueText(issue: z.core.$ZodIssue): string {
  const message = issue.code === 'unrecognized_keys' ? `unknown key "${issue.keys[0]}"` : issue.message;
  return issue.path.length === 0 ? message : `${issue.path.join('.')}: ${message}`;
}

function contentOf(file: string): unknown {
  try {
    return parse(readTextFile(file, MAX_BYTES), { maxAliasCount: 0, logLevel: 'error' }) ?? {};
  } catch (error) {
    throw wrong(file, messageOf(error));
  }
}

const wrong = (file: string, what: string): UserError =>
  new UserError({
    code: 'market',
    message: `the market file ${file} is wrong: ${what}`,
    hint: `${docsFile('backtest-assumptions.md')} lists its keys`,
  });
