// Runs backtests from a file in its own process and sends their duration and its maximum memory to the parent process.
import { openTape } from '../src/embedded/tape/reader.ts';
import { median } from './measure.ts';
import { type PlayedAlone, play, ROUNDS } from './replay.ts';

async function played(): Promise<number> {
  const tape = await openTape(process.argv[2] ?? '');
  const { seconds } = await play(tape);
  await tape.close();
  return seconds;
}

const first = await played();
const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round++) rounds.push(await played());
const result: PlayedAlone = { first, seconds: median(rounds), megabytes: process.resourceUsage().maxRSS / 1_024 };
process.send?.(result);
