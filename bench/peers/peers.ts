// Backtests beside hftbacktest's: the same grid at the same cadence on the same rows, how long each takes, and what each says was traded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { type Bench, contest, type Row, times } from '../measure.ts';
import { type Player, peerPython, startOurs, startPeer } from './environment.ts';
import type { Request, Result } from './ours.ts';
import { missingRecording, type PeerTape, peerTape, RECORDINGS, type Recording } from './tapes.ts';

const LEVELS = 10;
const LOOK_MS = 250;
const LATENCY_MS = 20;
const FEES = { makerPpm: 100, takerPpm: 350 };
/** How often a recording is told: once, and so often that starting does not count. */
const TELLINGS = [1, 10];
/** A bot that looks at everything as it usually does. */
const USUAL_LOOKS = [`polling.orderBookMs=${LOOK_MS}`];
/** A bot that looks at what theirs knows of, the book and its own orders, and at what the guards must not be without. */
const SAME_LOOKS = [...USUAL_LOOKS, 'polling.tradesMs=60000', 'polling.timeMs=10000'];

export const peers: Bench = async () => {
  const missing = missingRecording();
  if (missing !== undefined) return skipped(`${missing} is not here`);
  const python = await peerPython().catch((error: unknown) => new Error(messageOf(error)));
  if (python instanceof Error) return skipped(`hftbacktest cannot be had: ${python.message.split('\n')[0]}`);
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  const [ours, peer] = [startOurs(), startPeer(python)];
  try {
    const rows: Row[] = [];
    for (const recording of RECORDINGS)
      for (const told of TELLINGS) rows.push(...(await compared(recording, { ours, peer, folder, told })));
    return rows;
  } finally {
    ours.close();
    peer.close();
    rmSync(folder, { recursive: true });
  }
};

function skipped(why: string): readonly Row[] {
  console.error(`  skipped: ${why}`);
  return [];
}

interface Stage {
  readonly ours: Player;
  readonly peer: Player;
  readonly folder: string;
  readonly told: number;
}

/** Their book as a hash map, which knows all levels; as a vector of those near the trades, which is faster; and that with the events in memory already. */
type Way = 'hashmap' | 'roivector' | 'memory';

type Traded = Pick<Result, 'fills' | 'volume' | 'position'>;

async function compared(recording: Recording, { ours: us, peer, folder, told }: Stage): Promise<readonly Row[]> {
  const { market } = recording;
  const made = await peerTape(recording, { folder, times: told });
  const ours = (sets: readonly string[]): Promise<Result> => us.ask<Result>(requestOf(recording, made, sets));
  const theirs = await askerOf(recording, { peer, made });
  const began = performance.now();
  const other = await theirs('roivector');
  console.error(`  ${market} ×${told}: its first run, compiling where it must: ${((performance.now() - began) / 1e3).toFixed(1)} s`);
  const { rows, turns, findings, ...traded } = await ours(SAME_LOOKS);
  const took = await contest(
    {
      ours: () => () => ours(SAME_LOOKS),
      usual: () => () => ours(USUAL_LOOKS),
      hashmap: () => () => theirs('hashmap'),
      roivector: () => () => theirs('roivector'),
      memory: () => () => theirs('memory'),
    },
    { rounds: 5, calls: 1 },
  );
  const speed = (us: number): string => `${seconds(us)}, ${(rows / us).toFixed(1)} M rows/s`;
  const ratio = Math.min(took.hashmap.p50, took.roivector.p50) / took.ours.p50;
  const acting = Object.entries(findings).filter(([, count]) => count > 0);
  console.error(`  our guards acted: ${acting.map(([guard, count]) => `${guard} ${count}`).join(', ') || 'never'}; ${turns} turns`);
  const name = `peers: ${market}`;
  return [
    {
      name: `${name}, ${(rows / 1e6).toFixed(2)} M rows`,
      figure: `${speed(took.ours.p50)}; with all the usual looks ${seconds(took.usual.p50)}`,
      baseline: `hftbacktest: vector ${speed(took.roivector.p50)}; map ${seconds(took.hashmap.p50)}; in memory ${seconds(took.memory.p50)}`,
      ratio: times(ratio),
      aim: 'at least 1×',
      met: ratio >= 1,
    },
    {
      name: `${name} ×${told}, traded`,
      figure: tradedText(traded),
      baseline: `hftbacktest: ${tradedText(other)}`,
      ratio: '',
      aim: '',
      met: undefined,
    },
  ];
}

const seconds = (us: number): string => `${(us / 1e6).toFixed(2)} s`;

const tradedText = ({ fills, volume, position }: Traded): string =>
  `${fills} fills, volume ${volume.toFixed(0)}, position ${position.toFixed(3)}`;

const requestOf = ({ market, spacing, size, maxPosition }: Recording, { tape: file }: PeerTape, sets: readonly string[]): Request => ({
  file,
  params: { market, spacing, levels: LEVELS, size, maxPosition },
  sets,
  latencyMs: LATENCY_MS,
  fees: FEES,
});

type Asker = (way: Way) => Promise<Traded>;

/** Hands the rows over, untimed. */
async function askerOf({ spacing, size, maxPosition }: Recording, { peer, made }: { peer: Player; made: PeerTape }): Promise<Asker> {
  const { priceDecimals, sizeDecimals } = made.header.market;
  const npz = `${made.tape}.npz`;
  const traded = await peer.ask<{ low: number; high: number }>({ do: 'convert', parquet: made.parquet, npz, latencyMs: LATENCY_MS });
  const fees = { makerFee: FEES.makerPpm / 1e6, takerFee: FEES.takerPpm / 1e6 };
  const steps = { tick: 10 ** -priceDecimals, lot: 10 ** -sizeDecimals };
  const request = { do: 'run', npz, ...traded, ...steps, ...fees, levels: LEVELS, lookMs: LOOK_MS, latencyMs: LATENCY_MS };
  return (way) => peer.ask<Traded>({ ...request, way, spacing, size, maxPosition });
}
