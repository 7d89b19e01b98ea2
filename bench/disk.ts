// What a run keeps on disk: hours of the grid on virtual time in a real state directory, with restarts, and a projection to 30 days.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '../src/base/clock.ts';
import { walletOf } from '../src/base/keys/key.ts';
import { newSecretKey } from '../src/base/wire/ed25519.ts';
import { openStateDirectory } from '../src/bot/run/state/state.ts';
import { loadStrategy } from '../src/bot/strategy/loading/loader.ts';
import { LISTED_MARKETS } from '../src/embedded/exchange/state/listing.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { driven } from '../test/driven.ts';
import { inProcessTransport } from '../test/in-process.ts';
import { latencies, livelyExchange, START, startBot } from '../test/replay/virtual-run.ts';
import type { Row } from './measure.ts';

const HOURS = Number(process.env['HOURS'] ?? '24');
/** Each process of the run lasts this many hours; then the next one continues from its state. */
const PROCESS_HOURS = 8;
const HOUR = 3_600_000;
const MONTH_HOURS = 30 * 24;
/** Bytes are measured, not the speed of a disk: in memory where that is possible, the hours pass in two thirds of the time. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
/** Bytes of 30 days by default. */
const AIM = 500e6;
/** Recordings of turns of one run, together. */
const RECORDINGS = 256 * 2 ** 20;

export async function disk(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(FOLDER, 'disk-'));
  try {
    const after = await runFor(directory);
    const hours = HOURS;
    const monthly = (bytes: number): number => (bytes / hours) * MONTH_HOURS;
    const turns = Math.min(monthly(after.turns), RECORDINGS);
    const total = turns + after.journal + after.other;
    return [
      row(`journal after ${hours} h and ${Math.ceil(hours / PROCESS_HOURS)} processes`, after.journal, undefined),
      row('recordings of turns, an hour', after.turns / hours, undefined),
      row('recordings, 30 days without their limit', monthly(after.turns), undefined),
      row('all, 30 days with the limits', total, AIM),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function row(name: string, bytes: number, aim: number | undefined): Row {
  const figure = megabytes(bytes);
  return {
    name,
    figure,
    baseline: '',
    ratio: '',
    aim: aim === undefined ? '' : megabytes(aim),
    met: aim === undefined ? undefined : bytes <= aim,
  };
}

interface Bytes {
  readonly journal: number;
  readonly turns: number;
  readonly other: number;
}

/** Every process but the first begins from what the one before it left; its orders are settled at the end of each. */
async function runFor(directory: string): Promise<Bytes> {
  const seed = 'disk';
  const clock = new VirtualClock(START);
  const schema = bundledSchema();
  const embedded = await livelyExchange(clock, seed, LISTED_MARKETS);
  const { strategy } = await loadStrategy('grid');
  const wallet = walletOf(newSecretKey());
  const began = performance.now();
  while (clock.now() < START + HOURS * HOUR) {
    const until = Math.min(START + HOURS * HOUR, clock.now() + PROCESS_HOURS * HOUR);
    const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) });
    const state = openStateDirectory(directory, { clock, started: new Date(clock.now()).toISOString().replace(/[-:.]/g, '') });
    const { venue, trading } = await driven(
      clock,
      startBot({ transport, clock, seed, strategy, state, schema, wallet, exchange: 'hosted' }),
    );
    clock.at(until, () => trading.run.stop('the end of the process'));
    const ending = await driven(clock, trading.run.done);
    if (ending.kind !== 'settled') throw new Error(`the run ended ${ending.kind}`);
    await venue.gateway.close();
    state.close();
    const { journal, turns } = bytesIn(directory);
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.error(`  ${(clock.now() - START) / HOUR} h: journal ${megabytes(journal)}, recordings ${megabytes(turns)}, ${seconds} s`);
  }
  await embedded.close();
  return bytesIn(directory);
}

function bytesIn(directory: string): Bytes {
  const sum = (pattern: RegExp): number =>
    readdirSync(directory)
      .filter((name) => pattern.test(name))
      .reduce((bytes, name) => bytes + statSync(join(directory, name)).size, 0);
  return { journal: sum(/^journal-\d/), turns: sum(/^turns-/), other: sum(/^(?!journal-\d|turns-)/) };
}
