// Runs the third exchange in the simulation's smoke profile, with the simulation's faults, network, disk and processes.
import { type Millis, VirtualClock } from '../../src/base/clock.ts';
import { messageOf } from '../../src/base/errors.ts';
import { DiskError } from '../../src/base/files/disk.ts';
import { rngFrom } from '../../src/base/rng.ts';
import { type Dial, type HttpRequest, isRead } from '../../src/base/transport/transport.ts';
import type { Summary } from '../../src/bot/accounting/summary.ts';
import type { Mode } from '../../src/bot/domain/mode.ts';
import { connectVenue } from '../../src/bot/exchange/kit/connect.ts';
import { KillSwitch } from '../../src/bot/journal/kill-switch.ts';
import type { Ending } from '../../src/bot/run/core/run.ts';
import { startTrading, type Trading } from '../../src/bot/run/core/trading.ts';
import { admission, inheritedWithoutSession } from '../../src/bot/run/core/venue.ts';
import { openState } from '../../src/bot/run/state/state.ts';
import type { Params, Strategy } from '../../src/bot/strategy/contract.ts';
import { deciderOf } from '../../src/bot/strategy/decide.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import { SimDisk } from '../../src/research/simulation/environment/disk/sim-disk.ts';
import { Network } from '../../src/research/simulation/environment/network/network.ts';
import { Deaths } from '../../src/research/simulation/environment/processes/deaths.ts';
import { Killed, Life } from '../../src/research/simulation/environment/processes/life.ts';
import { ProcessTable } from '../../src/research/simulation/environment/processes/process-table.ts';
import { limitsOf } from '../../src/research/simulation/limits.ts';
import { FaultBox } from '../../src/research/simulation/plan/fault-box.ts';
import { type Fault, type FaultKind, KINDS, type Path } from '../../src/research/simulation/plan/faults.ts';
import { type Options, optionsOf, SIMULATION_START } from '../../src/research/simulation/plan/options.ts';
import { planOf } from '../../src/research/simulation/plan/plan.ts';
import { thirdClient } from './adapter/client.ts';
import { apiOf, PushHub } from './api.ts';
import { keyOf, ThirdExchange } from './exchange.ts';

export const ACCOUNT = 'bot';
const PARAMS = { market: 'BTC-PERP', spacingBps: 1, levels: 3, notional: 500, maxPositionNotional: 8_000 };
/**
 * The faults of the profile that apply to this exchange. It shows no time and has no sessions, and it refuses orders from a wrong clock. Its
 * socket would read the clock of a sleeping machine.
 */
const APPLICABLE_KINDS: ReadonlySet<string> = new Set<FaultKind>([
  ...KINDS.network,
  'restart',
  'freeze',
  'diskFull',
  'diskBroken',
  'syncFails',
  'crash',
  'crashOnCall',
  'crashBeforePost',
  'crashAfterPost',
  'crashOnReply',
  'crashInRecovery',
  'pause',
  'latch',
]);
/** As in the simulation: time to resolve unknown orders, to end a stopped run, and for the last messages to arrive. */
const LIVENESS: Millis = 120_000;
const CLOSING: Millis = 125_000;
const LAST_ARRIVALS: Millis = 125_000;

export interface SimulationResult {
  readonly exchange: ThirdExchange;
  /** Number of faults that occurred, by kind. */
  readonly struck: ReadonlyMap<FaultKind, number>;
  readonly deaths: number;
  readonly ending: Ending | undefined;
  /** Summary of the whole run, from the last process that traded. */
  readonly summary: Summary | undefined;
  readonly alarms: readonly string[];
  /** Errors of the bot, and failed starts that no planned fault explains. */
  readonly bugs: readonly string[];
}

const pathOf = (request: HttpRequest): Path => {
  if (!isRead(request)) return 'action';
  const [, , name = ''] = request.path.split(/[/?]/);
  const noun = name === 'info' ? (JSON.parse(new TextDecoder().decode(request.body)) as { ask: string }).ask : name;
  const paths: Readonly<Record<string, Path>> = { account: 'account', fills: 'trades', trades: 'trades', book: 'book', tickers: 'live' };
  return paths[noun] ?? 'info';
};

/** Plays one run of the profile. */
export async function playThird(seed: string): Promise<SimulationResult> {
  const { strategy } = await loadStrategy('grid'); // loaded first, because virtual time does not wait for files
  const simulation = new ThirdSimulation(optionsOf({ seed, profile: 'smoke', strategy: 'grid' }), strategy);
  await simulation.play();
  return simulation.result();
}

class ThirdSimulation {
  readonly #options: Options;
  readonly #strategy: Strategy<Params>;
  readonly #clock = new VirtualClock(SIMULATION_START);
  readonly #exchange: ThirdExchange;
  readonly #hub: PushHub;
  readonly #faults: FaultBox;
  readonly #network: Network;
  readonly #disk: SimDisk;
  readonly #deaths: Deaths;
  readonly #living = new Set<number>();
  readonly #table = new ProcessTable(this.#living);
  readonly #alarms: string[] = [];
  readonly #bugs: string[] = [];
  #number = 0;
  #deathCount = 0;
  #life: Life | undefined;
  #trading: Trading | undefined;
  #last: Trading | undefined;
  #stopping = false;
  #ending: Ending | undefined;

  constructor(options: Options, strategy: Strategy<Params>) {
    const { seed, faultyMs } = options;
    this.#options = options;
    this.#strategy = strategy;
    this.#exchange = new ThirdExchange({ clock: this.#clock, seed });
    this.#exchange.open(ACCOUNT, 10_000);
    this.#hub = new PushHub(this.#exchange);
    const now = (): Millis => this.#clock.now() - SIMULATION_START;
    const plan = planOf(options).filter(({ kind }) => APPLICABLE_KINDS.has(kind));
    this.#faults = new FaultBox({ plan, seed, now, onStruck: () => undefined });
    this.#deaths = new Deaths(this.#faults, { now, until: faultyMs });
    this.#disk = new SimDisk({ faults: ({ name, bytes }) => this.#diskFault(name, bytes) });
    const api = apiOf(this.#exchange);
    this.#network = new Network({
      clock: this.#clock,
      rng: rngFrom(seed).fork('network'),
      faults: this.#faults,
      latency: options.latency,
      pathOf,
      server: (request, answer) => answer(this.#faults.on('restart') === undefined ? api(request) : undefined),
    });
    const each = (kind: FaultKind, run: (fault: Fault) => void): void => {
      for (const fault of this.#faults.of(kind))
        this.#clock.at(SIMULATION_START + fault.from, () => {
          this.#faults.strike(fault);
          run(fault);
        });
    };
    each('crash', (fault) => this.#die(fault));
    each('crashInRecovery', (fault) => this.#die(fault));
    each('pause', ({ until }) => this.#life?.pauseUntil(SIMULATION_START + until));
    each('restart', () => undefined);
    each('freeze', ({ until }) => {
      this.#exchange.frozen = true;
      this.#clock.at(SIMULATION_START + until, () => {
        this.#exchange.frozen = false;
      });
    });
    each('latch', ({ detail }) => this.#setKillSwitch((detail ?? 'cancel-all') as Mode));
    this.#clock.at(this.#clock.now(), () => this.#boot());
  }

  /** Runs the phases: faults, recovery, a clean stop, and the last arrivals. */
  async play(): Promise<void> {
    const stray = (thrown: unknown): void => {
      if (!(thrown instanceof Killed)) this.#bugs.push(`a promise without a handler was rejected: ${messageOf(thrown)}`);
    };
    process.on('unhandledRejection', stray);
    try {
      await this.#runFor(this.#options.faultyMs);
      await this.#runFor(LIVENESS, () => this.#isRecovered);
      if (!this.#isRecovered) this.#bugs.push(`${LIVENESS / 1_000} s after the last fault the bot does not trade, or an order is unknown`);
      this.#stopping = true;
      this.#trading?.run.stop('the test is over');
      await this.#runFor(CLOSING, () => this.#ending !== undefined);
      await this.#runFor(LAST_ARRIVALS);
    } finally {
      process.off('unhandledRejection', stray);
      this.#exchange.close();
    }
  }

  result(): SimulationResult {
    const { struck } = this.#faults;
    return {
      exchange: this.#exchange,
      struck,
      deaths: this.#deathCount,
      ending: this.#ending,
      summary: this.#last?.summary(),
      alarms: this.#alarms,
      bugs: this.#bugs,
    };
  }

  /** True if the bot trades and no order is unknown, or if the run has ended. */
  get #isRecovered(): boolean {
    if (this.#ending !== undefined) return true;
    const orders = this.#trading?.run.world.orders();
    return orders !== undefined && orders.every(({ status }) => status !== 'unknown');
  }

  #runFor(span: Millis, until: () => boolean = () => false): Promise<void> {
    return this.#clock.drive(this.#clock.now() + span, until);
  }

  #boot(): void {
    const number = ++this.#number;
    const life: Life = new Life({
      clock: this.#clock,
      clockOffset: () => 0,
      transport: this.#network.transport({ recordSent: () => undefined, received: () => undefined, monotonic: () => life.monotonic() }),
      disk: this.#disk,
      dies: (call, moment) => {
        const fault = this.#life === life ? this.#deaths.at(call, moment) : undefined;
        if (fault !== undefined) this.#die(fault);
        return fault !== undefined;
      },
      onBug: (thrown) => this.#bugs.push(messageOf(thrown)),
    });
    this.#life = life;
    this.#living.add(number);
    this.#start(life, number).then(
      (trading) => {
        if (!life.alive) return;
        this.#trading = this.#last = trading;
        if (this.#stopping) trading.run.stop('the test is over');
        trading.run.turns.subscribe(({ alarms }) => this.#alarms.push(...alarms.map(({ name, reason }) => `${name}: ${reason}`)));
        void trading.run.done.then((ending) => this.#ended(life, ending));
      },
      (error: unknown) => {
        if (!life.alive || error instanceof Killed) return;
        const isTemporary = error instanceof DiskError || (error instanceof Error && 'code' in error && error.code === 'exchange');
        if (!isTemporary) this.#bugs.push(`the bot cannot start: ${messageOf(error)}`);
        this.#die(undefined);
      },
    );
  }

  async #start({ clock, disk, transport }: Life, number: number): Promise<Trading> {
    const { seed, polling } = this.#options;
    const rng = rngFrom(seed).fork(`process ${number}`);
    const [limits, log] = [limitsOf(this.#options), { info: () => undefined, warn: () => undefined }];
    const randomBelow = (limit: number): number => rngFrom(seed).fork('series').below(limit);
    const processes = this.#table.of(number);
    const { record: _, ...state } = openState(disk, { clock, started: String(number).padStart(6, '0'), processes, randomBelow });
    try {
      const strategy = this.#strategy;
      const client = thirdClient({ transport, clock, dial: dialTo(this.#hub, clock), key: keyOf(ACCOUNT) });
      const own = {
        ...inheritedWithoutSession({ clock, state, limits }),
        ...admission({ clock, state }, { exchange: 'third', url: 'http://127.0.0.1:1' }),
      };
      const venue = await connectVenue(client, { clock, rng: rng.fork('venue'), polling, markets: [PARAMS.market], log, ...own });
      const params = resolveParams(strategy, PARAMS, () => undefined);
      const decide = deciderOf(strategy, params, { rng: rng.fork('strategy'), markets: venue.feed.markets });
      const name = { run: 'torture', strategy: strategy.name, exchange: 'third' };
      return startTrading({ clock, venue, state, decide, limits, params, seed, name });
    } catch (error) {
      state.close();
      throw error;
    }
  }

  /** Restarts the bot unless the run is settled. */
  #ended(life: Life, ending: Ending): void {
    if (!life.alive) return;
    if (ending.kind === 'failed' && !(ending.error instanceof DiskError)) this.#bugs.push(`the run failed: ${messageOf(ending.error)}`);
    if (ending.kind === 'settled') this.#ending = ending;
    this.#die(undefined);
  }

  /** Ends the process; `fault` is undefined if it ended by itself. */
  #die(fault: Fault | undefined): void {
    if (this.#life?.alive !== true) return;
    this.#life.die();
    this.#living.delete(this.#number);
    this.#trading = undefined;
    if (fault !== undefined) {
      this.#deathCount += 1;
      this.#deaths.died(fault);
      if (fault.detail === 'power') this.#disk.powerCut(this.#faults.rng(fault));
    }
    const span = 100 + Math.round(rngFrom(`${this.#options.seed}/pause ${this.#number}`).exponential(2_000));
    this.#clock.at(this.#clock.now() + span, () => {
      if (this.#ending === undefined) this.#boot();
    });
  }

  #setKillSwitch(mode: Mode): void {
    try {
      new KillSwitch(this.#disk).raise(mode, { reason: 'the test', at: new Date(this.#clock.now()).toISOString(), by: 'kill' });
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }

  #diskFault(name: string, bytes: number): { kind: 'full' | 'broken'; written: number } | undefined {
    const faults = this.#faults;
    const full = name === 'remove' ? undefined : faults.hit('diskFull');
    if (full !== undefined) return { kind: 'full', written: faults.rng(full).below(bytes + 1) };
    const broken = faults.hit('diskBroken') ?? (name === 'sync' ? faults.hit('syncFails') : undefined);
    return broken && { kind: 'broken', written: faults.rng(broken).below(bytes + 1) };
  }
}

/** Returns a socket with a delay of 20 ms each way. */
const dialTo =
  (hub: PushHub, clock: Life['clock'], after = (run: () => void): void => void clock.at(clock.now() + 20, run)): Dial =>
  ({ opened, message, closed }) => {
    let isOpen = true;
    const { onMessage, onClose } = hub.subscribe((text) => after(() => isOpen && message(text)));
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      onClose();
      closed('the socket was closed');
    };
    after(() => isOpen && opened());
    return { send: (text) => after(() => isOpen && onMessage(text)), close };
  };
