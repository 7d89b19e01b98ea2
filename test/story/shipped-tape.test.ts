// The tape that comes along: made again by the command that stands beside it, and good for a first backtest.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { openTape } from '../../src/tape/reader.ts';
import { FakeHost } from '../unit/cli/fake-host.ts';

const SHIPPED = 'backtest-data/btcusdc-1h.tape';

test('the command in its header makes it again, byte for byte', async () => {
  const tape = await openTape(SHIPPED);
  await tape.close();
  const { command = '', seed } = tape.header.made ?? {};
  expect(command).toBe(`bot record --markets BTCUSDC --for 3600s --seed ${seed}`);
  const again = join(mkdtempSync(join(tmpdir(), 'shipped-')), 'again.tape');
  const host = new FakeHost();
  expect(await runProgram([...command.split(' ').slice(1), '--out', again], host)).toBe(0);
  expect(readFileSync(again).equals(readFileSync(SHIPPED)), 'the embedded market moves otherwise now: make the tape again').toBe(true);
});
