// Whole runs of the bot on an adapter and its fake exchange, with the faults, network, disk and processes of the simulation.
import { type Millis, VirtualClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { rngFrom } from '../../../base/rng.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { Dial } from '../../../base/transport/transport.ts';
import type { Summary } from '../../../bot/accounting/summary.ts';
import type { Mode } from '../../../bot/domain/mode.ts';
import { connectVenue } from '../../../bot/exchange/kit/connect.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import type { Ending } from '../../../bot/run/core/run.ts';
import { startTrading, type Trading } from '../../../bot/run/core/trading.ts';
import { inheritedOptionsWithoutSession, startCheckOption } from '../../../bot/run/core/venue.ts';
import { openState } from '../../../bot/run/state/state.ts';
import type { Params, Strategy } from '../../../bot/strategy/contract.ts';
import { deciderOf } from '../../../bot/strategy/decide.ts';
import { loadStrategy } from '../../../bot/strategy/loading/loader.ts';
import { resolveParams } from '../../../bot/strategy/params.ts';
import { SimDisk } from '../../simulation/environment/disk/sim-disk.ts';
import { SimulatedNetwork } from '../../simulation/environment/network/network.ts';
import { Deaths } from '../../simulation/environment/processes/deaths.ts';
import { Killed, Life } from '../../simulation/environment/processes/life.ts';
import { ProcessTable } from '../../simulation/environment/processes/processes.ts';
import { limitsOf } from '../../simulation/limits.ts';
import { FaultBox } from '../../simulation/plan/fault-box.ts';
import { type FaultKind, type InjectedFault, KINDS, type Plan } from '../../simulation/plan/faults.ts';
import { LAST_ARRIVALS, LIVENESS, type Options, optionsOf, SIMULATION_START } from '../../simulation/plan/options.ts';
import { planOf } from '../../simulation/plan/plan.ts';
import type { VenueSubject } from './bench.ts';
import type { FakeExchange } from './fake.ts';
import { type Learned, learnPaths } from './learn-paths.ts';
import { OtherTraders } from './other-traders.ts';

/** The faults that apply to every exchange: of the network, the disk and the process, a restart and a freeze. Others need the hosted exchange. */
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
/** Time to end a stopped run. */
const CLOSING: Millis = 125_000;

/** What happened in one run, and the exchange's own record of it. */
export interface WholeRunResult {
  readonly exchange: FakeExchange;
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

export interface WholeRunOptions {
  readonly subject: VenueSubject;
  readonly seed: string;
  /** The faults; those of the smoke profile if absent. */
  readonly plan?: Plan | undefined;
  /** When all faults end. Default: as in the profile. */
  readonly faultyMs?: Millis | undefined;
}

/** Plays one run of the grid. */
export async function playWhole({ subject, seed, plan, faultyMs }: WholeRunOptions): Promise<WholeRunResult> {
  const { strategy } = await loadStrategy('grid'); // loaded first, because virtual time does not wait for files
  const drawn = optionsOf({ seed, profile: 'smoke', strategy: 'grid' });
  const options = { ...drawn, faultyMs: faultyMs ?? drawn.faultyMs };
  const learned = await learnPaths(subject);
  const whole = new WholeRun({ options, strategy, subject, plan: plan ?? planOf(options), ...learned });
  await whole.play();
  return whole.result();
}

/** What the run and the exchange disagree about, and what no run may have; none if all is right. */
export function disagreements(
  { exchange, ending, summary, alarms, bugs }: WholeRunResult,
  { market }: VenueSubject['fake'],
): readonly string[] {
  const [orders, fills] = [exchange.orders(), exchange.fills()];
  const open = orders.filter(({ isOpen }) => isOpen).length;
  const twice = orders.length - new Set(orders.map(({ clientOrderId }) => clientOrderId)).size;
  const fees = fills.reduce((sum, { fee }) => sum + fee, 0);
  const held = exchange.held();
  const position = Number(summary?.positions[market] ?? 0);
  const found: readonly (string | false)[] = [
    ...bugs,
    ...alarms.map((alarm) => `alarm ${alarm}`),
    ending?.kind !== 'settled' && 'the run did not end with every order resolved',
    twice > 0 && `${twice} orders arrived twice`,
    open > 0 && `${open} orders rest after the end`,
    (summary?.orders.unknown ?? 0) > 0 && `${summary?.orders.unknown} orders are unknown after the end`,
    summary?.fills !== fills.length && `the run counts ${summary?.fills ?? 'no'} fills, the exchange ${fills.length}`,
    Math.abs(position - held) > Math.abs(held) * 1e-9 + 1e-9 && `the run holds ${position}, the exchange says ${held}`,
    Math.abs(Number(summary?.fees ?? 0) - fees) > 1e-3 && `the run paid ${summary?.fees} of fees, the exchange charged ${fees}`,
  ];
  return found.filter((text) => text !== false);
}

interface WholeRunParts extends Learned {
  readonly options: Options;
  readonly strategy: Strategy<Params>;
  readonly subject: VenueSubject;
  readonly plan: Plan;
}

class WholeRun {
  readonly #options: Options;
  readonly #strategy: Strategy<Params>;
  readonly #clock = new VirtualClock(SIMULATION_START);
  readonly #exchange: FakeExchange;
  readonly #subject: VenueSubject;
  readonly #others: OtherTraders;
  readonly #faults: FaultBox;
  readonly #network: SimulatedNetwork;
  readonly #disk: SimDisk;
  readonly #deaths: Deaths;
  /** The number of the living process; empty between two processes. */
  readonly #living = new Set<number>();
  readonly #table = new ProcessTable(this.#living);
  readonly #alarms: string[] = [];
  readonly #bugs: string[] = [];
  /** Of the newest process. */
  #processNumber = 0;
  #deathCount = 0;
  #life: Life | undefined;
  #trading: Trading | undefined;
  /** The last process that traded, living or not. */
  #lastTrading: Trading | undefined;
  #stopping = false;
  #ending: Ending | undefined;

  constructor({ options, strategy, subject, plan: all, market, pathOf }: WholeRunParts) {
    const { seed, faultyMs } = options;
    const { fake } = subject;
    this.#options = options;
    this.#strategy = strategy;
    this.#subject = subject;
    this.#exchange = fake.open({ clock: this.#clock, rng: rngFrom(seed).fork('fake') });
    this.#others = new OtherTraders({ ...fake, market, clock: this.#clock, rng: rngFrom(seed).fork('others'), exchange: this.#exchange });
    const now = (): Millis => this.#clock.now() - SIMULATION_START;
    const plan = all.filter(({ kind }) => APPLICABLE_KINDS.has(kind));
    this.#faults = new FaultBox({ plan, seed, now, onStruck: () => undefined });
    this.#deaths = new Deaths(this.#faults, { now, until: faultyMs });
    this.#disk = new SimDisk({ faults: ({ name, bytes }) => this.#diskFault(name, bytes) });
    this.#network = new SimulatedNetwork({
      clock: this.#clock,
      rng: rngFrom(seed).fork('network'),
      faults: this.#faults,
      latency: options.latency,
      pathOf,
      server: (request, answer) => answer(this.#faults.on('restart') === undefined ? this.#exchange.handle(request) : undefined),
    });
    const each = (kind: FaultKind, run: (fault: InjectedFault) => void): void => {
      for (const fault of this.#faults.of(kind))
        this.#clock.at(SIMULATION_START + fault.from, () => {
          this.#faults.strike(fault);
          run(fault);
        });
    };
    each('crash', (fault) => this.#die(fault));
    each('crashInRecovery', (fault) => this.#die(fault));
    each('pause', ({ until }) => this.#life?.pauseUntil(SIMULATION_START + until));
    each('restart', () => undefined); // only counted: the server above gives no answer meanwhile
    each('freeze', ({ until }) => {
      this.#exchange.setFrozen?.(true);
      this.#clock.at(SIMULATION_START + until, () => this.#exchange.setFrozen?.(false));
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
      this.#others.stop();
    }
  }

  result(): WholeRunResult {
    const { struck } = this.#faults;
    return {
      exchange: this.#exchange,
      struck,
      deaths: this.#deathCount,
      ending: this.#ending,
      summary: this.#lastTrading?.summary(),
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
    const number = ++this.#processNumber;
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
        this.#trading = this.#lastTrading = trading;
        if (this.#stopping) trading.run.stop('the test is over');
        trading.run.turns.subscribe(({ alarms }) => this.#alarms.push(...alarms.map(({ name, reason }) => `${name}: ${reason}`)));
        void trading.run.done.then((ending) => this.#handleEnd(life, ending));
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
      const { venue: definition, fake, key } = this.#subject;
      const dial = this.#exchange.connect === undefined ? undefined : dialTo(this.#exchange, clock);
      const client = definition.client({ transport, clock, rng: rng.fork('client'), key, dial });
      const own = {
        ...inheritedOptionsWithoutSession({ clock, state, limits }),
        ...startCheckOption({ clock, state }, { exchange: definition.name, url: 'http://127.0.0.1:1' }),
      };
      const venue = await connectVenue(client, { clock, rng: rng.fork('venue'), polling, markets: [fake.market], log, ...own });
      const params = resolveParams(strategy, paramsOf(fake), () => undefined);
      const decide = deciderOf(strategy, params, { rng: rng.fork('strategy'), markets: venue.feed.markets });
      const name = { run: 'torture', strategy: strategy.name, exchange: definition.name };
      return startTrading({ clock, venue, state, decide, limits, params, seed, name });
    } catch (error) {
      state.close();
      throw error;
    }
  }

  /** Restarts the bot unless the run is settled. */
  #handleEnd(life: Life, ending: Ending): void {
    if (!life.alive) return;
    if (ending.kind === 'failed' && !(ending.error instanceof DiskError)) this.#bugs.push(`the run failed: ${messageOf(ending.error)}`);
    if (ending.kind === 'settled') this.#ending = ending;
    this.#die(undefined);
  }

  /** Ends the process; `fault` is undefined if it ended by itself. */
  #die(fault: InjectedFault | undefined): void {
    if (this.#life?.alive !== true) return;
    this.#life.die();
    this.#living.delete(this.#processNumber);
    this.#trading = undefined;
    if (fault !== undefined) {
      this.#deathCount += 1;
      this.#deaths.died(fault);
      if (fault.detail === 'power') this.#disk.powerCut(this.#faults.rng(fault));
    }
    const span = 100 + Math.round(rngFrom(`${this.#options.seed}/pause ${this.#processNumber}`).exponential(2_000));
    this.#clock.at(this.#clock.now() + span, () => {
      if (this.#ending === undefined) this.#boot();
    });
  }

  #setKillSwitch(mode: Mode): void {
    try {
      new KillSwitch(this.#disk).raise(mode, { reason: 'the test', at: timeText(this.#clock.now()), by: 'kill' });
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

/** A grid with which it trades often. */
const paramsOf = ({ market, price, size }: VenueSubject['fake']): Params => ({
  market,
  spacingBps: 1,
  levels: 3,
  notional: price * size,
  maxPositionNotional: 16 * price * size,
});

/** Returns sockets with a delay of 20 ms each way. */
const dialTo =
  (exchange: FakeExchange, clock: Life['clock'], after = (run: () => void): void => void clock.at(clock.now() + 20, run)) =>
  (path: string): Dial =>
  ({ opened, message, closed }) => {
    let isOpen = true;
    const served = exchange.connect?.(path, (text) => after(() => isOpen && message(text)));
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      served?.closed();
      closed('the socket was closed');
    };
    after(() => isOpen && opened());
    return { send: (text) => after(() => isOpen && served?.message(text)), close };
  };
