// Makes the watch of a recorded run. Its facts are in the header of the recording; its totals before the first recorded turn follow from the journal.
import type { Millis } from '../../../base/clock.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { Market } from '../../../bot/domain/market.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import { readJournal } from '../../../bot/journal/segment.ts';
import type { Entry } from '../../../bot/run/state/entries.ts';
import { countsOf, historyOf } from '../../../bot/run/state/history.ts';
import type { RecordingHeader } from '../../../bot/run/state/turn-recording.ts';
import { totalsOf } from '../../../bot/world/position/accounting.ts';
import { RunWatch, type WatchedRun } from '../watch.ts';

export interface ShownRecording {
  readonly run: string;
  readonly exchange: string;
  /** The state directory; undefined if only the recording is known. */
  readonly directory: string | undefined;
}

/** Returns a watch without turns. `from` is the time of the first turn that will be added. */
export function watchOf(header: RecordingHeader, { run, exchange, directory }: ShownRecording, from: Millis): RunWatch {
  const { strategy, seed, live = false, quality, startedAt, params, limits } = header;
  const markets = header.markets.map((spec) => new Market(spec));
  const facts = { run, strategy, exchange, seed, live, quality, startedAt, params, limits, markets };
  return new RunWatch({ ...facts, ...earlierState(directory, { markets, from, header }) });
}

interface RecordingStart {
  readonly markets: readonly Market[];
  readonly from: Millis;
  readonly header: RecordingHeader;
}

/** Returns counts, totals and orders from before `from`. */
function earlierState(
  directory: string | undefined,
  { markets, from, header }: RecordingStart,
): Pick<WatchedRun, 'counts' | 'totals' | 'orders'> {
  const entries = directory === undefined ? [] : readJournal<Entry>(nodeDisk(directory)).entries;
  const earlier = entries.filter((entry) => !('at' in entry) || typeof entry.at !== 'string' || Date.parse(entry.at) < from);
  const counts = countsOf(earlier);
  if (from <= header.startedAt || earlier.length === 0)
    return { counts, totals: totalsOf(header.history, markets), orders: header.history.orders };
  const history = historyOf(earlier, new Map(markets.map((market) => [market.symbol, market])));
  return { counts, totals: totalsOf(history, markets), orders: history.orders };
}

/** Reads the mode of the kill switch in a state directory. */
export const modeOf = (directory: string) => new KillSwitch(nodeDisk(directory)).get();
