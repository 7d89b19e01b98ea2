// Measures candles per second: 30 days of one-minute candles through the crossover with every guard, beside backtesting.py and backtrader.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert, messageOf } from '../../src/base/errors.ts';
import { micros } from '../../src/bot/domain/numbers.ts';
import { DEFAULT_POLLING } from '../../src/bot/exchange/kit/streams/polling.ts';
import { loadConfig } from '../../src/bot/run/core/config.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import { DEFAULT_CANDLES } from '../../src/embedded/exchange/recorded/candle-path.ts';
import { asWorkersPlay } from '../../src/program/process/heap.ts';
import { type BacktestOptions, backtest } from '../../src/research/backtest/backtest.ts';
import { type Bench, median, type Row, times } from '../measure.ts';
import { candleTape, MINUTE, type Ohlcv, randomCandles } from './candle-tape.ts';
import { pythonWith } from './environment.ts';

const COUNT = 30 * 24 * 60;
const ROUNDS = 4;
const SCRIPT = join(import.meta.dirname, 'candles.py');
const PACKAGES = ['backtesting==0.6.6', 'backtrader==1.9.78.123'];
const STRATEGIES = ['crossover', 'grid'] as const;
const AIM = 30_000;

export const candles: Bench = async () => {
  const list = randomCandles(COUNT);
  const others = await othersOn(list).catch((error: unknown) => `not measured: ${messageOf(error).split('\n')[0]}`);
  const rows: Row[] = [];
  for (const strategy of STRATEGIES) {
    const [first = 0, ...after] = await perSecond(list, strategy);
    const usual = median(after);
    rows.push({
      name: `candles: ${strategy}`,
      figure: `${thousands(usual)} k/s of CPU, the first time ${thousands(first)}`,
      baseline: typeof others === 'string' ? others : others.map(({ name, rate }) => `${name} ${thousands(rate)} k/s`).join(', '),
      ratio: typeof others === 'string' ? '' : others.map(({ rate }) => times(usual / rate)).join(', '),
      aim: `at least ${AIM / 1e3} k/s`,
      met: usual >= AIM,
    });
  }
  return rows;
};

const thousands = (count: number): string => (count / 1e3).toFixed(1);

/** Candles per second of CPU time, all threads together, of each round. CPU time, because the machine may be busy with other work. */
async function perSecond(list: readonly Ohlcv[], name: (typeof STRATEGIES)[number]) {
  const { strategy } = await loadStrategy(name);
  const tape = candleTape(list);
  const market = tape.header.market.symbol;
  const params = resolveParams(strategy, name === 'crossover' ? { market, resolution: '1m' } : { market }, () => undefined);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const options: BacktestOptions = {
      strategy,
      params,
      limits: loadConfig({ file: undefined, sets: [] }).limits,
      polling: DEFAULT_POLLING,
      seed: 'bench',
      tapes: [tape],
      assumptions: {
        latency: { kind: 'constant', there: 20, back: 20 },
        queue: { kind: 'conservative' },
        phase: 0,
        candles: DEFAULT_CANDLES,
      },
      deposit: micros(100_000e6),
    };
    const { ending } = await asWorkersPlay(() => backtest(options)); // as `bot backtest` plays
    assert(ending.kind === 'settled', `the backtest ended ${ending.kind}`);
    const { user, system } = process.cpuUsage(before);
    rates.push(list.length / ((user + system) / 1e6));
  }
  return rates;
}

type Timed = Readonly<Record<string, { readonly seconds: number; readonly trades: number }>>;

interface Other {
  readonly name: string;
  /** Candles per second of CPU time. */
  readonly rate: number;
}

/** What backtesting.py and backtrader do with the same candles. */
async function othersOn(list: readonly Ohlcv[]): Promise<readonly Other[]> {
  const python = await pythonWith(PACKAGES, ['backtesting', 'backtrader']);
  const folder = mkdtempSync(join(tmpdir(), 'candles-'));
  try {
    const file = join(folder, 'candles.csv');
    const lines = list.map(({ open, high, low, close, volume }, index) =>
      [new Date(index * MINUTE).toISOString(), open / 10, high / 10, low / 10, close / 10, volume].join(','),
    );
    writeFileSync(file, ['time,Open,High,Low,Close,Volume', ...lines].join('\n'));
    const { stdout } = await promisify(execFile)(python, [SCRIPT, file], { maxBuffer: 1 << 24 });
    const timed = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Timed;
    return Object.entries(timed).map(([name, { seconds }]) => ({ name, rate: list.length / seconds }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
