// Hyperliquid's API of the embedded exchange on virtual time, with a faulty network, and bot processes that trade there.
import type { Observable } from 'rxjs';
import { type Clock, VirtualClock } from '../../src/base/clock.ts';
import { type Rng, rngFrom } from '../../src/base/rng.ts';
import { type Dial, type HttpReply, type HttpRequest, isRead, type Transport, TransportError } from '../../src/base/transport/transport.ts';
import type { Summary } from '../../src/bot/accounting/summary.ts';
import type { AccountId } from '../../src/bot/domain/ids.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import { connectVenue } from '../../src/bot/exchange/kit/connect.ts';
import type { Ending } from '../../src/bot/run/core/run.ts';
import { inheritedOptionsWithoutSession, startCheckOption } from '../../src/bot/run/core/venue.ts';
import { openState } from '../../src/bot/run/state/state.ts';
import type { Params } from '../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import type { World } from '../../src/bot/world/world.ts';
import type { Exchange } from '../../src/embedded/exchange/exchange.ts';
import type { ListedMarket } from '../../src/embedded/exchange/state/listing.ts';
import { REGIMES } from '../../src/embedded/exchange/traders/regimes.ts';
import type { Embedded } from '../../src/embedded/server/embedded.ts';
import { hyperliquidHolder, hyperliquidOver } from '../../src/venues/hyperliquid/open.ts';
import { driven } from '../driven.ts';
import { inProcessTransport } from '../in-process.ts';
import { DEFAULTS, embeddedOn, latencies, ONE_MARKET, QUIET, START, tradeAt } from '../replay/virtual-run.ts';
import { killableProcess } from '../story/foreign/killable-process.ts';
import { MemoryDisk } from '../unit/journal/memory-disk.ts';
import { approveAgent, KEY, MASTER, STAND_IN } from './agent.ts';

/** Percentages of requests that are lost, lose their reply, get it late, or are answered with 429. */
export interface NetworkFaults {
  readonly lost: number;
  readonly unanswered: number;
  readonly late: number;
  readonly limited: number;
}

export const NO_FAULTS: NetworkFaults = { lost: 0, unanswered: 0, late: 0, limited: 0 };
const LIMITED = { status: 429, contentType: 'application/json', body: Buffer.from('null') };
const GRID = { market: 'BTCUSDC', spacingBps: 1, levels: 3, notional: 500, maxPositionNotional: 8_000 };
export const SPOT = 'SOLUSDC-SPOT';

export interface StageOptions {
  /** By default the perpetual that the grid trades. */
  readonly markets?: readonly ListedMarket[];
  readonly strategy?: 'grid' | 'carry';
  readonly params?: Params;
  /** True: the bots have a websocket as well. */
  readonly streams?: true;
}

export interface Finished {
  readonly ending: Ending;
  readonly summary: Summary;
}

export class HyperliquidStage {
  readonly exchange: Exchange;
  networkFaults = NO_FAULTS;
  /** Faults of actions that occurred. */
  readonly counts = { lost: 0, unanswered: 0, late: 0, limited: 0 };
  /** The cloids of all orders that reached the exchange. */
  readonly cloids: string[] = [];
  readonly #clock: VirtualClock;
  readonly #disk = new MemoryDisk();
  /** Messages of the sockets, by channel. */
  readonly pushed: Record<string, number> = {};
  readonly #sockets = new Set<() => void>();
  #isCut = false;
  readonly #seed: string;
  readonly #options: StageOptions;
  readonly #rng: Rng;
  readonly #embedded: Embedded;
  #processes = 0;

  private constructor(seed: string, { clock, embedded, options }: { clock: VirtualClock; embedded: Embedded; options: StageOptions }) {
    this.#seed = seed;
    this.#options = options;
    this.#clock = clock;
    this.#embedded = embedded;
    this.#rng = rngFrom(seed).fork('weather');
    this.exchange = embedded.exchange;
    approveAgent(embedded.hyperliquid, clock);
  }

  static async open(seed: string, options: StageOptions = {}): Promise<HyperliquidStage> {
    const clock = new VirtualClock(START);
    const { markets = ONE_MARKET } = options;
    return new HyperliquidStage(seed, { clock, options, embedded: await embeddedOn(clock, { seed, markets, regime: REGIMES.swinging }) });
  }

  /** The accounts of the agent's master: for perpetuals, and for spot if there are such markets. */
  get accounts(): readonly AccountId[] {
    return this.exchange.accountsOf(MASTER);
  }

  pass(seconds: number): Promise<void> {
    return this.#clock.drive(this.#clock.now() + seconds * 1_000);
  }

  /** Starts a new process of the run on the state directory of the previous one. */
  async bot(): Promise<{ alarms: string[]; turns: Observable<Turn>; world: World; kill(): void; stop(): Promise<Finished> }> {
    const { params = GRID } = this.#options;
    const { strategy } = await loadStrategy(this.#options.strategy ?? 'grid');
    const { kill, clock, transport } = killableProcess({ clock: this.#clock, transport: this.#line() });
    const self = { pid: ++this.#processes, started: '', boot: '' };
    const started = String(self.pid).padStart(3, '0');
    const state = openState(this.#disk, { clock, started, processes: { self, alive: () => false } });
    const client = hyperliquidOver({ url: STAND_IN, transport, clock, key: KEY, dial: this.#options.streams && this.#dial(clock) });
    const options = {
      clock,
      rng: rngFrom(`${this.#seed} ${started}`),
      polling: DEFAULTS.polling,
      markets: this.exchange.markets.map(({ symbol }) => symbol),
      log: QUIET,
    };
    const own = { ...inheritedOptionsWithoutSession({ clock, state }), ...startCheckOption({ clock, state }, hyperliquidHolder(STAND_IN)) };
    const venue = await driven(this.#clock, connectVenue(client, { ...options, ...own }));
    const trading = tradeAt(venue, { clock, seed: this.#seed, strategy, params, state, exchange: 'hyperliquid' });
    const alarms: string[] = [];
    trading.run.turns.subscribe((turn) => alarms.push(...turn.alarms.map(({ name }) => name)));
    return {
      alarms,
      turns: trading.run.turns,
      world: trading.run.world,
      kill,
      stop: async () => {
        trading.run.stop('the test ends');
        const ending = await driven(this.#clock, trading.run.done);
        await venue.gateway.close();
        return { ending, summary: trading.summary() };
      },
    };
  }

  #line(): Transport {
    const handler = (request: HttpRequest): HttpReply => {
      if (!isRead(request)) this.cloids.push(...cloidsIn(request));
      return this.#embedded.hyperliquid(request);
    };
    const line = inProcessTransport({ handler, clock: this.#clock, latencyMs: latencies(this.#seed) });
    return {
      request: async (request, limits) => {
        const fault = this.#drawFault();
        if (fault !== undefined && !isRead(request)) this.counts[fault] += 1;
        if (fault === 'limited') return LIMITED;
        if (fault === 'lost') return this.#unanswered(limits.timeoutMs, 'the request was lost');
        const reply = await line.request(request, limits);
        if (fault === 'unanswered') return this.#unanswered(limits.timeoutMs, 'the reply was lost');
        if (fault === 'late') await this.#wait(this.#rng.below(7_000));
        return reply;
      },
      close: () => line.close(),
    };
  }

  /** Cuts the sockets that are open, and refuses others from now on. */
  cutSockets(): void {
    this.#isCut = true;
    for (const cut of this.#sockets) cut();
  }

  #dial(clock: Clock): Dial {
    return ({ opened, message, closed }) => {
      let isOpen = true;
      let receive: ((text: string) => void) | undefined;
      const stop = this.#embedded.hyperliquidStreams('/ws')(
        (text) => clock.at(clock.now() + 10, () => isOpen && this.#deliver(text, message)),
        (listener) => {
          receive = listener;
        },
      );
      const close = (): void => {
        isOpen = false;
        stop();
        this.#sockets.delete(cut);
      };
      const cut = (): void => {
        close();
        closed('the socket was cut');
      };
      this.#sockets.add(cut);
      clock.at(clock.now() + 10, () => (this.#isCut ? cut() : isOpen && opened()));
      return { send: (text) => void clock.at(clock.now() + 10, () => isOpen && receive?.(text)), close };
    };
  }

  #deliver(text: string, message: (text: string) => void): void {
    const { channel } = JSON.parse(text) as { channel: string };
    this.pushed[channel] = (this.pushed[channel] ?? 0) + 1;
    message(text);
  }

  #drawFault(): keyof NetworkFaults | undefined {
    let drawn = this.#rng.next() * 100;
    for (const [fault, percent] of Object.entries(this.networkFaults) as [keyof NetworkFaults, number][]) {
      if (drawn < percent) return fault;
      drawn -= percent;
    }
    return undefined;
  }

  async #unanswered(after: number, message: string): Promise<never> {
    await this.#wait(after);
    throw new TransportError('noReply', message);
  }

  #wait(span: number): Promise<void> {
    return new Promise((resolve) => this.#clock.at(this.#clock.now() + span, resolve));
  }
}

const cloidsIn = ({ body }: HttpRequest): string[] =>
  [
    ...Buffer.from(body ?? [])
      .toString()
      .matchAll(/"c":"(0x[0-9a-f]{32})"/g),
  ].map(([, cloid = '']) => cloid);
