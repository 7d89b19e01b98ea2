// Backtests beside hftbacktest's: the same grid at the same cadence on the same rows, how long each takes, and what each says was traded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../../src/base/assert.ts';
import { messageOf } from '../../src/base/errors.ts';
import { micros } from '../../src/domain/numbers.ts';
import type { Summary } from '../../src/report/summary.ts';
import { backtest } from '../../src/run/backtest.ts';
import { loadConfig } from '../../src/run/config.ts';
import type { Params, Strategy } from '../../src/strategy/contract.ts';
import { openTape } from '../../src/tape/reader.ts';
import { type Bench, contest, type Row, times } from '../measure.ts';
import { type Peer, peerPython, startPeer } from './environment.ts';
import { grid } from './grid.ts';
import { missingRecording, type PeerTape, peerTape, RECORDINGS, type Recording } from './tapes.ts';

const LEVELS = 10;
const LOOK_MS = 250;
const LATENCY_MS = 20;
const FEES = { makerPpm: 100, takerPpm: 350 };
/** How often a recording is told: once, and so often that starting does not count. */
const TELLINGS = [1, 10];
const CONFIG = loadConfig({ file: undefined, sets: [`polling.orderBookMs=${LOOK_MS}`] });

export const peers: Bench = async () => {
  const missing = missingRecording();
  if (missing !== undefined) return skipped(`${missing} is not here`);
  const python = await peerPython().catch((error: unknown) => new Error(messageOf(error)));
  if (python instanceof Error) return skipped(`hftbacktest cannot be had: ${python.message.split('\n')[0]}`);
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  const peer = startPeer(python);
  try {
    const rows: Row[] = [];
    for (const recording of RECORDINGS) for (const told of TELLINGS) rows.push(...(await compared(recording, { peer, folder, told })));
    return rows;
  } finally {
    peer.close();
    rmSync(folder, { recursive: true });
  }
};

function skipped(why: string): readonly Row[] {
  console.error(`  skipped: ${why}`);
  return [];
}

interface Stage {
  readonly peer: Peer;
  readonly folder: string;
  readonly told: number;
}

/** What hftbacktest says: `told` by its own state, the rest by its orders. */
interface PeerResult {
  readonly told: { readonly fills: number; readonly position: number };
  readonly position: number;
  readonly volume: number;
}

async function compared(recording: Recording, { peer, folder, told }: Stage): Promise<readonly Row[]> {
  const made = await peerTape(recording, { folder, times: told });
  const { rows, market } = await factsOf(made);
  const theirs = await askerOf(recording, { peer, made });
  const began = performance.now();
  await theirs('roivector');
  const first = performance.now() - began;
  const took = await contest(
    { ours: () => () => ours(recording, made), plain: () => () => theirs('roivector'), hashmap: () => () => theirs('hashmap') },
    { rounds: 5, calls: 1 },
  );
  const mine = await ours(recording, made);
  const other = await theirs('roivector');
  const name = `peers: ${market} ×${told}`;
  const speed = (us: number): string => `${(us / 1e6).toFixed(2)} s (${(rows / us).toFixed(2)} M rows/s)`;
  const ratio = Math.min(took.plain.p50, took.hashmap.p50) / took.ours.p50;
  console.error(`  ${name}: the peer's first run ${(first / 1e3).toFixed(1)} s; ${JSON.stringify(mine.findings)}`);
  return [
    {
      name: `${name}, ${(rows / 1e6).toFixed(2)} M rows`,
      figure: speed(took.ours.p50),
      baseline: `hftbacktest ${speed(took.plain.p50)}, with its hash map ${speed(took.hashmap.p50)}`,
      ratio: times(ratio),
      aim: 'at least 1×, better 2×',
      met: ratio >= 1,
    },
    {
      name: `${name}, traded`,
      figure: `${mine.fills} fills, volume ${Number(mine.volume).toFixed(0)}, position ${mine.positions[market] ?? 0}`,
      baseline: `hftbacktest ${other.told.fills} fills, volume ${other.volume.toFixed(0)}, position ${other.position.toFixed(3)}`,
      ratio: '',
      aim: '',
      met: undefined,
    },
  ];
}

async function factsOf({ tape }: PeerTape): Promise<{ rows: number; market: string }> {
  const { facts, header, close } = await openTape(tape);
  await close();
  return { rows: facts.rows, market: header.market.symbol };
}

async function ours({ market, spacing, size, maxPosition }: Recording, { tape }: PeerTape): Promise<Summary> {
  const opened = await openTape(tape);
  try {
    const { summary, ending } = await backtest({
      strategy: grid as unknown as Strategy<Params>,
      params: { market, spacing, levels: LEVELS, size, maxPosition },
      limits: CONFIG.limits,
      polling: CONFIG.polling,
      seed: 'peers',
      tapes: [opened],
      assumptions: { latency: { kind: 'constant', there: LATENCY_MS, back: LATENCY_MS }, queue: { kind: 'conservative' }, phase: 0 },
      deposit: micros(100_000e6),
      fees: FEES,
    });
    assert(ending.kind === 'settled', `the backtest ended ${ending.kind}`);
    return summary;
  } finally {
    await opened.close();
  }
}

type Asker = (depth: 'roivector' | 'hashmap') => Promise<PeerResult>;

async function askerOf({ spacing, size, maxPosition }: Recording, { peer, made }: { peer: Peer; made: PeerTape }): Promise<Asker> {
  const npz = `${made.parquet}.npz`;
  const { header, close } = await openTape(made.tape);
  await close();
  const { priceDecimals, sizeDecimals } = header.market;
  const range = await peer.ask<{ low: number; high: number }>({ do: 'convert', parquet: made.parquet, npz, latencyMs: LATENCY_MS });
  const fees = { makerFee: FEES.makerPpm / 1e6, takerFee: FEES.takerPpm / 1e6 };
  const steps = { tick: 10 ** -priceDecimals, lot: 10 ** -sizeDecimals };
  const request = { do: 'run', npz, ...range, ...steps, ...fees, levels: LEVELS, lookMs: LOOK_MS, latencyMs: LATENCY_MS };
  return (depth) => peer.ask<PeerResult>({ ...request, depth, spacing, size, maxPosition });
}
