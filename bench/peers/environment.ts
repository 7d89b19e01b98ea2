// The sides of the comparisons, each a process that answers line by line. Each peer runs in a Python environment of its own, outside the project.
import { execFile, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { messageOf } from '../../src/base/errors.ts';

interface Peer {
  readonly script: string;
  readonly packages: readonly string[];
  /** Imported to see whether the packages are installed. */
  readonly modules: readonly string[];
}

const CANDLES = { script: 'candles.py' } as const;
const PANDAS = ['pandas==3.1.1', 'numpy==2.4.6'];

export const PEERS = {
  hftbacktest: {
    script: 'peer.py',
    packages: ['hftbacktest==2.4.4', 'numba==0.68.1', 'numpy==2.2.6', 'polars==2.1.0'],
    modules: ['hftbacktest', 'polars'],
  },
  NautilusTrader: {
    script: 'nautilus.py',
    packages: ['nautilus_trader==1.221.0', 'pandas==2.3.3', 'numpy==2.4.6', 'pyarrow==26.0.1'],
    modules: ['nautilus_trader'],
  },
  'backtesting.py': { ...CANDLES, packages: ['backtesting==0.6.6', ...PANDAS], modules: ['backtesting'] },
  backtrader: { ...CANDLES, packages: ['backtrader==1.9.78.123', ...PANDAS], modules: ['backtrader', 'pandas'] },
  vectorbt: { ...CANDLES, packages: ['vectorbt==1.2.0', 'numba==0.68.1', ...PANDAS], modules: ['vectorbt'] },
  pandas: { ...CANDLES, packages: PANDAS, modules: ['pandas'] },
} satisfies Readonly<Record<string, Peer>>;

export type PeerName = keyof typeof PEERS;

const OURS = join(import.meta.dirname, 'ours.ts');
const execute = promisify(execFile);

/** Starts a process of the peer. */
export type StartPeer = () => Player;

/**
 * Returns how to start the peer from the environment that is kept for it in the folder `PEERS_VENV`, or in the temporary folder; its packages are
 * installed if they are missing. Undefined, and the reason on standard error, if they cannot be installed.
 */
export async function installedPeer(name: PeerName): Promise<StartPeer | undefined> {
  const { script, packages, modules }: Peer = PEERS[name];
  const folder = join(process.env['PEERS_VENV'] ?? join(tmpdir(), 'tickwright-peers'), packages[0]!.replace('==', '-'));
  const python = join(folder, 'bin', 'python');
  const works = (): Promise<unknown> => execute(python, ['-c', `import ${modules.join(', ')}`], { cwd: folder });
  try {
    await works().catch(async () => {
      console.error(`  installing ${packages.join(', ')} in ${folder} …`);
      await execute('python3', ['-m', 'venv', folder]);
      await execute(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
      await works();
    });
  } catch (error) {
    console.error(`  without ${name}, which cannot be installed: ${messageOf(error).trim().split('\n').at(-1)}`);
    return undefined;
  }
  return () => startPlayer(python, ['-W', 'ignore', join(import.meta.dirname, script)]);
}

/** `options` of Node: those of a sweep's processes for one that plays many times. */
export const startOurs = (options: readonly string[] = []): Player =>
  startPlayer(process.execPath, [...options, '--import', './src/base/load-typescript.mjs', OURS]);

/** `seconds` of CPU, all threads of the process, since the answer before, or since its start. */
export type Timed<Answer> = Answer & { readonly seconds: number };

export interface Player {
  ask<Answer>(request: object): Promise<Timed<Answer>>;
  close(): void;
}

/** Requests are answered in order, each with the CPU seconds of the process so far. They reject if the process ends first. */
function startPlayer(program: string, args: readonly string[]): Player {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let before = 0;
  return {
    async ask<Answer>(request: object): Promise<Timed<Answer>> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { done, value } = await answers.next();
      if (done === true) throw new Error(`${program} has ended; what it said stands above`);
      const { cpu, ...answer } = JSON.parse(value) as Answer & { readonly cpu: number };
      const seconds = cpu - before;
      before = cpu;
      return { ...(answer as Answer), seconds };
    },
    close: () => child.stdin.end(),
  };
}

/** Asks a new process and ends it: what a user waits for. */
export async function askAlone<Answer>(player: Player, ask: (player: Player) => Promise<Answer>): Promise<Answer> {
  const answer = await ask(player);
  player.close();
  return answer;
}

type Play = () => Promise<{ readonly seconds: number }>;

/**
 * Plays all in alternating rounds, and returns the least CPU seconds of each: other work of the machine only adds. The first `warmUp` rounds do not
 * count. Plays that are undefined have no result.
 */
export async function leastSeconds<Name extends string>(
  plays: Readonly<Partial<Record<Name, Play | undefined>>>,
  { rounds, warmUp = 0 }: { rounds: number; warmUp?: number },
): Promise<Readonly<Partial<Record<Name, number>>>> {
  const least: Partial<Record<Name, number>> = {};
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of Object.keys(plays) as Name[]) {
      const taken = await plays[name]?.();
      if (taken !== undefined && round >= 0) least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, taken.seconds);
    }
    if (round >= 0) console.error(`  ${round + 1} of ${rounds}: ${JSON.stringify(least)}`);
  }
  return least;
}
