// Measures candles: 30 days of one-minute candles through the crossover with every guard, beside the same crossover of five peers, and through the grid.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKER_OPTIONS } from '../../src/program/process/heap.ts';
import { type Bench, type Row, times } from '../measure.ts';
import { MINUTE, type Ohlcv, randomCandles, START } from './candle-tape.ts';
import { askAlone, installedPeer, leastSeconds, type PeerName, type Player, startOurs, type Timed } from './environment.ts';
import type { CandlesRequest } from './our-candles.ts';

const COUNT = 30 * 24 * 60;
const [FAST, SLOW] = [50, 200];
const AIM = 30_000;
const PEERS = ['backtesting.py', 'backtrader', 'vectorbt', 'pandas', 'NautilusTrader'] as const satisfies readonly PeerName[];
/** Of the tape; NautilusTrader rounds prices and sizes to it. */
const STEPS = { priceDecimals: 1, sizeDecimals: 5, size: 0.01, makerFee: 0, takerFee: 0, deposit: 100_000 };

export const candles: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candles-'));
  try {
    const file = join(folder, 'candles.csv');
    writeFileSync(file, csvOf(randomCandles(COUNT)));
    return [...(await crossoverRows(file)), ...(await gridRows())];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const csvOf = (list: readonly Ohlcv[]): string => {
  const lines = list.map(({ open, high, low, close, volume }, index) =>
    [new Date(START + index * MINUTE).toISOString(), open / 10, high / 10, low / 10, close / 10, volume].join(','),
  );
  return ['time,Open,High,Low,Close,Volume', ...lines].join('\n');
};

type Name = 'ours' | (typeof PEERS)[number];
interface Filled {
  readonly fills: number;
}

/** Someone who plays the crossover. */
interface Contender {
  readonly start: () => Player;
  readonly play: (player: Player) => Promise<Timed<Filled>>;
}

async function crossoverRows(file: string): Promise<readonly Row[]> {
  const contenders = new Map<Name, Contender>([['ours', { start: () => startOurs(), play: ourPlay('crossover') }]]);
  for (const name of PEERS) {
    const start = await installedPeer(name);
    const request = { do: name === 'NautilusTrader' ? 'crossover' : name, file, fast: FAST, slow: SLOW, ...STEPS };
    if (start !== undefined) contenders.set(name, { start, play: (player) => player.ask<Filled>(request) });
  }
  const [first, later, fills] = await measured(contenders);
  const others = PEERS.filter((name) => contenders.has(name));
  const textOf = (each: (name: (typeof PEERS)[number]) => string): string => others.map((name) => `${name} ${each(name)}`).join(', ');
  const beside = (rates: Rates) => ({
    baseline: textOf((name) => `${thousands(rates[name])} k/s`),
    ratio: textOf((name) => times((rates.ours ?? Number.NaN) / (rates[name] ?? Number.NaN))),
  });
  const vector = later['backtesting.py'];
  return [
    {
      name: 'candles: crossover, from the command',
      figure: `${thousands(first.ours)} k/s of CPU`,
      ...beside(first),
      aim: '',
      met: undefined,
    },
    {
      name: 'candles: crossover, once more in the same process',
      figure: `${thousands(later.ours)} k/s of CPU`,
      ...beside(later),
      aim: 'at least 1× backtesting.py',
      met: vector === undefined ? undefined : (later.ours ?? 0) >= vector,
    },
    {
      name: 'candles: crossover, fills',
      figure: String(fills.get('ours')),
      baseline: textOf((name) => String(fills.get(name))),
      ratio: '',
      aim: 'the same',
      met: new Set(fills.values()).size === 1,
    },
  ];
}

async function gridRows(): Promise<readonly Row[]> {
  const [first, later] = await measured(new Map<Name, Contender>([['ours', { start: () => startOurs(), play: ourPlay('grid') }]]));
  return [
    {
      name: 'candles: grid',
      figure: `${thousands(later.ours)} k/s of CPU, from the command ${thousands(first.ours)}`,
      baseline: '',
      ratio: '',
      aim: `at least ${AIM / 1e3} k/s`,
      met: (later.ours ?? 0) >= AIM,
    },
  ];
}

function ourPlay(strategy: CandlesRequest['strategy']): Contender['play'] {
  const params = strategy === 'crossover' ? { resolution: '1m', fast: FAST, slow: SLOW } : {};
  const request: CandlesRequest = { play: 'candles', strategy, count: COUNT, params };
  return (player) => player.ask<Filled>(request);
}

/** Candles per second of CPU time, all threads of the process. */
type Rates = Readonly<Partial<Record<Name, number>>>;

/** Returns the rates of new processes, those of later plays, and the fills of each. */
async function measured(contenders: ReadonlyMap<Name, Contender>): Promise<readonly [Rates, Rates, ReadonlyMap<Name, number>]> {
  const all = [...contenders];
  const first = await leastSeconds<Name>(Object.fromEntries(all.map(([name, { start, play }]) => [name, () => askAlone(start(), play)])), {
    rounds: 3,
  });
  const warm = all.map(([name, { start, play }]) => ({ name, play, player: name === 'ours' ? startOurs(WORKER_OPTIONS) : start() }));
  try {
    const fills = new Map<Name, number>();
    for (const { name, play, player } of warm) fills.set(name, (await play(player)).fills);
    const later = await leastSeconds<Name>(Object.fromEntries(warm.map(({ name, play, player }) => [name, () => play(player)])), {
      rounds: 4,
      warmUp: 1,
    });
    return [rates(first), rates(later), fills];
  } finally {
    for (const { player } of warm) player.close();
  }
}

const rates = (least: Rates): Rates => Object.fromEntries(Object.entries(least).map(([name, seconds]) => [name, COUNT / seconds]));
const thousands = (rate = Number.NaN): string => (rate / 1e3).toFixed(1);
