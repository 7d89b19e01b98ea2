// The simulation: one run of the bot, its disk, its network and its exchange with all their faults, on one virtual clock.
// `plan/`: what goes wrong and when. `environment/`: the processes, the network, the disk and the exchange. `exchanges/`: the APIs that it can play on.
// `invariants/`: what must hold.
// `play.ts` plays a run to its verdict, `trial.ts` all runs of a seed, `shrink.ts` makes a failing plan small, `recorded-failure.ts` keeps it.
import { type Millis, VirtualClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type Rng, rngFrom } from '../../base/rng.ts';
import { timeText } from '../../base/text/duration.ts';
import { isStricter, type Mode } from '../../bot/domain/mode.ts';
import { KillSwitch } from '../../bot/journal/kill-switch.ts';
import { listedAs } from '../../embedded/exchange/state/listing.ts';
import { SimDisk } from './environment/disk/sim-disk.ts';
import { StateLosses } from './environment/disk/state-losses.ts';
import { SimulatedNetwork } from './environment/network/network.ts';
import { Operator } from './environment/processes/operator.ts';
import { Processes } from './environment/processes/processes.ts';
import type { Invariant, Scene } from './environment/scene.ts';
import { SimulatedVenue } from './environment/venue.ts';
import type { PlayedExchange, PlayedOpening } from './exchange-api.ts';
import { hostedExchange } from './exchanges/hosted/exchange.ts';
import { hyperliquidExchange } from './exchanges/hyperliquid/exchange.ts';
import { invariantsOf } from './invariants/all.ts';
import { FaultBox } from './plan/fault-box.ts';
import type { FaultKind, InjectedFault } from './plan/faults.ts';
import type { ExchangeName } from './plan/faults-by-exchange.ts';
import { type Options, SIMULATION_START } from './plan/options.ts';
import { DurableRecord } from './record/durable-record.ts';
import { nameOf } from './record/signed-action.ts';
import { FaultMatrix, type Situation, SituationCounts } from './record/situations.ts';
import { ToleratedFaults } from './record/tolerated-faults.ts';
import type { SimulationOptions, Violation } from './simulation-options.ts';
import { Trace } from './trace.ts';

/** The most timers of all processes, the network and the exchange within one simulated minute. */
const MAX_STEPS = 200_000;

const WITH_UNKNOWN: Partial<{ readonly [Kind in FaultKind]: Situation }> = {
  restart: 'restart with an unknown order',
  backward: 'engine time went back with an unknown order',
  stall: 'engine time stood still with an unknown order',
};

export class Simulation {
  readonly clock = new VirtualClock(SIMULATION_START);
  readonly faults: FaultBox;
  readonly venue: SimulatedVenue;
  readonly disk: SimDisk;
  readonly record: DurableRecord;
  readonly tolerated: ToleratedFaults;
  readonly trace = new Trace(() => this.now());
  readonly situations = new SituationCounts();
  readonly matrix = new FaultMatrix();
  readonly processes: Processes;
  readonly #operator: Operator;
  readonly #checks: readonly Invariant[];
  readonly #losses: StateLosses;
  readonly #secrets: Uint8Array[];
  readonly #living = new Set<number>();
  #requestedMode: { readonly mode: Mode; readonly at: Millis } | undefined;
  violation: Violation | undefined;
  #minute = 0;
  #steps = 0;

  constructor(given: SimulationOptions) {
    const { options, plan, markets } = given;
    const rng = rngFrom(options.seed).fork('simulation');
    const played = exchangeOf({ options, rng, markets: listedAs(markets) });
    const log: string[] = [];
    this.faults = new FaultBox({ plan, seed: options.seed, now: () => this.now(), onStruck: (fault) => this.#struck(fault) });
    this.record = new DurableRecord({
      now: () => this.now(),
      onNewLine: (text) => this.trace.note(text),
      tradeIdOf: (id) => played.api.tradeIdOf(id),
    });
    this.tolerated = new ToleratedFaults({
      now: () => this.now(),
      faults: this.faults,
      record: this.record,
      longestLag: played.api.longestLag,
    });
    this.disk = this.#makeDisk();
    played.prepare(this.disk);
    this.#losses = new StateLosses(this.disk);
    this.#secrets = [...played.secrets];
    this.venue = this.#makeVenue(given, played);
    const scene = this.#scene(options);
    this.#checks = invariantsOf(scene, { secrets: this.#secrets, printed: log });
    const network = new SimulatedNetwork({
      clock: this.clock,
      rng: rng.fork('network'),
      faults: this.faults,
      latency: options.latency,
      streams: this.venue.streams,
      server: (request, answer) => this.venue.handle(request, answer),
      pathOf: (request) => played.api.pathOf(request),
      mayBeCached: (reply) => this.venue.replies.mayBeCached(reply),
    });
    const checks = this.#checks;
    this.#schedule();
    this.processes = new Processes({ given, scene, network, checks, played, log }, this.#living);
    this.#operator = new Operator({
      scene,
      network,
      checks,
      played,
      seed: options.seed,
      raise: (mode) => this.#setKillSwitch(mode),
      current: () => this.processes.current,
    });
  }

  /** Since the start of the run. */
  now(): Millis {
    return this.clock.now() - SIMULATION_START;
  }

  /** Lets time pass until `end`, counted from the start, or until `until` is true, or until an invariant is violated. */
  async runTo(end: Millis, until: () => boolean = () => false): Promise<void> {
    await this.clock.drive(SIMULATION_START + end, () => {
      this.#boundSteps();
      return this.violation !== undefined || until();
    });
  }

  /** A run in which time no longer advances is a violation. */
  #boundSteps(): void {
    const minute = Math.floor(this.now() / 60_000);
    if (minute !== this.#minute) [this.#minute, this.#steps] = [minute, 0];
    if (++this.#steps > MAX_STEPS) this.fail('V14', `${MAX_STEPS} timers ring in the minute ${minute}`);
  }

  fail(invariant: string, message: string): void {
    if (this.violation !== undefined) return;
    this.violation = { invariant, message, at: this.now() };
    this.trace.note(`VIOLATION ${invariant} ${message}`);
  }

  /** Checks what must hold once nothing is in flight. Call it at the end. */
  quiescent(): void {
    for (const check of this.#checks) if (this.violation === undefined) check.quiescent?.();
  }

  get requestedMode(): { readonly mode: Mode; readonly at: Millis } | undefined {
    return this.#requestedMode;
  }

  #makeVenue({ options, markets }: SimulationOptions, played: PlayedExchange): SimulatedVenue {
    return new SimulatedVenue({
      options,
      played,
      clock: this.clock,
      start: SIMULATION_START,
      faults: this.faults,
      markets,
      reached: (situation) => this.situations.reached(situation),
      onRolledBack: (undone) => {
        if (undone.orders.size > 0) this.situations.reached('rollback undid an order');
        if (undone.fills > 0) this.situations.reached('rollback undid a fill');
        for (const check of this.#checks) check.rolledBack?.(undone);
      },
      onAnswered: (action, receipt, copy) => {
        this.trace.note(`exchange: ${nameOf(action)}, copy ${copy}: ${receipt.kind === 'err' ? receipt.error : receipt.kind}`);
        for (const check of this.#checks) check.answered?.(action, receipt, copy);
      },
    });
  }

  #makeDisk(): SimDisk {
    const { faults } = this;
    return new SimDisk({
      onSynced: (file, bytes) => this.record.synced(file, bytes),
      faults: ({ name, bytes }) => {
        const bytesWrittenOf = (fault: InjectedFault): number => faults.rng(fault).below(bytes + 1);
        const full = name === 'remove' ? undefined : faults.hit('diskFull');
        if (full !== undefined) return { kind: 'full', written: bytesWrittenOf(full) };
        const broken = faults.hit('diskBroken') ?? (name === 'sync' ? faults.hit('syncFails') : undefined);
        return broken === undefined ? undefined : { kind: 'broken', written: bytesWrittenOf(broken) };
      },
    });
  }

  #scene(options: Options): Scene {
    return {
      options,
      clock: this.clock,
      venue: this.venue,
      disk: this.disk,
      faults: this.faults,
      trace: this.trace,
      record: this.record,
      tolerated: this.tolerated,
      now: () => this.now(),
      isAlive: (number) => this.#living.has(number),
      requestedMode: () => this.#requestedMode,
      reached: (situation) => this.situations.reached(situation),
      fail: (invariant, message) => this.fail(invariant, message),
    };
  }

  #struck(fault: InjectedFault): void {
    this.trace.note(`fault ${fault.kind} (${fault.id})`);
    const states = new Set<string>(this.processes.current?.trading?.run.world.orders().map(({ status }) => status));
    this.matrix.struck(fault.kind, states.size === 0 ? ['none'] : states);
    const situation = WITH_UNKNOWN[fault.kind];
    if (situation !== undefined && states.has('unknown')) this.situations.reached(situation);
  }

  #schedule(): void {
    const each = (kind: FaultKind, run: (fault: InjectedFault) => void): void => {
      for (const fault of this.faults.of(kind))
        this.clock.at(SIMULATION_START + fault.from, () => {
          this.faults.strike(fault);
          run(fault);
        });
    };
    each('crash', (fault) => this.processes.kill(fault));
    each('crashInRecovery', (fault) => this.processes.kill(fault));
    each('pause', ({ until }) => this.processes.current?.life.pauseUntil(SIMULATION_START + until));
    each('clockStep', ({ amount = 0 }) => this.processes.stepClock(amount));
    each('wallStep', ({ amount = 0 }) => this.processes.current?.life.stepWallClock(amount));
    each('sleep', ({ until }) => {
      if (this.venue.truth.open().length > 0) this.situations.reached('machine slept with orders resting');
      this.processes.current?.life.sleepUntil(SIMULATION_START + until);
    });
    each('stateLost', (fault) => this.#loseState(fault));
    for (const fault of this.faults.of('stateLost'))
      this.clock.at(SIMULATION_START + Math.max(0, fault.from - 1_000 * (fault.amount ?? 0)), () => this.#losses.keep(fault));
    // 'latch' is the kill switch: recorded failures have this name
    each('latch', ({ detail }) => this.#setKillSwitch((detail ?? 'cancel-all') as Mode));
    each('second', () => this.processes.startSecond());
    each('stop', () => this.processes.interrupt());
    each('kill', () => this.#operator.kill());
    each('hang', ({ until }) => this.#operator.hang(SIMULATION_START + until));
  }

  /** Loses state between two processes. A mode that was requested is lost with the rest. */
  #loseState(fault: InjectedFault): void {
    this.processes.kill(fault);
    const rng = this.faults.rng(fault);
    if (this.venue.truth.open().length > 0) this.situations.reached('state lost with orders resting');
    this.#losses.lose(fault, {
      rng,
      freshKey: () => {
        const key = bytesOf(rng.fork('session'));
        this.#secrets.push(key);
        return key;
      },
    });
    this.record.stateLost();
    const { mode } = new KillSwitch(this.disk).get();
    if (this.#requestedMode !== undefined && isStricter(this.#requestedMode.mode, mode))
      this.#requestedMode = mode === 'active' ? undefined : { ...this.#requestedMode, mode };
    this.processes.loseState();
  }

  #setKillSwitch(mode: Mode): void {
    try {
      new KillSwitch(this.disk).raise(mode, { reason: 'the test', at: timeText(this.clock.now()), by: 'kill' });
      if (isStricter(mode, this.#requestedMode?.mode ?? 'active'))
        this.#requestedMode = { mode, at: this.#requestedMode?.at ?? this.now() };
      if (this.venue.truth.open().length > 0) this.situations.reached('kill switch set with orders resting');
    } catch (error) {
      this.trace.note(`the kill switch could not be set: ${messageOf(error)}`);
    }
  }
}

const bytesOf = (rng: Rng): Uint8Array => Uint8Array.from({ length: 32 }, () => rng.below(256));

/** The exchanges on which the simulation can play. */
const EXCHANGES: Readonly<Record<ExchangeName, (opening: PlayedOpening) => PlayedExchange>> = {
  hosted: hostedExchange,
  hyperliquid: hyperliquidExchange,
};

const exchangeOf = (opening: PlayedOpening): PlayedExchange => EXCHANGES[opening.options.exchange ?? 'hosted'](opening);
