// Our side of the comparison: a backtest a line, of the grid on a tape.
import { createInterface } from 'node:readline';
import { assert } from '../../src/base/assert.ts';
import { micros } from '../../src/domain/numbers.ts';
import { backtest } from '../../src/run/backtest.ts';
import { loadConfig } from '../../src/run/config.ts';
import type { FeeRates } from '../../src/simulator/fees.ts';
import { USUAL_CANDLES } from '../../src/simulator/recorded/candle-path.ts';
import { openTape } from '../../src/tape/reader.ts';
import { grid } from './grid.ts';

export interface Request {
  readonly file: string;
  readonly params: typeof grid.defaults;
  /** As `--set` takes them. */
  readonly sets: readonly string[];
  readonly latencyMs: number;
  readonly fees: FeeRates;
}

/** `volume` in quote money, `position` in base units. */
export interface Result {
  readonly fills: number;
  readonly volume: number;
  readonly position: number;
  readonly turns: number;
  readonly rows: number;
  /** By guard: how often it acted. */
  readonly findings: Readonly<Record<string, number>>;
}

async function played({ file, params, sets, latencyMs, fees }: Request): Promise<Result> {
  const { limits, polling } = loadConfig({ file: undefined, sets });
  const tape = await openTape(file);
  try {
    const { summary, ending } = await backtest({
      strategy: grid,
      params,
      limits,
      polling,
      seed: 'peers',
      tapes: [tape],
      assumptions: {
        latency: { kind: 'constant', there: latencyMs, back: latencyMs },
        queue: { kind: 'conservative' },
        phase: 0,
        candles: USUAL_CANDLES,
      },
      deposit: micros(100_000e6),
      fees,
    });
    assert(ending.kind === 'settled', `the backtest ended ${ending.kind}`);
    const { fills, turns, findings } = summary;
    const position = Number(summary.positions[params.market] ?? 0);
    return { fills, volume: Number(summary.volume), position, turns, rows: tape.facts.rows, findings };
  } finally {
    await tape.close();
  }
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await played(JSON.parse(line) as Request)));
