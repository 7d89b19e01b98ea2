// A bot that trades through the foreign local process on virtual time, to the end of its run, and what the process then says.
import { VirtualClock } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Transport } from '../../../src/base/transport.ts';
import { connectLocal, type FlagsAs } from '../../../src/exchange/local/connect.ts';
import type { Line } from '../../../src/report/accounting/lines.ts';
import type { Summary } from '../../../src/report/accounting/summary.ts';
import type { Ending } from '../../../src/run/core/run.ts';
import { stopAfter } from '../../../src/run/core/trading.ts';
import { memoryState } from '../../../src/run/state/state.ts';
import { loadStrategy } from '../../../src/strategy/loading/loader.ts';
import { driven } from '../../driven.ts';
import type { Trade } from '../../foreign/deals.ts';
import type { Request } from '../../foreign/http.ts';
import type { LoggedCommand } from '../../foreign/local/desk.ts';
import { type Control, type ForeignProcess, type GodView, startForeignProcess } from '../../foreign/local/process.ts';
import type { Rows } from '../../foreign/local/rows.ts';
import type { ProcessSettings } from '../../foreign/local/settings.ts';
import { DEFAULTS, latencies, START, tradeAt } from '../../replay/virtual-run.ts';
import { lineTo } from './foreign-process.ts';

const SECONDS = 30;
const SEED = 'foreign';
/** Less often than by default: so many runs take their time. */
const POLLING = { ...DEFAULTS.polling, orderBookMs: 1_000, accountMs: 2_000, fillsMs: 2_000, tradesMs: 5_000, liveMs: 2_000 };
/** Longer than any cancel of the process is queued, and any reply is on its way. */
const AFTERWARDS_MS = 5_000;

export interface LocalSetting {
  readonly rows: Rows;
  readonly settings?: Partial<ProcessSettings>;
  readonly flagsAs?: FlagsAs;
  /** `grid` by default. */
  readonly strategy?: string;
  /** `BTCUSDC` by default. */
  readonly market?: string;
  /** What happens to the process, by the second after the start. */
  readonly meanwhile?: Readonly<Record<number, (control: Control) => void>>;
}

export interface Played {
  readonly ending: Ending;
  readonly summary: Summary;
  readonly lines: readonly Line[];
  readonly warned: readonly string[];
  /** The truth, a few seconds after the end. */
  readonly state: GodView;
  /** Of the account, the oldest first. */
  readonly trades: readonly Trade[];
  /** What arrived between two seconds after the start. */
  sentBetween(from: number, to: number): readonly LoggedCommand[];
  /** `GET /account`: all that was ever asked for. */
  readonly asked: readonly string[];
}

/** For 30 s. Rejects where the bot cannot connect. */
export async function playLocal({
  rows,
  settings = {},
  flagsAs,
  strategy: name = 'grid',
  market = 'BTCUSDC',
  meanwhile = {},
}: LocalSetting): Promise<Played> {
  const clock = new VirtualClock(START);
  const foreign = await startForeignProcess({ rows, settings, seed: SEED, now: () => clock.now() });
  for (const [second, happens] of Object.entries(meanwhile)) clock.at(START + Number(second) * 1_000, () => happens(foreign.control));
  const warned: string[] = [];
  const log = { info: () => undefined, warn: (line: string) => void warned.push(line) };
  const options = { transport: signingLine(foreign, clock), clock, rng: rngFrom(SEED), polling: POLLING, log, flagsAs };
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
    return { ending, summary, lines: memory.lines, warned, ...truthOf(foreign) };
  } finally {
    await foreign.close();
  }
}

function truthOf({ state }: ForeignProcess): Pick<Played, 'state' | 'trades' | 'sentBetween' | 'asked'> {
  const { account, requests, trades, commands } = state;
  const ours = trades.filter(({ takerId, makerId }) => takerId === account.id || makerId === account.id);
  const sentBetween = (from: number, to: number) => commands.filter(({ at }) => at >= START + from * 1_000 && at < START + to * 1_000);
  return { state, trades: ours, sentBetween, asked: [...requests.keys()] };
}

/** What is to be signed takes its time, there and back, so that the market has moved when it arrives. */
function signingLine(foreign: ForeignProcess, clock: VirtualClock): Transport {
  const delays = rngFrom(SEED).fork('signing');
  const answer = (request: Request) => {
    const outcome = foreign.handle(request);
    return typeof outcome === 'string' ? undefined : outcome;
  };
  const lineOf = (latencyMs: () => number): Transport => lineTo(answer, { clock, latencyMs });
  const [reads, deeds] = [lineOf(latencies(SEED)), lineOf(() => 600 + delays.below(1_600))];
  return {
    request: (request, limits) => (request.method === 'GET' ? reads : deeds).request(request, limits),
    close: () => reads.close(),
  };
}
