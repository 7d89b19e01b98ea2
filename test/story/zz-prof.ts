import { VirtualClock } from '../../src/base/clock.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { connectLocal } from '../../src/exchange/local/connect.ts';
import { memoryState } from '../../src/run/state.ts';
import { stopAfter } from '../../src/run/trading.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { startForeignProcess } from '../foreign/local/process.ts';
import { AS_DOCUMENTED } from '../foreign/local/rows.ts';
import { DEFAULTS, driven, START, tradeAt, QUIET } from '../replay/virtual-run.ts';
const total = {n:0, ms:0};
for (let i = 0; i < 12; i++) {
  const t0 = performance.now();
  const clock = new VirtualClock(START);
  const foreign = await startForeignProcess({ rows: AS_DOCUMENTED, now: () => clock.now() });
  const t1 = performance.now();
  let h = 0, n = 0;
  const transport = { request: (request: any) => new Promise<any>((resolve) => clock.at(clock.now() + 5, () => { const a = performance.now(); const o = foreign.handle(request); h += performance.now() - a; n++; clock.at(clock.now() + 5, () => resolve(o)); })), close: async () => {} };
  const { strategy } = await loadStrategy('grid');
  const venue = await driven(clock, connectLocal({ transport, clock, rng: rngFrom('x'), polling: DEFAULTS.polling, log: QUIET, markets: ['BTCUSDC'] }));
  const state = memoryState();
  const trading = tradeAt(venue, { clock, seed: 'x', strategy, state, exchange: 'local' });
  stopAfter(trading.run, { clock, spanMs: 30_000 });
  await driven(clock, trading.run.done);
  await venue.gateway.close();
  await foreign.close();
  console.log(i, 'start', (t1 - t0).toFixed(0), 'all', (performance.now() - t0).toFixed(0), 'handle', h.toFixed(0), 'n', n, 'turns', trading.summary().turns, [...foreign.state.requests].map(([k,v])=>k+':'+v).slice(0,30).join(' '));
}
