// Exchanges that the hosted surface's contract is asked of: ours as a process of its own, and the foreign one as a check of the suite.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ForeignClient } from '../foreign/client.ts';
import { startForeignExchange } from '../foreign/exchange.ts';
import type { Numbering } from '../foreign/numbering.ts';

export interface Target {
  readonly client: ForeignClient;
  stop(): Promise<void>;
}

export interface TargetKind {
  readonly name: string;
  readonly numbering: Numbering;
  readonly start: () => Promise<Target>;
}

const ROOT = new URL('../..', import.meta.url);
const LIVE_SCHEMA = fileURLToPath(new URL('../foreign/live.proto', import.meta.url));

export const TARGETS: readonly TargetKind[] = [
  { name: 'our exchange', numbering: 'document', start: () => ourExchange('document') },
  { name: 'our exchange on another schema', numbering: 'live', start: () => ourExchange('live', '--schema', LIVE_SCHEMA) },
  { name: 'the foreign exchange', numbering: 'document', start: () => foreignExchange('document') },
  { name: 'the foreign exchange on the live schema', numbering: 'live', start: () => foreignExchange('live') },
];

async function foreignExchange(numbering: Numbering): Promise<Target> {
  const exchange = await startForeignExchange({ numbering });
  return { client: new ForeignClient({ url: exchange.url, numbering }), stop: () => exchange.close() };
}

async function ourExchange(numbering: Numbering, ...options: readonly string[]): Promise<Target> {
  const args = ['--import', 'tsx', 'src/cli/main.ts', 'exchange', '--hosted-port', '0', '--seed', 'contract', '--json'];
  const child = spawn(process.execPath, [...args, ...options], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready: unknown = JSON.parse(await firstLine(child));
  if (!isReady(ready)) throw new Error(`the first line should be {"kind":"ready","hosted":…}, is ${JSON.stringify(ready)}`);
  return {
    client: new ForeignClient({ url: ready.hosted, numbering }),
    stop: () => {
      child.kill('SIGTERM');
      return gone;
    },
  };
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

const isReady = (line: unknown): line is { hosted: string } =>
  typeof line === 'object' &&
  line !== null &&
  'kind' in line &&
  line.kind === 'ready' &&
  'hosted' in line &&
  typeof line.hosted === 'string';
