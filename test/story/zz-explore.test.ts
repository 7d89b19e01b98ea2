import { test } from 'vitest';
import { VirtualClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { type HttpReply, type HttpRequest, type Transport, TransportError } from '../../src/base/transport.ts';
import { connectLocal } from '../../src/exchange/local/connect.ts';
import { memoryState } from '../../src/run/state.ts';
import { stopAfter } from '../../src/run/trading.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { type ForeignProcess, startForeignProcess } from '../foreign/local/process.ts';
import { AS_DOCUMENTED, ROW_NAMES, type Rows } from '../foreign/local/rows.ts';
import { DEFAULTS, driven, START, tradeAt } from '../replay/virtual-run.ts';

function transportTo(foreign: ForeignProcess, clock: VirtualClock, lat: () => number): Transport {
  const send = (request: HttpRequest, timeoutMs: number): Promise<HttpReply> =>
    new Promise((resolve, reject) => {
      const give = clock.at(clock.now() + timeoutMs, () => reject(new TransportError('noReply', 'no reply')));
      clock.at(clock.now() + lat(), () => {
        const outcome = foreign.handle(request);
        if (typeof outcome !== 'string')
          clock.at(clock.now() + lat(), () => {
            give();
            resolve(outcome);
          });
      });
    });
  return { request: (request, { timeoutMs }) => send(request, timeoutMs), close: () => Promise.resolve() };
}
const N = Number(process.env.SECONDS_ ?? 30),
  STRAT = process.env.STRAT ?? 'grid',
  LAT = Number(process.env.LAT ?? 5),
  SEED = process.env.SEED_ ?? 'foreign';
async function one(rows: Rows) {
  const clock = new VirtualClock(START);
  const foreign = await startForeignProcess({ rows, now: () => clock.now(), seed: SEED });
  const logged: string[] = [];
  const log = { info: (l: string) => void logged.push('i ' + l), warn: (l: string) => void logged.push('w ' + l) };
  const { strategy } = await loadStrategy(STRAT);
  const rng = rngFrom('lat');
  try {
    const venue = await driven(
      clock,
      connectLocal({
        transport: transportTo(foreign, clock, () => 5 + rng.below(LAT)),
        clock,
        rng: rngFrom('x'),
        polling: DEFAULTS.polling,
        log,
        markets: ['BTCUSDC'],
      }),
    );
    const state = memoryState();
    const trading = tradeAt(venue, { clock, seed: 'x', strategy, state, exchange: 'local' });
    const unk: string[] = [];
    trading.lines.subscribe((line: any) => {
      if (line.kind === 'order' && ['unknown', 'rejected'].includes(line.status)) unk.push(line.status + ' ' + line.reason);
      if (line.kind === 'finding') unk.push('F ' + JSON.stringify(line));
    });
    stopAfter(trading.run, { clock, spanMs: N * 1000 });
    const ending = await driven(clock, trading.run.done);
    const s = trading.summary();
    await venue.gateway.close();
    const ours = foreign.state.trades.filter((t) => t.takerId === 4 || t.makerId === 4);
    const takers = ours.filter((t) => t.takerId === 4).length;
    return {
      ending: ending.kind === 'failed' ? String((ending.error as Error).message) : ending,
      sec: s.seconds,
      fills: s.fills,
      real: ours.length,
      takers,
      orders: s.orders,
      open: foreign.state.orders.length,
      pos: s.positions,
      realPos: foreign.state.position(),
      fees: s.fees,
      pnl: s.pnl,
      unk: unk.slice(0, 4),
      logged,
    };
  } catch (e) {
    return { threw: String(e), logged };
  } finally {
    await foreign.close();
  }
}
test('documented', async () => {
  console.log('DOC', JSON.stringify(await one(AS_DOCUMENTED)));
});
test.each(ROW_NAMES)('%s', async (row) => {
  console.log(row, JSON.stringify(await one({ ...AS_DOCUMENTED, [row]: true })));
});
