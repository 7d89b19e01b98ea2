// A paper run on virtual time: an exchange that is only read, and processes of the run that share a state directory.
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, VirtualClock } from '../../../src/base/clock.ts';
import { assert } from '../../../src/base/errors.ts';
import { nodeDisk } from '../../../src/base/files/node-disk.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { type Handler, type HttpReply, isRead, type Transport, TransportError } from '../../../src/base/transport/transport.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import type { Trading } from '../../../src/bot/run/core/trading.ts';
import type { OpenVenue } from '../../../src/bot/run/core/venue.ts';
import { openState, type State } from '../../../src/bot/run/state/state.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { openPaperOver } from '../../../src/embedded/paper/open.ts';
import type { PaperAssumptions, PaperOptions } from '../../../src/embedded/paper/options.ts';
import { connectCcxtFeed } from '../../../src/venues/ccxt/open.ts';
import { connectHostedFeed } from '../../../src/venues/hosted/open.ts';
import { HYPERLIQUID_CODE } from '../../../src/venues/hyperliquid/open.ts';
import { connectLocalFeed } from '../../../src/venues/local/open.ts';
import { inProcessTransport } from '../../in-process.ts';
import { DEFAULTS, latencies, QUIET, rethrow, START, tradeAt } from '../../replay/virtual-run.ts';

export { START } from '../../replay/virtual-run.ts';

const SEED = 'paper';
/** Whether the library ccxt is installed. */
export const HAS_CCXT = existsSync(new URL('../../../node_modules/ccxt', import.meta.url));
const FEEDS: Readonly<Record<PaperApi, PaperOptions['connectFeed']>> = {
  hosted: connectHostedFeed,
  local: connectLocalFeed,
  hyperliquid: HYPERLIQUID_CODE.feed,
  ccxt: (options) => connectCcxtFeed('hyperliquid', options),
};
/** `ccxt`: Hyperliquid over ccxt. */
export type PaperApi = 'hosted' | 'local' | 'hyperliquid' | 'ccxt';
const ORIGIN = { tickwright: '0.0.0', code: '', polling: DEFAULTS.polling };

export interface Process {
  readonly trading: Trading;
  readonly turns: readonly Turn[];
}

interface RunningProcess extends Process {
  readonly opened: OpenVenue;
  readonly state: State;
  readonly life: Liveness;
}

/** False after a kill. */
interface Liveness {
  over: boolean;
}

/** Returns a clock whose timers do not fire after a kill. */
const killableClock = (machine: VirtualClock, life: Liveness): Clock => ({
  now: () => machine.now(),
  skipped: () => 0,
  at: (when, run) => machine.at(when, () => (life.over ? undefined : run())),
});

export class PaperStage {
  readonly machine = new VirtualClock(START);
  /** Number of requests by method. */
  readonly methods = new Map<string, number>();
  readonly market: string;
  /** Answers instead of the exchange; undefined for its own answer. A rejection is a network failure. */
  answer: (path: string, own: () => Promise<HttpReply>) => Promise<HttpReply> = (_, own) => own();
  directory: string;
  readonly #api: PaperApi;
  #transport: Transport | undefined;
  #living: RunningProcess | undefined;

  constructor(directory: string, api: PaperApi = 'hosted') {
    this.directory = directory;
    this.#api = api;
    this.market = api === 'ccxt' ? 'BTC/USDC:USDC' : 'BTCUSDC';
  }

  /** The exchange. The test fails if a request does more than read. */
  serve(handler: Handler): void {
    const network = inProcessTransport({ handler, clock: this.machine, latencyMs: latencies(SEED) });
    this.#transport = {
      ...network,
      request: (request, limits) => {
        this.methods.set(request.method, (this.methods.get(request.method) ?? 0) + 1);
        assert(isRead(request), `the exchange was asked to ${request.method} ${request.path}`);
        return this.answer(request.path, () => network.request(request, limits));
      },
    };
  }

  /** Starts a process of the run. */
  async start(
    strategy: Strategy<Params>,
    {
      assumptions = {},
      seed = SEED,
      params = {},
      url = 'http://127.0.0.1:1',
    }: { assumptions?: PaperAssumptions; seed?: string; params?: Params; url?: string } = {},
  ): Promise<Process> {
    const { machine, directory } = this;
    const life = { over: false };
    const clock = killableClock(machine, life);
    const disk = nodeDisk(directory);
    const state = openState(disk, { clock, started: String(machine.now()), processes: ALONE });
    const options = {
      clock,
      rng: rngFrom(seed).fork('venue'),
      polling: DEFAULTS.polling,
      markets: [this.market],
      state,
      limits: DEFAULTS.limits,
      log: QUIET,
      connectFeed: FEEDS[this.#api],
      url,
      seed,
      assumptions,
      directory,
      onBug: rethrow,
    };
    const opened = await this.whileTimePasses(openPaperOver(() => this.#network(), disk, options));
    const { paced, venue } = opened;
    assert(paced !== undefined, 'a paper run has a time of its own');
    const { series: _, ...rest } = state;
    const trading = tradeAt(venue, { clock: paced.clock, seed, strategy, params, state: rest, exchange: this.#api, origin: ORIGIN });
    const turns: Turn[] = [];
    trading.run.turns.subscribe((turn) => turns.push(turn));
    this.#living = { trading: paced.begin(trading, undefined), turns, opened, state, life };
    return this.#living;
  }

  /** Advances the clock by seconds. */
  async pass(seconds: number): Promise<void> {
    await this.machine.drive(this.machine.now() + seconds * 1_000);
  }

  /** Stops the run as Ctrl-C does, and closes everything. */
  async stop(): Promise<void> {
    const { trading, opened, state } = this.#alive();
    trading.run.stop('Ctrl-C');
    await this.whileTimePasses(trading.run.done);
    await this.whileTimePasses(opened.close());
    state.close();
    this.#living = undefined;
  }

  /** Kills the process as kill -9 does. The next one continues with a copy of its present files. */
  kill(): void {
    const { life, opened } = this.#alive();
    life.over = true;
    onTestFinished(() => this.whileTimePasses(opened.close())); // a real kill closes the files of the process
    const copy = mkdtempSync(join(tmpdir(), 'paper-'));
    cpSync(this.directory, copy, { recursive: true });
    this.directory = copy;
    this.#living = undefined;
  }

  /** Advances the clock until a promise that also needs real time, such as file access, settles. */
  async whileTimePasses<T>(promise: Promise<T>): Promise<T> {
    const end = { settled: false };
    const done = (): void => {
      end.settled = true;
    };
    promise.then(done, done);
    while (!end.settled) await this.machine.drive(this.machine.now() + 20, () => end.settled);
    return promise;
  }

  #network(): Transport {
    assert(this.#transport !== undefined, 'there is no exchange yet');
    return this.#transport;
  }

  #alive(): RunningProcess {
    assert(this.#living !== undefined, 'no process runs');
    return this.#living;
  }
}

const ALONE = { self: { pid: 1, started: 'now', boot: '' }, alive: () => false };

/** Rejects as a network without a connection does. */
export const noNetwork = (): Promise<HttpReply> => Promise.reject(new TransportError('notSent', 'no network'));
