// Runs backtests from a file in its own process and sends their duration and its maximum memory to the parent process.
import { readFileSync } from 'node:fs';
import { openTape } from '../src/embedded/tape/reader.ts';
import { median } from './measure.ts';
import { type PlayedAlone, play, ROUNDS } from './replay.ts';

async function played(): Promise<number> {
  const tape = await openTape(process.argv[2] ?? '');
  const { seconds } = await play(tape);
  await tape.close();
  return seconds;
}

/**
 * The maximum resident memory of this process, in MB. The figure of `getrusage` is at least that of the parent process when it started this one, so
 * it is read only where Linux does not show ours.
 */
function peakMegabytes(): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024;
  } catch {
    return process.resourceUsage().maxRSS / 1_024;
  }
}

const first = await played();
const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round++) rounds.push(await played());
const result: PlayedAlone = { first, seconds: median(rounds), megabytes: peakMegabytes() };
process.send?.(result);
