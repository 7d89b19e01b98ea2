// The two sides of the comparison, each a process that answers line by line. What is of Python runs in an environment outside the project.
import { execFile, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const PEER = join(import.meta.dirname, 'peer.py');
const OURS = join(import.meta.dirname, 'ours.ts');

const execute = promisify(execFile);

export const peerPython = (): Promise<string> => pythonWith(['hftbacktest==2.4.4'], ['hftbacktest', 'polars']);

/**
 * Returns the Python of the environment in `PEERS_VENV`, or of one kept in the temporary folder, with these packages installed. Rejects if they
 * cannot be installed.
 */
export async function pythonWith(packages: readonly string[], modules: readonly string[]): Promise<string> {
  const folder = process.env['PEERS_VENV'] ?? join(tmpdir(), 'tickwright-peers-venv');
  const python = join(folder, 'bin', 'python');
  const works = (): Promise<unknown> => execute(python, ['-c', `import ${modules.join(', ')}`], { cwd: folder });
  try {
    await works();
  } catch {
    console.error(`  installing ${packages.join(', ')} in ${folder} …`);
    await execute('python3', ['-m', 'venv', folder]);
    await execute(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    await works();
  }
  return python;
}

export interface Player {
  ask<Answer>(request: object): Promise<Answer>;
  close(): void;
}

export const startPeer = (python: string): Player => startPlayer(python, [PEER]);
/** `options` of Node: those of a sweep's processes for one that plays many times. */
export const startOurs = (options: readonly string[] = []): Player =>
  startPlayer(process.execPath, [...options, '--import', './src/base/load-typescript.mjs', OURS]);

/** Requests are answered in order. They reject if the process ends first. */
function startPlayer(program: string, args: readonly string[]): Player {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask<Answer>(request: object): Promise<Answer> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { done, value } = await answers.next();
      if (done === true) throw new Error(`${program} has ended; what it said stands above`);
      return JSON.parse(value) as Answer;
    },
    close: () => child.stdin.end(),
  };
}
