// Plays the tape of a paper run as a backtest, which repeats the same run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../base/files/node-disk.ts';
import type { RecordingHeader } from '../../bot/run/state/turn-recording.ts';
import { DEFAULT_CANDLES } from '../../embedded/exchange/recorded/candle-path.ts';
import { readPaperAccount } from '../../embedded/paper/account.ts';
import { PAST_FILE, readPast } from '../../embedded/recording/past-file.ts';
import { openTape, type Tape } from '../../embedded/tape/reader.ts';
import { backtest } from '../backtest/backtest.ts';
import type { OwnRecord } from './own-orders.ts';
import { OwnReader } from './own-reader.ts';
import type { RecordedStrategy } from './replay.ts';

export interface PaperPlay {
  readonly header: RecordingHeader;
  readonly strategy: RecordedStrategy;
  /** The state directory. */
  readonly directory: string;
}

/** Returns the backtest's record and fingerprint; undefined if the state directory has no account of a paper run. */
export async function playPaperTape({ header, strategy: { strategy, params }, directory }: PaperPlay) {
  const terms = readPaperAccount(nodeDisk(directory))?.terms;
  if (terms === undefined || header.origin === undefined) return undefined;
  const past = join(directory, PAST_FILE);
  const tapes: Tape[] = [];
  try {
    for (const { symbol } of header.markets) tapes.push(await openTape(join(directory, terms.tapes[symbol] ?? '')));
    const reader = new OwnReader({ paper: true });
    const { summary } = await backtest({
      strategy,
      params,
      limits: header.limits as Readonly<Record<string, unknown>>,
      polling: header.origin.polling,
      seed: header.seed,
      tapes,
      assumptions: { latency: terms.latency ?? { kind: 'recorded' }, queue: terms.queue, phase: 0, candles: DEFAULT_CANDLES },
      deposit: terms.deposit,
      fees: terms.fees,
      past: existsSync(past) ? readPast(past) : undefined,
      watch: ({ run }) => void run.turns.subscribe((turn) => reader.read(turn)),
    });
    const played: OwnRecord = reader.collected();
    return { backtest: played, fingerprint: summary.fingerprint };
  } finally {
    for (const tape of tapes) await tape.close();
  }
}
