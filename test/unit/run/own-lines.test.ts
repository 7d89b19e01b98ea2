// The lines that a run prints beside those of its turns.
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { DiskError } from '../../../src/base/files/disk.ts';
import type { Line } from '../../../src/bot/accounting/lines.ts';
import type { HealthSeen } from '../../../src/bot/domain/event.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { reasonOf } from '../../../src/bot/run/core/ending.ts';
import type { Run } from '../../../src/bot/run/core/run.ts';
import { addOwnLines } from '../../../src/bot/run/core/trading.ts';
import { lineWords } from '../../../src/program/output/words.ts';

function printed(): { readonly lines: Line[]; readonly turn: (turn: Partial<Pick<Turn, 'events' | 'health'>>) => void } {
  const [turns, out, lines] = [new Subject<Turn>(), new Subject<Line>(), [] as Line[]];
  out.subscribe((line) => lines.push(line));
  addOwnLines({ world: { now: 0, stopping: undefined }, turns } as unknown as Run, out);
  return { lines, turn: (turn) => turns.next({ events: [], ...turn } as unknown as Turn) };
}
const health = (stream: HealthSeen['stream'], healthy: boolean, reason = 'it is so'): HealthSeen => ({
  kind: 'healthSeen',
  at: 0,
  stream,
  healthy,
  reason,
});

test.each(['actions', 'clock', 'orders', 'recording', 'sessions'] as const)(
  'what no gate holds is a finding, once until it has ended: %s',
  (stream) => {
    const { lines, turn } = printed();
    turn({ health: [health(stream, true), health(stream, false, 'first')] });
    turn({ events: [health(stream, false, 'second')] });
    expect(lines).toMatchObject([{ kind: 'finding', guard: stream, verdict: 'report', reason: 'first' }]);
    turn({ health: [health(stream, true)] });
    turn({ events: [health(stream, false, 'third')] });
    expect(lines.slice(1).map(lineWords)).toEqual([`${stream} reports: third`]);
  },
);

test('a stream that a gate reads adds no line: the gate reports it', () => {
  const { lines, turn } = printed();
  turn({ events: [health('account', false)] });
  expect(lines).toEqual([]);
});

test('a run that cannot use its state directory says so, and calls it no bug', () => {
  expect(reasonOf(new DiskError('broken', 'no such file or directory'))).toBe(
    'the state directory cannot be used: no such file or directory',
  );
  expect(reasonOf(new TypeError('x is undefined'))).toBe('a bug in the program');
});
