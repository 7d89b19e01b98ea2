// The inputs of two rows of growth: the state directory of a run that traded for days, and a recording of turns with many events.
import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { VirtualClock } from '../src/base/clock.ts';
import { timeText } from '../src/base/text/duration.ts';
import type { FillLine, OrderLine } from '../src/bot/accounting/lines.ts';
import type { Side } from '../src/bot/domain/book.ts';
import type { SealedAction } from '../src/bot/exchange/kit/sending/outgoing.ts';
import type { LossesSeen } from '../src/bot/run/state/entries.ts';
import { openStateDirectory } from '../src/bot/run/state/state.ts';
import { boundedLog } from '../src/program/process/log-file.ts';
import { PROGRAM, ROOT } from './cpu-time.ts';
import { recordedGrid } from './turns.ts';

const MINUTE = 60_000;
const MINUTES_A_DAY = 24 * 60;
/** In millionths of the quote token. */
const FEE = 6_000;

/** The command that starts a run in a state directory and ends it after a second. */
export const shortRun = (directory: string): readonly string[] => ['run', '--strategy', 'grid', '--state', directory, '--for', '1s'];

/**
 * Makes the state directory of a run: a short one, before which it traded for `days`. In each minute two orders are placed; one is filled, the other
 * cancelled. A process lasts a day.
 */
export function stateOfDays(days: number, directory: string, env: NodeJS.ProcessEnv): void {
  execFileSync(process.execPath, [...PROGRAM, ...shortRun(directory)], { cwd: ROOT, env, stdio: 'ignore' });
  const now = Date.now();
  const events = boundedLog(join(directory, 'events.jsonl'));
  for (let day = 0; day < days; day++) {
    const clock = new VirtualClock(now - (days - day) * MINUTES_A_DAY * MINUTE);
    const state = openStateDirectory(directory, { clock, started: timeText(clock.now()).replaceAll(/[-:.]/g, '') });
    for (let minute = 0; minute < MINUTES_A_DAY; minute++) {
      clock.advanceTo(clock.now() + MINUTE);
      const { placed, sealed, opened, ended } = ofMinute(day * MINUTES_A_DAY + minute, clock.now());
      state.append(placed, 'more');
      state.recordActions(sealed);
      state.append(opened);
      state.append(minute % 2 === 0 ? ended : [...ended, lossesAfter(day * MINUTES_A_DAY + minute, clock.now())]);
      for (const line of [...placed, ...opened, ...ended]) events.write(`${JSON.stringify(line)}\n`);
    }
    state.close();
  }
}

interface Minute {
  readonly placed: readonly OrderLine[];
  readonly sealed: readonly SealedAction[];
  readonly opened: readonly OrderLine[];
  readonly ended: readonly (OrderLine | FillLine)[];
}

function ofMinute(minute: number, now: number): Minute {
  const at = timeText(now);
  const lineOf = (side: Side, index: number): OrderLine => {
    const clientOrderId = String(1_000_000 + 2 * minute + index);
    return {
      kind: 'order',
      at,
      market: 'BTCUSDC',
      clientOrderId,
      side,
      price: '60000.0',
      size: '0.0010',
      fillMode: 'POST_ONLY',
      status: 'placed',
    };
  };
  const placed = minute % 2 === 0 ? [lineOf('bid', 0), lineOf('ask', 1)] : [lineOf('ask', 0), lineOf('bid', 1)];
  const opened = placed.map((line, index): OrderLine => ({ ...line, orderId: String(2 * minute + index + 1), status: 'open' }));
  const [filled, cancelled] = opened as [OrderLine, OrderLine];
  const { status: _, fillMode: __, ...trade } = filled;
  const fill: FillLine = {
    ...trade,
    kind: 'fill',
    fee: String(FEE / 1e6),
    role: 'maker',
    orderId: String(2 * minute + 1),
    tradeId: String(minute),
  };
  const sealed = placed.map(
    ({ clientOrderId }): SealedAction => ({
      action: 'place',
      clientOrderId,
      timestamp: Math.floor(now / 1_000),
      body: Buffer.alloc(120, minute),
    }),
  );
  return {
    placed,
    sealed,
    opened,
    ended: [{ ...filled, status: 'filled' }, fill, { ...cancelled, status: 'cancelled', reason: 'cancelled by us' }],
  };
}

/** What the loss limits know after a fill that closed the position: a run writes it about once a minute. Each fill paid `FEE`. */
function lossesAfter(minute: number, now: number): LossesSeen {
  const [cash, zero] = [-FEE * (minute + 1), { dayOpening: 0, hourOpening: 0, peak: 0 }];
  const [day, hour] = [Math.floor(now / (MINUTES_A_DAY * MINUTE)), Math.floor(now / (60 * MINUTE))];
  return {
    kind: 'losses',
    at: timeText(now),
    day,
    hour,
    hours: [],
    stopped: [],
    ...zero,
    last: cash,
    cash,
    profit: cash,
    held: {},
    costs: {},
  };
}

const EVENTS_A_SECOND = 14;

/** Writes the recording of a run of the grid with about so many events. */
export async function recordingOf(events: number, file: string): Promise<void> {
  const lines = await recordedGrid((events / EVENTS_A_SECOND) * 1_000);
  writeFileSync(file, '');
  for (let at = 0; at < lines.length; at += 1_000) appendFileSync(file, gzipSync(`${lines.slice(at, at + 1_000).join('\n')}\n`));
}
