// Our side of the comparisons: reads one JSON request a line and answers each with one line, which has the CPU seconds of the process, all threads, from
// its start.
import { createInterface } from 'node:readline';
import type { Millis } from '../../src/base/clock.ts';
import type { FeeRates } from '../../src/bot/domain/market.ts';
import { openTape } from '../../src/embedded/tape/reader.ts';
import { playTape } from '../play-tape.ts';
import grid from './grid.ts';
import { type CandlesRequest, playCandles } from './our-candles.ts';
import { playRule, type Traded } from './rule.ts';

export interface Request {
  /** `bot`: a backtest of the whole bot. `rule`: the rule alone at the exchange. */
  readonly play: 'bot' | 'rule';
  readonly file: string;
  readonly params: typeof grid.defaults;
  /** Settings of the bot, in the form of `--set`. */
  readonly sets: readonly string[];
  readonly latencyMs: Millis;
  readonly fees: FeeRates;
  readonly lookMs: Millis;
}

export interface Result extends Traded {
  readonly turns: number;
  /** Number of findings by guard. */
  readonly findings: Readonly<Record<string, number>>;
}

async function playBot({ file, params, sets, latencyMs, fees }: Request): Promise<Result> {
  const tape = await openTape(file);
  try {
    const summary = await playTape(tape, { strategy: grid, params, seed: 'peers', sets, latencyMs, fees });
    const { fills, turns, findings } = summary;
    const position = Number(summary.positions[params.market] ?? 0);
    return { fills, volume: Number(summary.volume), position, turns, findings };
  } finally {
    await tape.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request | CandlesRequest;
  const answer = await (request.play === 'candles' ? playCandles(request) : request.play === 'bot' ? playBot(request) : playRule(request));
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ ...answer, cpu: (user + system) / 1e6 }));
}
