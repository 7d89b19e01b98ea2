// `bot check --exchange` on the third exchange as its author has it, in a folder of its own: all checks pass, and each planted mistake is found by the check
// that is named beside it.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { MISTAKES } from '../third-venue/mistakes.ts';
import { runCommand } from '../unit/cli/run-command.ts';
import { type Printed, startChild } from './children.ts';

const MAIN = 'src/program/main.ts';

/** Copies the adapter, its fake, and what they import. Returns the folder of the adapter. */
function copied(onTestFinished: (end: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['adapter', 'api.ts', 'exchange.ts']) cpSync(join('test/third-venue', part), join(folder, part), { recursive: true });
  return join(folder, 'adapter');
}

async function checked(
  adapter: string,
  { only = [], fake }: { only?: readonly string[]; fake?: string | undefined } = {},
): Promise<{ code: number | null; lines: readonly Printed[]; stderr: string }> {
  const chosen = [...only.flatMap((name) => ['--only', name]), ...(fake === undefined ? [] : ['--fake', join(adapter, fake)])];
  const child = startChild(['check', '--exchange', join(adapter, 'venue.ts'), '--json', ...chosen], MAIN);
  const code = await child.ended;
  return { code, lines: child.lines, stderr: child.stderrText() };
}

test('the adapter passes every check that applies', { timeout: 3 * PATIENCE_MS }, async ({ onTestFinished }) => {
  const { code, lines, stderr } = await checked(copied(onTestFinished));
  expect(lines.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(code, stderr).toBe(0);
  expect(lines[0]).toMatchObject({ kind: 'capabilities', exchange: 'third', lacks: ['spot', 'candles'] });
  expect(lines.at(-1)).toMatchObject({ kind: 'checks', exchange: 'third', passed: 52, skipped: 2, failed: 0 });
});

test('it passes on the spot market of its exchange, too', { timeout: 3 * PATIENCE_MS }, async ({ onTestFinished }) => {
  const { code, lines, stderr } = await checked(copied(onTestFinished), { fake: 'spot.fake.ts' });
  expect(lines.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(code, stderr).toBe(0);
  expect(lines.at(-1)).toMatchObject({ kind: 'checks', exchange: 'third', passed: 51, skipped: 3, failed: 0 });
});

test('the example of `new --venue` passes every check that applies', { timeout: 3 * PATIENCE_MS }, async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await runCommand(['new', join(folder, 'my-venue'), '--venue'])).toMatchObject({ code: 0 });
  const { lines, stderr } = await checked(join(folder, 'my-venue'));
  expect(lines.at(-1), stderr).toMatchObject({ kind: 'checks', exchange: 'my-venue', passed: 48, skipped: 6, failed: 0 });
});

test.each(MISTAKES)('$mistake: found by "$foundBy"', { timeout: PATIENCE_MS }, async ({ file, right, wrong, foundBy, fake }) => {
  const endings: (() => void)[] = [];
  const adapter = copied((end) => endings.push(end));
  try {
    const path = join(adapter, file);
    const parts = readFileSync(path, 'utf8').split(right);
    expect(parts.length, `"${right}" is once in ${file}`).toBe(2);
    writeFileSync(path, parts.join(wrong));
    const { code, lines, stderr } = await checked(adapter, { only: [foundBy], fake });
    expect(
      lines.filter(({ kind }) => kind === 'check'),
      stderr,
    ).toMatchObject([{ name: foundBy, verdict: 'fail' }]);
    expect(code).toBe(1);
  } finally {
    for (const end of endings) end();
  }
});
