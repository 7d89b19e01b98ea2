// Backtests beside hftbacktest's: the same grid at the same cadence on the same rows, how long each takes, and what each says was traded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { type Bench, contest, type Row, type Spread, times } from '../measure.ts';
import { type Player, peerPython, startOurs, startPeer } from './environment.ts';
import type { Request, Result } from './ours.ts';
import type { Traded } from './rule.ts';
import { missingRecording, type PeerTape, peerTape, RECORDINGS, type Recording } from './tapes.ts';

const LEVELS = 10;
const LOOK_MS = 250;
const LATENCY_MS = 20;
const FEES = { makerPpm: 100, takerPpm: 350 };
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

/** Their book as a hash map, which knows all levels; as a vector of those near the trades, which is faster; and that with the events in memory already. */
type Way = 'hashmap' | 'roivector' | 'memory';

/** What is asked of the two sides, each for whichever player of theirs is handed in. */
interface Asked {
  readonly recording: Recording;
  readonly rows: number;
  readonly bot: (player: Player, sets: readonly string[]) => Promise<Result>;
  readonly rule: (player: Player) => Promise<Traded>;
  readonly theirs: (player: Player, way: Way) => Promise<Traded>;
}

async function compared(recording: Recording, stage: Stage): Promise<readonly Row[]> {
  const made = await peerTape(recording, stage.folder);
  const request = await requestOf(recording, { peer: stage.peer, made });
  const asked: Asked = {
    recording,
    rows: made.rows,
    bot: (player, sets) => player.ask({ ...ourRequest(recording, made), play: 'bot', sets }),
    rule: (player) => player.ask({ ...ourRequest(recording, made), play: 'rule', sets: [] }),
    theirs: (player, way) => player.ask({ ...request, way }),
  };
  return [await fromCommand(asked, stage), ...(await again(asked, stage))];
}

/** What a person waits for: a process of its own each time, from its start to the result; theirs compiles in it, for numba cannot keep what it compiled. */
async function fromCommand({ recording, rows, bot, theirs }: Asked, { python }: Stage): Promise<Row> {
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
    ...judged(took),
  };
}

async function alone(player: Player, ask: (player: Player) => Promise<unknown>): Promise<void> {
  await ask(player);
  player.close();
}

/** In processes that have played it before, from the opening of the file. */
async function again({ recording, rows, bot, rule, theirs }: Asked, { ours: us, peer }: Stage): Promise<readonly Row[]> {
  const traded = { bot: await bot(us, SAME_LOOKS), rule: await rule(us), theirs: await theirs(peer, 'roivector') };
  const took = await contest(
    {
      ours: () => () => rule(us),
      bot: () => () => bot(us, SAME_LOOKS),
      usual: () => () => bot(us, USUAL_LOOKS),
      hashmap: () => () => theirs(peer, 'hashmap'),
      roivector: () => () => theirs(peer, 'roivector'),
      memory: () => () => theirs(peer, 'memory'),
    },
    { rounds: 5, calls: 1 },
  );
  const speed = (us: number): string => `${seconds(us)}, ${(rows / us).toFixed(1)} M rows/s`;
  const acting = Object.entries(traded.bot.findings).filter(([, count]) => count > 0);
  console.error(
    `  our guards acted: ${acting.map(([guard, count]) => `${guard} ${count}`).join(', ') || 'never'}; ${traded.bot.turns} turns`,
  );
  return [
    {
      name: `peers: ${recording.name}, the same work, once more in the same process`,
      figure: speed(took.ours.p50),
      baseline: `hftbacktest: vector ${speed(took.roivector.p50)}; map ${seconds(took.hashmap.p50)}; in memory ${seconds(took.memory.p50)}`,
      ...judged(took),
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
      ratio: times(ratioOf({ ...took, ours: took.bot })),
      aim: '',
      met: undefined,
    },
  ];
}

type Took = Readonly<Record<'ours' | 'hashmap' | 'roivector', Spread>>;

/** Beside the quicker of their books. */
const ratioOf = ({ ours, hashmap, roivector }: Took): number => Math.min(hashmap.p50, roivector.p50) / ours.p50;

function judged(took: Took): Pick<Row, 'ratio' | 'aim' | 'met'> {
  const ratio = ratioOf(took);
  return { ratio: times(ratio), aim: 'at least 1×', met: ratio >= 1 };
}

const seconds = (us: number): string => `${(us / 1e6).toFixed(2)} s`;

/** A position is a sum of lots, and theirs of doubles. */
const tradedText = ({ fills, volume, position }: Traded): string =>
  `${fills} fills, volume ${volume.toFixed(0)}, position ${Math.round(position * 1e6) / 1e6 + 0}`;

const ourRequest = ({ market, spacing, size, maxPosition }: Recording, { tape: file }: PeerTape): Omit<Request, 'play' | 'sets'> => ({
  file,
  params: { market, spacing, levels: LEVELS, size, maxPosition },
  latencyMs: LATENCY_MS,
  lookMs: LOOK_MS,
  fees: FEES,
});

/** Hands the rows over, untimed. */
async function requestOf({ spacing, size, maxPosition }: Recording, { peer, made }: { peer: Player; made: PeerTape }): Promise<object> {
  const { priceDecimals, sizeDecimals } = made.header.market;
  const npz = `${made.tape}.npz`;
  const traded = await peer.ask<{ low: number; high: number }>({ do: 'convert', parquet: made.parquet, npz, latencyMs: LATENCY_MS });
  const fees = { makerFee: FEES.makerPpm / 1e6, takerFee: FEES.takerPpm / 1e6 };
  const steps = { tick: 10 ** -priceDecimals, lot: 10 ** -sizeDecimals };
  const rule = { spacing, size, maxPosition, levels: LEVELS, lookMs: LOOK_MS, latencyMs: LATENCY_MS };
  return { do: 'run', npz, ...traded, ...steps, ...fees, ...rule };
}
