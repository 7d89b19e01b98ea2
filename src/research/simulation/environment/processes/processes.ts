// The processes of the bot, one after the other on one disk: they start, trade, die as planned, and are started again.
import type { Millis } from '../../../../base/clock.ts';
import { messageOf, UserError } from '../../../../base/errors.ts';
import { DiskError } from '../../../../base/files/disk.ts';
import { rngFrom } from '../../../../base/rng.ts';
import type { LockOptions } from '../../../../bot/journal/directory-lock.ts';
import type { Ending } from '../../../../bot/run/core/run.ts';
import type { ForeignOrdersPolicy } from '../../../../bot/run/state/entries.ts';
import type { InjectedFault } from '../../plan/faults.ts';
import { CRASH_SITUATIONS } from '../../record/situations.ts';
import type { SimulationOptions } from '../../simulation-options.ts';
import type { SimulatedNetwork } from '../network/network.ts';
import { type Invariant, levelsIn, type Process, type Scene } from '../scene.ts';
import { type Bot, type BotOptions, startBot } from './bot.ts';
import { Deaths } from './deaths.ts';
import { Killed } from './life.ts';
import { makeProcess, stackOf } from './make-process.ts';
import { faultyStrategy, isPlannedError } from './strategy-faults.ts';
import { choiceAfter, mayEnd } from './supervisor.ts';

export interface Stage extends Pick<BotOptions, 'played'> {
  readonly given: SimulationOptions;
  readonly scene: Scene;
  readonly network: SimulatedNetwork;
  readonly checks: readonly Invariant[];
  /** What the bot has printed for a person. */
  readonly log: string[];
}

/** The mean time after which a process that ended or could not start is started again. */
const RESTARTED_AFTER: Millis = 2_000;

export class Processes {
  readonly #stage: Stage;
  readonly #living: Set<number>;
  readonly #deaths: Deaths;
  readonly #table: ProcessTable;
  #number = 0;
  #clockOffset: Millis;
  #current: Process | undefined;
  #bot: Bot | undefined;
  #stopping = false;
  /** True if the next process finds another state directory than the last one left, or none: what was traded before it is not its own. */
  stateLost = true;
  /** What the next start does with orders that the state does not know. */
  #foreign: ForeignOrdersPolicy = 'refuse';
  ending: Ending | undefined;
  deaths = 0;
  #callsOfTheDead = 0;

  /** `living` are the numbers of the living processes. */
  constructor(stage: Stage, living: Set<number>) {
    const { options } = stage.given;
    this.#stage = stage;
    this.#living = living;
    this.#table = new ProcessTable(living);
    this.#clockOffset = options.clockOffsetMs;
    this.#deaths = new Deaths(stage.scene.faults, { now: stage.scene.now, until: options.faultyMs });
    stage.scene.clock.at(stage.scene.clock.now(), () => this.#boot());
  }

  loseState(): void {
    this.stateLost = true;
    this.#foreign = 'refuse'; // a choice about foreign orders does not hold for orders of the lost state
  }

  /** The process that trades or will trade. */
  get current(): Process | undefined {
    return this.#current;
  }

  /** Port calls of all processes. */
  get calls(): number {
    return this.#callsOfTheDead + (this.#current?.life.alive === true ? this.#current.life.calls : 0);
  }

  /** The clock of the next process is further ahead by this much. */
  stepClock(by: Millis): void {
    this.#clockOffset += by;
  }

  /** Stops the bot: its current process, and each later one. */
  stop(): void {
    this.#stopping = true;
    this.interrupt();
  }

  /** Stops the process once, as Ctrl-C does, after its pause: a second request would make it hurry. What it leaves unsettled is started again. */
  interrupt(): void {
    const run = this.#bot?.trading.run;
    if (run === undefined) return;
    this.#current?.life.wake(() => {
      if (run.world.stopping === undefined) run.stop('the test is over');
    });
  }

  /** Ends the process: by the fault, or because it ended by itself. */
  kill(fault: InjectedFault | undefined): void {
    const process = this.#current;
    if (process === undefined || !process.life.alive) return;
    const { scene, checks } = this.#stage;
    scene.trace.note(`process ${process.number} dies${fault === undefined ? '' : ` by ${fault.kind}, ${fault.detail ?? 'kill'}`}`);
    process.life.die();
    for (const check of checks) check.died?.(process);
    this.#callsOfTheDead += process.life.calls;
    this.#living.delete(process.number);
    this.#bot = undefined;
    if (fault !== undefined) this.#diedOf(fault);
    const span = 100 + Math.round(rngFrom(`${this.#stage.given.options.seed}/pause ${this.#number}`).exponential(RESTARTED_AFTER));
    scene.clock.at(scene.clock.now() + span, () => this.#boot());
  }

  /** Starts the bot a second time while it runs. */
  startSecond(): void {
    if (this.#bot === undefined || this.#current === undefined) return;
    const { scene } = this.#stage;
    const other = this.#newProcess();
    this.#start(other).then(
      () => scene.fail('V21', 'two processes trade with one state directory'),
      (error: unknown) => {
        other.life.die();
        this.#living.delete(other.number);
        if (error instanceof UserError && error.code === 'locked') scene.reached('second process refused');
        else if (!(error instanceof DiskError)) scene.fail('V21', `a second process ended otherwise: ${messageOf(error)}`);
      },
    );
  }

  #diedOf(fault: InjectedFault): void {
    const { scene } = this.#stage;
    this.deaths++;
    this.#deaths.died(fault);
    const situation = fault.id.endsWith('/again') ? 'crash in recovery' : CRASH_SITUATIONS[fault.kind];
    if (situation !== undefined) scene.reached(situation);
    if (fault.detail === 'power') {
      scene.reached('crash at power loss');
      if (scene.disk.powerCut(scene.faults.rng(fault))) scene.reached('crash that tore the last journal line');
    }
    scene.record.crashed(scene.disk, { power: fault.detail === 'power' });
  }

  #boot(): void {
    if (this.ending !== undefined) return;
    const process = this.#newProcess();
    this.#current = process;
    const began = process.life.clock.now();
    this.#stage.scene.trace.note(`process ${process.number} starts`);
    this.#start(process).then(
      (bot) => this.#started(process, bot),
      (error: unknown) => this.#startFailed(process, error, began),
    );
  }

  #newProcess(): Process {
    const process = makeProcess(++this.#number, {
      ...this.#stage,
      clockOffset: this.#clockOffset,
      dies: (dying, call, moment) => {
        const fault = this.#current === dying ? this.#deaths.at(call, moment) : undefined;
        if (fault !== undefined) this.kill(fault);
        return fault !== undefined;
      },
    });
    this.#living.add(process.number);
    return process;
  }

  #start(process: Process): Promise<Bot> {
    const { given, scene, checks, played, log } = this.#stage;
    const { number, life } = process;
    return startBot({
      comparesSchema: scene.faults.of('lie').some(({ path }) => path === 'info'),
      ...given,
      strategy: faultyStrategy(given.strategy, { scene, checks, process, onUncaught: (thrown) => process.trading?.run.fail(thrown) }),
      number,
      clock: life.clock,
      transport: life.transport,
      dialStreams: life.dialStreams,
      disk: life.disk,
      processes: this.#table.of(number),
      played,
      foreign: this.#foreign,
      losses: scene.record.losses,
      log: (text) => {
        if (!life.alive) return;
        scene.trace.note(`log ${text}`);
        log.push(text);
      },
    });
  }

  #started(process: Process, bot: Bot): void {
    if (!process.life.alive) return;
    const { scene, checks } = this.#stage;
    const { run, lines } = bot.trading;
    this.#bot = bot;
    process.trading = bot.trading;
    scene.trace.note(`process ${process.number} trades`);
    // A state that has placed nothing begins here. After a loss, earlier orders may have traded until now.
    const isAfterLoss = this.stateLost || scene.record.losses > 0;
    if (this.stateLost || bot.isFirst) scene.record.tolerateTrades(scene.venue.truth.ownTrades({ byHandAlone: !isAfterLoss }));
    this.stateLost = false;
    scene.venue.manualTrader.isTakenOver = () => run.world.isTakingOver; // also when it is dead: the next process continues the takeover
    this.#foreign = 'refuse';
    for (const check of checks) check.started?.(process);
    if (this.#stopping) this.interrupt();
    run.decided.subscribe((turn) => {
      if (!process.life.alive) return;
      for (const { kind } of turn.events) scene.trace.count(`turn ${kind}`);
      process.wanted = levelsIn(turn.intents);
      for (const { name, reason } of turn.alarms) scene.trace.note(`alarm ${name}: ${reason}`);
      for (const check of checks) check.turn?.(turn, process);
    });
    this.#stage.given.follow?.(bot);
    lines.subscribe((line) => {
      if (process.life.alive) scene.record.printed(line);
    });
    run.done.then(
      (ending) => this.#ended(process, bot, ending),
      (error: unknown) => scene.fail('V25', `the run rejected: ${stackOf(error)}`),
    );
  }

  #ended(process: Process, bot: Bot, ending: Ending): void {
    if (!process.life.alive) return;
    const { scene } = this.#stage;
    scene.trace.note(`process ${process.number} ends ${ending.kind}`);
    for (const check of this.#stage.checks) check.ended?.(process, ending);
    if (ending.kind === 'failed' && isPlannedError(ending.error)) {
      bot.close();
      if (this.#stopping && ending.settled) this.#endWith({ kind: 'settled' }); // it may have closed among faults: else the next run is the one to stop
    } else if (ending.kind === 'failed' && !(ending.error instanceof DiskError))
      scene.fail('V25', `the run failed: ${stackOf(ending.error)}`);
    else if (ending.kind !== 'failed' && !this.#stopping && !mayEnd(ending, scene))
      scene.fail('V13', `the run ended by itself: ${ending.kind}`);
    else if (ending.kind !== 'failed') {
      if (this.#stopping || ending.kind === 'settled') this.#endWith(ending); // what is not settled is started again
      bot.close();
    }
    this.kill(undefined);
  }

  #endWith(ending: Ending): void {
    this.ending = ending;
    this.#stage.scene.tolerated.hasRunEnded = true;
    this.#stage.scene.venue.manualTrader.off();
  }

  #startFailed(process: Process, error: unknown, began: Millis): void {
    if (!process.life.alive || error instanceof Killed) return;
    const { scene } = this.#stage;
    scene.trace.note(`process ${process.number} cannot start: ${messageOf(error)}`);
    this.#foreign = choiceAfter(error, { asked: process.life.clock.now() - began, process: process.number, scene }) ?? 'refuse';
    this.kill(undefined);
  }
}

/**
 * Which simulated processes live, and which of them holds the lock of the state directory, as the system would report it. The lock is free if the process
 * that had it has released it or is dead.
 */
export class ProcessTable {
  readonly #living: ReadonlySet<number>;
  #lockedBy: number | undefined;

  /** `living` are the numbers of the living processes. */
  constructor(living: ReadonlySet<number>) {
    this.#living = living;
  }

  /** The lock options of one process. */
  of(number: number): LockOptions {
    return {
      self: { pid: number, started: String(number), boot: 'sim' },
      alive: ({ pid, boot }) => boot === 'sim' && this.#living.has(pid),
      exclude: () => {
        if (this.#lockedBy !== undefined && this.#living.has(this.#lockedBy)) return undefined;
        this.#lockedBy = number;
        return { isHeld: () => this.#lockedBy === number, release: () => this.#release(number) };
      },
    };
  }

  #release(number: number): void {
    if (this.#lockedBy === number) this.#lockedBy = undefined;
  }
}
