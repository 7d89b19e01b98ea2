// One backtest from a file, in a process of its own: tells its parent how long it took and the most memory it had.
import { openTape } from '../src/tape/reader.ts';
import { play } from './replay.ts';

const tape = await openTape(process.argv[2] ?? '');
const { seconds } = await play(tape);
await tape.close();
process.send?.({ seconds, megabytes: process.resourceUsage().maxRSS / 1_024 });
