// `bot parity` of a process that continues another one: its backtest starts with the same position.
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { walletOf } from '../../../src/base/keys/key.ts';
import { newSecretKey } from '../../../src/base/wire/ed25519.ts';
import { stopAfter } from '../../../src/bot/run/core/trading.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import { parityOf } from '../../../src/research/parity/parity.ts';
import { openRecordedRun } from '../../../src/research/parity/recorded-run.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { driven } from '../../driven.ts';
import { inProcessTransport } from '../../in-process.ts';
import { memoryState } from '../../memory-state.ts';
import { latencies, livelyExchange, START, startBot } from '../../replay/virtual-run.ts';
import { stateDirectoryOf } from './recorded-run.ts';

/** Runs two consecutive processes on one exchange. The first ends cleanly with a position. Returns the recording of the second. */
async function twoProcesses(
  named: string,
): Promise<{ readonly recording: readonly string[]; readonly held: boolean; readonly fills: number }> {
  const clock = new VirtualClock(START);
  const seed = 'restarted';
  const { strategy } = await loadStrategy(named);
  const embedded = await livelyExchange(clock, seed);
  const transport = inProcessTransport({ handler: embedded.hosted, clock, latencyMs: latencies(seed) });
  const common = { clock, seed, strategy, transport, schema: bundledSchema(), wallet: walletOf(newSecretKey()), exchange: 'hosted' };
  const played = async (state: ReturnType<typeof memoryState>) => {
    const { venue, trading } = await driven(clock, startBot({ ...common, state }));
    stopAfter(trading.run, { clock, spanMs: 90_000 });
    await driven(clock, trading.run.done);
    await venue.gateway.close();
    return trading.summary();
  };
  const first = memoryState();
  const { positions } = await played(first);
  const second = memoryState(first.entries);
  const before = second.lines.length;
  await played(second);
  await embedded.close();
  const fills = second.lines.slice(before).filter(({ kind }) => kind === 'fill').length;
  return { recording: second.recording, held: Object.keys(positions).length > 0, fills };
}

describe.each(['grid', 'lean-maker'])('%s', (name) => {
  test('repeats the run of its second process in a backtest', async () => {
    const { recording, held, fills } = await twoProcesses(name);
    expect(held).toBe(true);
    expect(fills).toBeGreaterThan(2);
    const run = await openRecordedRun(stateDirectoryOf(recording));
    const { processes, agreement, reasons } = await parityOf(run, { embedded: true, queues: [] });
    expect(processes[0]?.match.fills.both).toHaveLength(fills);
    expect([agreement, reasons]).toEqual([1, []]);
  });
});
