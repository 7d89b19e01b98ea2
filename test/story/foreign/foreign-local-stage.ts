// Runs a bot against the foreign local process on virtual time, and returns its results with the process's own record.
import { VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Transport } from '../../../src/base/transport/transport.ts';
import type { Line } from '../../../src/bot/accounting/lines.ts';
import type { Summary } from '../../../src/bot/accounting/summary.ts';
import type { Ending } from '../../../src/bot/run/core/run.ts';
import { stopAfter } from '../../../src/bot/run/core/trading.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import { connectLocal, type LocalConnectOptions } from '../../../src/venues/local/open.ts';
import { driven } from '../../driven.ts';
import type { Request } from '../../foreign/http.ts';
import type { Differences } from '../../foreign/local/differences.ts';
import type { LoggedCommand } from '../../foreign/local/order-gateway.ts';
import { type Control, type ForeignProcess, type ObservedProcess, startForeignProcess } from '../../foreign/local/process.ts';
import type { ProcessSettings } from '../../foreign/local/settings.ts';
import type { Trade } from '../../foreign/trading.ts';
import { memoryState } from '../../memory-state.ts';
import { DEFAULTS, latencies, START, tradeAt } from '../../replay/virtual-run.ts';
import { transportTo } from './killable-process.ts';

const SECONDS = 30;
const SEED = 'foreign';
/** Polls less often than by default, because the tests play many runs. */
const POLLING = { ...DEFAULTS.polling, orderBookMs: 1_000, accountMs: 2_000, fillsMs: 2_000, tradesMs: 5_000, liveMs: 2_000 };
/** Longer than any queued cancel and any reply takes. */
const AFTERWARDS_MS = 5_000;

export interface LocalSetting {
  readonly differences: Differences;
  readonly settings?: Partial<ProcessSettings>;
  readonly flagsAs?: LocalConnectOptions['flagsAs'];
  /** `grid` by default. */
  readonly strategy?: string;
  /** `BTCUSDC` by default. */
  readonly market?: string;
  /** Changes of the process, by second after the start. */
  readonly meanwhile?: Readonly<Record<number, (control: Control) => void>>;
}

export interface Played {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly lines: readonly Line[];
  readonly warned: readonly string[];
  /** The process's own record, a few seconds after the end. */
  readonly state: ObservedProcess;
  /** Trades of the account, oldest first. */
  readonly trades: readonly Trade[];
  /** Commands that arrived between two seconds after the start. */
  sentBetween(from: number, to: number): readonly LoggedCommand[];
  /** Every method and path that was requested, such as `GET /account`. */
  readonly requested: readonly string[];
}

/** Runs the bot for 30 s. Rejects if it cannot connect. */
export async function playLocal({
  differences,
  settings = {},
  flagsAs,
  strategy: name = 'grid',
  market = 'BTCUSDC',
  meanwhile = {},
}: LocalSetting): Promise<Played> {
  const clock = new VirtualClock(START);
  const foreign = await startForeignProcess({ differences, settings, seed: SEED, now: () => clock.now() });
  for (const [second, happens] of Object.entries(meanwhile)) clock.at(START + Number(second) * 1_000, () => happens(foreign.control));
  const warned: string[] = [];
  const log = { info: () => undefined, warn: (line: string) => void warned.push(line) };
  const options = { transport: signingTransport(foreign, clock), clock, rng: rngFrom(SEED), polling: POLLING, log, flagsAs };
  try {
    const venue = await driven(clock, connectLocal({ ...options, markets: [market] }));
    const { strategy } = await loadStrategy(name);
    const memory = memoryState();
    const trading = tradeAt(venue, { clock, seed: SEED, strategy, state: memory, exchange: 'local' });
    stopAfter(trading.run, { clock, spanMs: SECONDS * 1_000 });
    const ending = await driven(clock, trading.run.done);
    await venue.gateway.close();
    const summary = trading.summary();
    await clock.drive(clock.now() + AFTERWARDS_MS);
    return { ending, summary, lines: memory.lines, warned, ...observedAfterwards(foreign) };
  } finally {
    await foreign.close();
  }
}

function observedAfterwards({ state }: ForeignProcess): Pick<Played, 'state' | 'trades' | 'sentBetween' | 'requested'> {
  const { account, requests, trades, commands } = state;
  const ours = trades.filter(({ takerId, makerId }) => takerId === account.id || makerId === account.id);
  const sentBetween = (from: number, to: number) => commands.filter(({ at }) => at >= START + from * 1_000 && at < START + to * 1_000);
  return { state, trades: ours, sentBetween, requested: [...requests.keys()] };
}

/** A transport with a long delay for write requests, so that the market has moved when they arrive. */
function signingTransport(foreign: ForeignProcess, clock: VirtualClock): Transport {
  const delays = rngFrom(SEED).fork('signing');
  const answer = (request: Request) => {
    const outcome = foreign.handle(request);
    return typeof outcome === 'string' ? undefined : outcome;
  };
  const transportOf = (latencyMs: () => number): Transport => transportTo(answer, { clock, latencyMs });
  const [reads, writes] = [transportOf(latencies(SEED)), transportOf(() => 600 + delays.below(1_600))];
  return {
    request: (request, limits) => (request.method === 'GET' ? reads : writes).request(request, limits),
    close: () => reads.close(),
  };
}
