// A fleet as a process. Runs that fail (in a turn, or in a timer before they begin) end alone; the others continue and end in order,
// within the limit over all of them.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Printed, startChild } from './children.ts';

const strategy = (name: string, body: string): string => `
  export default { name: '${name}', defaults: { market: 'BTCUSDC' }, create() { ${body} } };`;

const of = (member: string, kind: string) => (line: Printed) => line['member'] === member && line.kind === kind;

test('a run that fails ends alone', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  writeFileSync(
    join(folder, 'turn.mjs'),
    strategy('turn', `let turns = 0; return () => { if (++turns > 3) throw new Error('in a turn'); return []; };`),
  );
  writeFileSync(join(folder, 'timer.mjs'), strategy('timer', `setTimeout(() => { throw new Error('in a timer'); }, 1); return () => [];`));
  writeFileSync(
    join(folder, 'three.yaml'),
    'runs:\n  grid: { strategy: grid }\n  turn: { strategy: ./turn.mjs }\n  timer: { strategy: ./timer.mjs }\nlimits: { gross-notional: { maxNotional: 1000 } }\n',
  );
  const child = startChild(['fleet', join(folder, 'three.yaml'), '--state', join(folder, 'state'), '--json']);
  onTestFinished(async () => {
    await child.signal('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  await child.line(of('turn', 'summary'));
  const after = child.lines.length;
  await child.line((line) => of('grid', 'order')(line) && line['status'] === 'open' && child.lines.indexOf(line) > after);
  expect(child.lines.some((line) => of('grid', 'finding')(line) && line['guard'] === 'allowance')).toBe(true);
  expect(await child.signal('SIGINT')).toBe(1);
  const summary = child.lines.at(-1);
  expect(summary).toMatchObject({ kind: 'summary', fleet: 'three', failed: 2, orders: { openAtExit: 0, unknown: 0 } });
  const runs = summary?.['runs'] as readonly { member: string; result: string; summary?: { orders: { placed: number } } }[];
  expect(runs.map(({ member, result }) => [member, result])).toEqual([
    ['grid', 'done'],
    ['turn', 'failed'],
    ['timer', 'failed'],
  ]);
  expect(runs[0]?.summary?.orders.placed).toBeGreaterThan(0);
  expect(child.stderrText()).toMatch(/\[turn\] error: strategy turn failed at .*turn\.mjs.*: in a turn/);
  expect(child.stderrText()).toMatch(/\[timer\] error: strategy timer failed at .*timer\.mjs.*: in a timer/);
  expect(readdirSync(join(folder, 'state')).filter((name) => name.startsWith('three-'))).toHaveLength(3);
});
