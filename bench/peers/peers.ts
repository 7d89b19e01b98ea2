// Compares backtests with hftbacktest: the same grid at the same intervals on the same rows; the duration of each, and what each reports as traded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { WORKER_OPTIONS } from '../../src/program/process/heap.ts';
import { type Bench, contest, type Row, type Spread, times } from '../measure.ts';
import { type Player, peerPython, startOurs, startPeer } from './environment.ts';
import type { Request, Result } from './ours.ts';
import type { Traded } from './rule.ts';
import { missingRecording, type PeerTape, peerTape, RECORDINGS, type Recording } from './tapes.ts';

const LEVELS = 10;
const LOOK_MS = 250;
const LATENCY_MS = 20;
const FEES = { makerPpm: 100, takerPpm: 350 };
/** So many rows are played before the first round that counts: a short recording is played more often, until nothing is left to compile. */
const WARM_UP_ROWS = 10e6;
const MIN_WARM_UP = 4;
/** Default polling intervals. */
const DEFAULT_LOOKS = [`polling.orderBookMs=${LOOK_MS}`];
/** Polling of what hftbacktest also has (book and own orders), and as little else as the guards allow. */
const SAME_LOOKS = [...DEFAULT_LOOKS, 'polling.tradesMs=60000', 'polling.timeMs=10000'];

export const peers: Bench = async () => {
  const missing = missingRecording();
  if (missing !== undefined) return skipped(`${missing} is not here`);
  const python = await peerPython().catch((error: unknown) => new Error(messageOf(error)));
  if (python instanceof Error) return skipped(`hftbacktest cannot be had: ${python.message.split('\n')[0]}`);
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  const [ours, peer] = [startOurs(WORKER_OPTIONS), startPeer(python)]; // it plays many times, as a process of a sweep does
  try {
    const rows: Row[] = [];
    for (const recording of RECORDINGS) rows.push(...(await compared(recording, { ours, peer, python, folder })));
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
  readonly python: string;
  readonly folder: string;
}

/** hftbacktest's book: a hash map of all levels; a vector of levels near the trades, which is faster; that vector with the events in memory. */
type Way = 'hashmap' | 'roivector' | 'memory';

/** The requests of one recording, each for the player that is passed. */
interface Requests {
  readonly recording: Recording;
  readonly rows: number;
  readonly bot: (player: Player, sets: readonly string[]) => Promise<Result>;
  readonly rule: (player: Player) => Promise<Traded>;
  readonly theirs: (player: Player, way: Way) => Promise<Traded>;
}

async function compared(recording: Recording, stage: Stage): Promise<readonly Row[]> {
  const made = await peerTape(recording, stage.folder);
  const request = await requestOf(recording, { peer: stage.peer, made });
  const asked: Requests = {
    recording,
    rows: made.rows,
    bot: (player, sets) => player.ask({ ...ourRequest(recording, made), play: 'bot', sets }),
    rule: (player) => player.ask({ ...ourRequest(recording, made), play: 'rule', sets: [] }),
    theirs: (player, way) => player.ask({ ...request, way }),
  };
  return [await fromCommand(asked, stage), ...(await again(asked, stage))];
}

/** Measures what a user waits for: a new process from start to result. hftbacktest compiles in it, because numba cannot cache the strategy. */
async function fromCommand({ recording, rows, bot, theirs }: Requests, { python }: Stage): Promise<Row> {
  const took = await contest(
    {
      ours: () => () => alone(startOurs(), (player) => bot(player, SAME_LOOKS)),
      hashmap: () => () => alone(startPeer(python), (player) => theirs(player, 'hashmap')),
      roivector: () => () => alone(startPeer(python), (player) => theirs(player, 'roivector')),
    },
    { rounds: 3, calls: 1, warmUp: 0 },
  );
  return {
    name: `peers: ${recording.name}, ${(rows / 1e6).toFixed(2)} M rows, from the command to the result`,
    figure: seconds(took.ours.p50),
    baseline: `hftbacktest: vector ${seconds(took.roivector.p50)}; map ${seconds(took.hashmap.p50)}`,
    ...verdictOf(took),
  };
}

async function alone(player: Player, ask: (player: Player) => Promise<unknown>): Promise<void> {
  await ask(player);
  player.close();
}

/** Measures in processes that have played the recording before, from the opening of the file. */
async function again({ recording, rows, bot, rule, theirs }: Requests, { ours: us, peer }: Stage): Promise<readonly Row[]> {
  const traded = { bot: await bot(us, SAME_LOOKS), rule: await rule(us), theirs: await theirs(peer, 'roivector') };
  const took = await contest(
    {
      ours: () => () => rule(us),
      bot: () => () => bot(us, SAME_LOOKS),
      usual: () => () => bot(us, DEFAULT_LOOKS),
      hashmap: () => () => theirs(peer, 'hashmap'),
      roivector: () => () => theirs(peer, 'roivector'),
      memory: () => () => theirs(peer, 'memory'),
    },
    { rounds: 5, calls: 1, warmUp: Math.max(MIN_WARM_UP, Math.ceil(WARM_UP_ROWS / rows)) },
  );
  const speed = (us: number): string => `${seconds(us)}, ${(rows / us).toFixed(1)} M rows/s`;
  const botRatio = ratioOf({ ...took, ours: took.bot });
  const acting = Object.entries(traded.bot.findings).filter(([, count]) => count > 0);
  console.error(
    `  our guards acted: ${acting.map(([guard, count]) => `${guard} ${count}`).join(', ') || 'never'}; ${traded.bot.turns} turns`,
  );
  return [
    {
      name: `peers: ${recording.name}, the same work, once more in the same process`,
      figure: speed(took.ours.p50),
      baseline: `hftbacktest: vector ${speed(took.roivector.p50)}; map ${seconds(took.hashmap.p50)}; in memory ${seconds(took.memory.p50)}`,
      ...verdictOf(took),
    },
    {
      name: `peers: ${recording.name}, the same work, traded`,
      figure: tradedText(traded.rule),
      baseline: `hftbacktest: ${tradedText(traded.theirs)}`,
      ratio: '',
      aim: 'the same',
      met: tradedText(traded.rule) === tradedText(traded.theirs),
    },
    {
      name: `peers: ${recording.name}, the whole bot, once more in the same process`,
      figure: `${seconds(took.bot.p50)}; with all the usual looks ${seconds(took.usual.p50)}; ${tradedText(traded.bot)}`,
      baseline: '',
      ratio: times(botRatio),
      aim: `at least ${recording.aim}×`,
      met: botRatio >= recording.aim,
    },
  ];
}

type Took = Readonly<Record<'ours' | 'hashmap' | 'roivector', Spread>>;

/** Compared with the faster of their books. */
const ratioOf = ({ ours, hashmap, roivector }: Took): number => Math.min(hashmap.p50, roivector.p50) / ours.p50;

function verdictOf(took: Took): Pick<Row, 'ratio' | 'aim' | 'met'> {
  const ratio = ratioOf(took);
  return { ratio: times(ratio), aim: 'at least 1×', met: ratio >= 1 };
}

const seconds = (us: number): string => `${(us / 1e6).toFixed(2)} s`;

/** The position is rounded, because theirs is a sum of doubles. */
const tradedText = ({ fills, volume, position }: Traded): string =>
  `${fills} fills, volume ${volume.toFixed(0)}, position ${Math.round(position * 1e6) / 1e6 + 0}`;

const ourRequest = ({ market, spacing, size, maxPosition }: Recording, { tape: file }: PeerTape): Omit<Request, 'play' | 'sets'> => ({
  file,
  params: { market, spacing, levels: LEVELS, size, maxPosition },
  latencyMs: LATENCY_MS,
  lookMs: LOOK_MS,
  fees: FEES,
});

/** Converts the rows for hftbacktest, untimed, and returns the request for a run. */
async function requestOf({ spacing, size, maxPosition }: Recording, { peer, made }: { peer: Player; made: PeerTape }): Promise<object> {
  const { priceDecimals, sizeDecimals } = made.header.market;
  const npz = `${made.tape}.npz`;
  const traded = await peer.ask<{ low: number; high: number }>({ do: 'convert', parquet: made.parquet, npz, latencyMs: LATENCY_MS });
  const fees = { makerFee: FEES.makerPpm / 1e6, takerFee: FEES.takerPpm / 1e6 };
  const steps = { tick: 10 ** -priceDecimals, lot: 10 ** -sizeDecimals };
  const rule = { spacing, size, maxPosition, levels: LEVELS, lookMs: LOOK_MS, latencyMs: LATENCY_MS };
  return { do: 'run', npz, ...traded, ...steps, ...fees, ...rule };
}
