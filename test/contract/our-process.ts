// Our own exchange as a process of its own: what its first line says, and how it is ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { BUILT_MAIN } from '../process/program.ts';

export interface OurProcess {
  /** The line in which it says where it is. */
  readonly ready: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

const ROOT = new URL('../..', import.meta.url);

/** `node` are options of the runtime, `bot` those of `bot exchange`. */
export async function startOurs({ node = [], bot }: { node?: readonly string[]; bot: readonly string[] }): Promise<OurProcess> {
  const args = [...node, BUILT_MAIN, 'exchange', '--seed', 'contract', '--json', ...bot];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready: unknown = JSON.parse(await firstLine(child));
  if (!isReady(ready)) throw new Error(`the first line should be {"kind":"ready",…}, is ${JSON.stringify(ready)}`);
  return {
    ready,
    stop: () => {
      child.kill('SIGTERM');
      return gone;
    },
  };
}

/** The address that the first line gives a surface. */
export function addressOf(surface: 'hosted' | 'local', { ready }: OurProcess): string {
  const url = ready[surface];
  if (typeof url !== 'string') throw new Error(`the first line should name "${surface}", is ${JSON.stringify(ready)}`);
  return url;
}

/** Of standard output; rejects with what was said on standard error when the process ends before it. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, complaint] = ['', ''];
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const end = output.indexOf('\n');
      if (end !== -1) resolve(output.slice(0, end));
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`exit code ${code} before it was ready: ${complaint}`)));
  });
}

const isReady = (line: unknown): line is OurProcess['ready'] =>
  typeof line === 'object' && line !== null && 'kind' in line && line.kind === 'ready';
