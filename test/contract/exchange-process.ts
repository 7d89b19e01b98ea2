// Starts the embedded exchange as a process, reads its first line and stops it.
import { type ChildProcess, spawn } from 'node:child_process';
import { BUILT_MAIN } from '../process/program.ts';

export interface ExchangeProcess {
  /** The first line of output, which contains the addresses. */
  readonly ready: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

const ROOT = new URL('../..', import.meta.url);

/** `node`: options of the runtime. `bot`: options of `bot exchange`. */
export async function startExchangeProcess({
  node = [],
  bot,
}: {
  node?: readonly string[];
  bot: readonly string[];
}): Promise<ExchangeProcess> {
  const args = [...node, BUILT_MAIN, 'exchange', '--seed', 'contract', '--json', ...bot];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready: unknown = JSON.parse(await firstLine(child));
  if (!isReady(ready)) throw new Error(`the first line should be {"kind":"ready",…}, is ${JSON.stringify(ready)}`);
  return {
    ready,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Returns the address of an API from the first line. */
export function addressOf(api: 'hosted' | 'local', { ready }: ExchangeProcess): string {
  const url = ready[api];
  if (typeof url !== 'string') throw new Error(`the first line should name "${api}", is ${JSON.stringify(ready)}`);
  return url;
}

/** Returns the first line of standard output. Rejects with the text of standard error if the process exits before it. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, errorOutput] = ['', ''];
    child.stderr?.on('data', (chunk: Buffer) => {
      errorOutput += chunk.toString();
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const end = output.indexOf('\n');
      if (end !== -1) resolve(output.slice(0, end));
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`exit code ${code} before it was ready: ${errorOutput}`)));
  });
}

const isReady = (line: unknown): line is ExchangeProcess['ready'] =>
  typeof line === 'object' && line !== null && 'kind' in line && line.kind === 'ready';
