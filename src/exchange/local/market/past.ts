// Reads candles from before the start from the local process.

import { assert } from '../../../base/assert.ts';
import type { Millis } from '../../../base/clock.ts';
import { DAY, MINUTE } from '../../../base/spans.ts';
import type { CandleRequest, PastCandles } from '../../port.ts';
import type { LocalClient } from '../client/client.ts';
import type { ListedMarket } from './listing.ts';
import { candlesOf } from './snapshots.ts';

/** The candle lengths of the process that a strategy can use. */
const LENGTHS: readonly Millis[] = [DAY, 240 * MINUTE, 60 * MINUTE, 15 * MINUTE, 5 * MINUTE, MINUTE];

/** Reads candles of the longest available length that divides the requested one. */
export async function pastOf(
  { market, span, count, until }: CandleRequest,
  { client, listed }: { readonly client: LocalClient; readonly listed: readonly ListedMarket[] },
): Promise<PastCandles> {
  const one = listed.find((candidate) => candidate.market.id === market.id);
  assert(one !== undefined, `the market ${market.symbol} is not listed`);
  const length = LENGTHS.find((candidate) => span % candidate === 0) ?? MINUTE;
  const startTime = until - (until % span) - count * span;
  const rows = [];
  for await (const page of client.candles({ market: one.name, resolution: length / 1_000, startTime, endTime: until + length }))
    rows.push(...page);
  return { span: length, candles: candlesOf(one, rows).filter(({ start }) => start + length <= until) };
}
