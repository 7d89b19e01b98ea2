// The command line as a process: exit codes, standard output, standard error, signals.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BUILT_MAIN } from '../../../process/program.ts';

const ROOT = new URL('../../../..', import.meta.url);

interface ClosedOrders {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly err: string;
}

/** `onLine` is called with each line of standard output. */
function bot(args: readonly string[], onLine: (line: string, child: ChildProcess) => void = () => undefined): Promise<ClosedOrders> {
  const child = spawn(process.execPath, [BUILT_MAIN, ...args], { cwd: ROOT });
  const lines: string[] = [];
  let [rest, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString()}`.split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      onLine(line, child);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, lines, err })));
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'bot-'));
const kindOf = (line: string): string => (JSON.parse(line) as { kind: string }).kind;

describe.concurrent('exit codes', () => {
  test('2 for wrong input: one message, no stack, nothing on standard output', async () => {
    const { code, lines, err } = await bot(['--strategy', 'grid', '--set', 'params.notional=0,01', '--json']);
    expect({ code, lines, err }).toEqual({
      code: 2,
      lines: [],
      err: 'error: --set params.notional=0,01: notional "0,01" is not a decimal; write 0.01\n',
    });
  });

  test('0 after Ctrl-C: every order cancelled, and the summary last', async () => {
    const signalled = new Set<number>();
    const { code, lines } = await bot(['grid', '--state', folder(), '--seed', 'x', '--json'], (line, child) => {
      if (kindOf(line) === 'order' && signalled.size === 0) {
        signalled.add(1);
        child.kill('SIGINT');
      }
    });
    const summary = JSON.parse(lines.at(-1) ?? '') as { kind: string; orders: object };
    expect([code, summary.kind]).toEqual([0, 'summary']);
    expect(summary.orders).toMatchObject({ unknown: 0, openAtExit: 0 });
    expect(lines.map(kindOf)).toEqual(expect.arrayContaining(['ready', 'order', 'stopping']));
  });

  test('1 if the strategy throws: reported with file and line, and the summary is still last', async () => {
    const state = folder();
    const file = join(state, 'thrower.ts');
    const source = `import { defineStrategy } from '${pathToFileURL(join(ROOT.pathname, 'src/index.ts')).href}';
export default defineStrategy({
  name: 'thrower',
  defaults: { market: 'BTCUSDC' },
  create: () => () => {
    throw new Error('no more luck');
  },
});
`;
    writeFileSync(file, source);
    const { code, lines, err } = await bot(['--strategy', file, '--state', state, '--json']);
    expect([code, kindOf(lines.at(-1) ?? '')]).toEqual([1, 'summary']);
    expect(err).toContain(`error: strategy thrower failed at ${file}:6:11: no more luck\n`);
    expect(err).not.toMatch(/^\s+at /m);
  });
});
