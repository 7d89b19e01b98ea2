// The bot on the foreign exchange over real sockets, in real time, opened as the command line does.
import { fileURLToPath } from 'node:url';
import { onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { stopAfter } from '../../../src/bot/run/core/trading.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import { openHosted } from '../../../src/venues/hosted/open.ts';
import { startForeignExchange } from '../../foreign/exchange.ts';
import { memoryState } from '../../memory-state.ts';
import { DEFAULTS, QUIET, tradeAt } from '../../replay/virtual-run.ts';
import { expectAgreement } from './expect-agreement.ts';
import { LIVE_SCHEMA, wallet } from './foreign-stage.ts';

test('the bot trades over sockets in real time with the live schema from a file', async () => {
  const foreign = await startForeignExchange({ numbering: 'live', bigIds: true });
  onTestFinished(() => foreign.close());
  const { strategy } = await loadStrategy('grid');
  const [clock, state, seed] = [systemClock, memoryState(), 'sockets'];
  const common = { clock, state, limits: {}, rng: rngFrom(seed), polling: DEFAULTS.polling, log: QUIET, markets: ['BTCUSDC'] };
  const opened = await openHosted({ ...common, url: foreign.url, wallet, schema: fileURLToPath(LIVE_SCHEMA) });
  const trading = tradeAt(opened.venue, { clock, state, seed, strategy, exchange: 'foreign' });
  stopAfter(trading.run, { clock, spanMs: 4_000 });
  const ending = await trading.run.done;
  await opened.close();
  const { actions, orders } = foreign.state;
  expectAgreement({ state: foreign.state, account: 4, actions, ownOrders: orders }, { ending, summary: trading.summary() }, { placed: 8 });
});
