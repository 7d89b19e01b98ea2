// Compares backtests with hftbacktest and NautilusTrader: the same grid at the same intervals on the same rows; the CPU seconds of each process, and
// what each reports as traded.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKER_OPTIONS } from '../../src/program/process/heap.ts';
import { buildPackage, cpuSeconds } from '../cpu-time.ts';
import { type Bench, type Row, times } from '../measure.ts';
import { askAlone, installedPeer, leastSeconds, type PeerName, type Player, type StartPeer, startOurs, type Timed } from './environment.ts';
import type { Request, Result } from './ours.ts';
import type { Traded } from './rule.ts';
import { missingRecording, type PeerTape, peerTape, RECORDINGS, type Recording } from './tapes.ts';

const LEVELS = 10;
const LOOK_MS = 250;
const LATENCY_MS = 20;
const FEES = { makerPpm: 100, takerPpm: 350 };
const PPM_PER_BASIS_POINT = 100;
const GRID = join(import.meta.dirname, 'grid.ts');
const DEPOSIT = 100_000;
/** So many rows are played before the first round that counts: a short recording is played more often, until nothing is left to compile. */
const WARM_UP_ROWS = 10e6;
const MIN_WARM_UP = 4;
const NAUTILUS_AIM = 5;
/** Default polling intervals. */
const DEFAULT_LOOKS = [`polling.orderBookMs=${LOOK_MS}`];
/** Polling of what hftbacktest also has (book and own orders), and as little else as the guards allow. */
const SAME_LOOKS = [...DEFAULT_LOOKS, 'polling.tradesMs=60000', 'polling.timeMs=10000'];

export const peers: Bench = async ({ row }) => {
  const missing = missingRecording();
  if (missing !== undefined) {
    console.error(`  skipped: ${missing} is not here`);
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  const program = buildPackage(folder);
  const ours = startOurs(WORKER_OPTIONS); // it plays many times, as a process of a sweep does
  const [hftbacktest, nautilus] = [await sideOf('hftbacktest'), await sideOf('NautilusTrader')];
  try {
    const rows: Row[] = [];
    for (const recording of RECORDINGS.filter(({ name }) => row === undefined || name === row)) {
      const made = await peerTape(recording, folder);
      const played = ourPlays(recording, made, { program, folder });
      if (hftbacktest !== undefined) rows.push(...(await besideHftbacktest(played, { ours, peer: hftbacktest })));
      if (nautilus !== undefined && recording.nautilus) rows.push(...(await besideNautilus(played, { ours, peer: nautilus })));
    }
    return rows;
  } finally {
    for (const player of [ours, hftbacktest?.warm, nautilus?.warm]) player?.close();
    rmSync(folder, { recursive: true });
  }
};

/** A peer: new processes of it, and one that plays all recordings. */
interface Side {
  readonly start: StartPeer;
  readonly warm: Player;
}

async function sideOf(name: PeerName): Promise<Side | undefined> {
  const start = await installedPeer(name);
  return start && { start, warm: start() };
}

interface Stage {
  readonly ours: Player;
  readonly peer: Side;
}

/** What we play of a recording. */
interface Plays {
  readonly recording: Recording;
  readonly made: PeerTape;
  /** The whole bot by `bot backtest` of the built package, which also reads the strategy's TypeScript and writes its report. */
  readonly command: () => Promise<{ readonly seconds: number }>;
  /** These are for the player that is passed. */
  readonly bot: (player: Player, sets?: readonly string[]) => Promise<Timed<Result>>;
  readonly rule: (player: Player) => Promise<Timed<Traded>>;
}

/** `program`: arguments of Node for the built package. */
function ourPlays(recording: Recording, made: PeerTape, { program, folder }: { program: readonly string[]; folder: string }): Plays {
  const { market, spacing, size, maxPosition } = recording;
  const params = { market, spacing, levels: LEVELS, size, maxPosition };
  const sets = [...Object.entries(params).map(([name, value]) => `params.${name}=${value}`), ...SAME_LOOKS];
  const fees = [FEES.makerPpm, FEES.takerPpm].map((ppm) => ppm / PPM_PER_BASIS_POINT).join();
  const line = ['backtest', '--strategy', GRID, '--tape', made.tape, '--latency', `${LATENCY_MS}`, '--fees', fees, '--set', ...sets];
  const request: Omit<Request, 'play' | 'sets'> = {
    file: made.tape,
    params,
    latencyMs: LATENCY_MS,
    lookMs: LOOK_MS,
    fees: FEES,
  };
  return {
    recording,
    made,
    command: async () => ({ seconds: await cpuSeconds([...program, ...line], { cwd: folder }) }),
    bot: (player, sets = SAME_LOOKS) => player.ask({ ...request, play: 'bot', sets }),
    rule: (player) => player.ask({ ...request, play: 'rule', sets: [] }),
  };
}

/** The parameters of the rule, for a script. */
function theirRule({ recording: { spacing, size, maxPosition } }: Plays) {
  const fees = { makerFee: FEES.makerPpm / 1e6, takerFee: FEES.takerPpm / 1e6 };
  return { spacing, size, maxPosition, levels: LEVELS, lookMs: LOOK_MS, latencyMs: LATENCY_MS, ...fees };
}

/** hftbacktest's book: a hash map of all levels; a vector of levels near the trades, which is faster; that vector with the events in memory. */
type Way = 'hashmap' | 'roivector' | 'memory';
type HftPlay = (player: Player, way: Way) => Promise<Timed<Traded>>;

async function besideHftbacktest(plays: Plays, { ours, peer }: Stage): Promise<readonly Row[]> {
  const { made, recording } = plays;
  const { priceDecimals, sizeDecimals } = made.header.market;
  const npz = `${made.tape}.npz`;
  const range = await peer.warm.ask<{ low: number; high: number }>({ do: 'convert', parquet: made.parquet, npz, latencyMs: LATENCY_MS });
  const request = {
    do: 'run',
    npz,
    low: range.low,
    high: range.high,
    tick: 10 ** -priceDecimals,
    lot: 10 ** -sizeDecimals,
    ...theirRule(plays),
  };
  const theirs: HftPlay = (player, way) => player.ask({ ...request, way });
  const first = await leastSeconds(
    {
      ours: plays.command,
      hashmap: () => askAlone(peer.start(), (player) => theirs(player, 'hashmap')),
      roivector: () => askAlone(peer.start(), (player) => theirs(player, 'roivector')),
    },
    { rounds: 3 },
  );
  return [
    {
      name: `peers: ${recording.name}, ${(made.rows / 1e6).toFixed(2)} M rows, from the command to the result`,
      figure: secondsText(first.ours),
      baseline: `hftbacktest: vector ${secondsText(first.roivector)}; map ${secondsText(first.hashmap)}`,
      ...verdictOf(first.ours, [first.hashmap, first.roivector], 1),
    },
    ...(await warmHftbacktest(plays, { ours, peer: peer.warm, theirs })),
  ];
}

/** Measures in processes that have played the recording before, from the opening of the file. */
async function warmHftbacktest(
  { recording, made, bot, rule }: Plays,
  { ours, peer, theirs }: { ours: Player; peer: Player; theirs: HftPlay },
): Promise<readonly Row[]> {
  const traded = { bot: await bot(ours), rule: await rule(ours), theirs: await theirs(peer, 'roivector') };
  const took = await leastSeconds(
    {
      rule: () => rule(ours),
      bot: () => bot(ours),
      usual: () => bot(ours, DEFAULT_LOOKS),
      hashmap: () => theirs(peer, 'hashmap'),
      roivector: () => theirs(peer, 'roivector'),
      memory: () => theirs(peer, 'memory'),
    },
    { rounds: 5, warmUp: Math.max(MIN_WARM_UP, Math.ceil(WARM_UP_ROWS / made.rows)) },
  );
  const books = [took.hashmap, took.roivector];
  const acting = Object.entries(traded.bot.findings).filter(([, count]) => count > 0);
  console.error(
    `  our guards acted: ${acting.map(([guard, count]) => `${guard} ${count}`).join(', ') || 'never'}; ${traded.bot.turns} turns`,
  );
  return [
    {
      name: `peers: ${recording.name}, the same work, once more in the same process`,
      figure: secondsText(took.rule),
      baseline: `hftbacktest: vector ${secondsText(took.roivector)}; map ${secondsText(took.hashmap)}; in memory ${secondsText(took.memory)}`,
      ...verdictOf(took.rule, books, 1),
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
      figure: `${secondsText(took.bot)}; with all the usual looks ${secondsText(took.usual)}; ${tradedText(traded.bot)}`,
      baseline: '',
      ...verdictOf(took.bot, books, recording.aim),
    },
  ];
}

/** NautilusTrader from its catalog, and with the events of the catalog in memory, which its later plays have. */
async function besideNautilus(plays: Plays, { ours, peer }: Stage): Promise<readonly Row[]> {
  const { made, recording, command, bot } = plays;
  const { priceDecimals, sizeDecimals } = made.header.market;
  const request = { ...theirRule(plays), priceDecimals, sizeDecimals, deposit: DEPOSIT, catalog: `${made.tape}.catalog` };
  await askAlone(peer.start(), (player) => player.ask({ ...request, do: 'convert', parquet: made.parquet }));
  const theirs = (player: Player, way: 'catalog' | 'memory') => player.ask<Traded>({ ...request, do: 'run', way });
  const first = await leastSeconds(
    {
      ours: command,
      theirs: () => askAlone(peer.start(), (player) => theirs(player, 'catalog')),
    },
    { rounds: 3 },
  );
  for (let rows = 0; rows < WARM_UP_ROWS; rows += made.rows) await bot(ours); // its compiled code may have been dropped while it was idle
  const later = await leastSeconds(
    { ours: () => bot(ours), theirs: () => theirs(peer.warm, 'memory') },
    { rounds: 5, warmUp: MIN_WARM_UP },
  );
  const name = `peers: ${recording.name}, the whole bot`;
  return [
    {
      name: `${name}, from the command to the result`,
      figure: secondsText(first.ours),
      baseline: `NautilusTrader ${secondsText(first.theirs)}`,
      ...verdictOf(first.ours, [first.theirs], NAUTILUS_AIM),
    },
    {
      name: `${name}, once more in the same process`,
      figure: secondsText(later.ours),
      baseline: `NautilusTrader, in memory ${secondsText(later.theirs)}`,
      ...verdictOf(later.ours, [later.theirs], NAUTILUS_AIM),
    },
    {
      name: `${name}, traded`,
      figure: tradedText(await bot(ours)),
      baseline: `NautilusTrader: ${tradedText(await theirs(peer.warm, 'memory'))}`,
      ratio: '',
      aim: '',
      met: undefined,
    },
  ];
}

/** Compared with the fastest of theirs. */
function verdictOf(ours: number | undefined, theirs: readonly (number | undefined)[], aim: number): Pick<Row, 'ratio' | 'aim' | 'met'> {
  const ratio = Math.min(...theirs.map((seconds) => seconds ?? Number.NaN)) / (ours ?? Number.NaN);
  return { ratio: times(ratio), aim: `at least ${aim}×`, met: ratio >= aim };
}

const secondsText = (seconds = Number.NaN): string => `${seconds.toFixed(2)} s`;

/** The position is rounded, because theirs is a sum of doubles. */
const tradedText = ({ fills, volume, position }: Traded): string =>
  `${fills} fills, volume ${volume.toFixed(0)}, position ${Math.round(position * 1e6) / 1e6 + 0}`;
