// The shipped tape: the command in its header creates its rows.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Rows } from '../../../src/embedded/rows/rows.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import { runProgram } from '../../../src/program/program.ts';
import { FakeHost } from '../../unit/cli/fake-host.ts';

const SHIPPED = 'backtest-data/btcusdc-1h.tape';

/** Compares block by block without the last, which ends elsewhere in a shorter recording. */
async function* wholeBlocks(file: string): AsyncGenerator<Rows> {
  const tape = await openTape(file);
  let left = Math.floor(tape.facts.rows / 65_536);
  try {
    for await (const rows of tape.blocks()) if (left-- > 0) yield rows;
  } finally {
    await tape.close(); // also if the caller reads only the first blocks
  }
}

test('the command in its header creates its first minutes again, row by row', async () => {
  const tape = await openTape(SHIPPED);
  await tape.close();
  const { header, facts } = tape;
  expect(header.fundingIntervalMs).toBe(3_600_000);
  const { command = '', seed = '' } = header.made ?? {};
  expect([facts.rows, command]).toEqual([672_538, `bot record --markets BTCUSDC --for 3600s --seed ${seed}`]);
  const again = join(mkdtempSync(join(tmpdir(), 'shipped-')), 'again.tape');
  const words = command.replace('3600s', '360s').split(' ').slice(1);
  expect(await runProgram([...words, '--out', again], new FakeHost())).toBe(0);
  const shipped = wholeBlocks(SHIPPED);
  let blocks = 0;
  for await (const rows of wholeBlocks(again)) {
    expect((await shipped.next()).value, 'the embedded market moves otherwise now: make the tape again').toEqual(rows);
    blocks++;
  }
  await shipped.return(undefined);
  expect(blocks).toBeGreaterThan(0);
});
