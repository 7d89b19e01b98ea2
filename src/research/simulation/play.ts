// Plays a run from its seed to its verdict: faults, recovery, a time without faults, a clean stop, and the final checks.
import type { Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { Killed } from './environment/processes/life.ts';
import type { SimulationFigures } from './figures.ts';
import type { Path, Plan } from './plan/faults.ts';
import { LAST_ARRIVALS, LIVENESS, type Options } from './plan/options.ts';
import { Simulation } from './simulation.ts';
import type { SimulationOptions, Violation } from './simulation-options.ts';

export interface SimulationOutcome {
  readonly options: Options;
  readonly plan: Plan;
  /** SHA-256 of all that happened. */
  readonly hash: string;
  readonly violation?: Violation | undefined;
  readonly timeline: readonly string[];
  readonly figures: SimulationFigures;
  /** Port calls until all faults had ended. */
  readonly callsWhileFaulty: number;
}

/** An order that has not changed for longer than this is stuck, unless it rests. */
const STUCK_AFTER: Millis = 20_000;
/** Longer than a run takes to close: 90 s until its orders are gone, and 150 s until it is known how they ended. */
const MAX_CLOSING: Millis = 275_000;

export async function play(given: SimulationOptions): Promise<SimulationOutcome> {
  const simulation = new Simulation(given);
  const onUnhandled = (thrown: unknown): void => {
    if (!(thrown instanceof Killed)) simulation.fail('V25', `a promise without a handler was rejected: ${messageOf(thrown)}`);
  };
  process.on('unhandledRejection', onUnhandled);
  try {
    const callsWhileFaulty = await phases(simulation, given.options);
    return { ...outcomeOf(simulation, given), callsWhileFaulty };
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
}

/** Resolves with the number of port calls until all faults had ended. */
async function phases(simulation: Simulation, options: Options): Promise<number> {
  const { faultyMs } = options;
  await simulation.runTo(faultyMs);
  // Signed bytes expire by the exchange's time, which must first come back to where it was, and reach the time at which they were signed.
  const liveness = LIVENESS + setBack(simulation) + simulation.venue.truth.signedAhead(simulation.venue.engineTime());
  const calls = simulation.processes.calls;
  await simulation.runTo(faultyMs + liveness, () => isRecovered(simulation));
  if (simulation.violation === undefined && !isRecovered(simulation))
    simulation.fail('V13', `${liveness / 1000} s after the last fault ended: ${problemOf(simulation) ?? ''}`);
  const stopped = simulation.now();
  simulation.processes.stop();
  await simulation.runTo(stopped + MAX_CLOSING, () => simulation.processes.ending !== undefined);
  const { tolerated, venue } = simulation;
  if (simulation.processes.ending?.kind !== 'settled' && !tolerated.isUnexplained && !tolerated.isBehind(venue.truth.accountNumber))
    simulation.fail('V13', `a clean stop ended ${endingText(simulation)}: ${problemOf(simulation) ?? ''}`);
  await simulation.runTo(simulation.now() + LAST_ARRIVALS);
  const [alarm] = simulation.record.alarms;
  if (options.profile === 'calm' && alarm !== undefined)
    simulation.fail('V22', `an alarm though nothing is wrong: ${alarm.alarm}, ${alarm.reason}`);
  simulation.quiescent();
  return calls;
}

/** By how much the exchange's time went back in total. */
const setBack = ({ faults }: Simulation): Millis => faults.of('backward').reduce((sum, { amount = 0 }) => sum + amount * 1_000, 0);

function endingText({ processes: { ending } }: Simulation): string {
  if (ending === undefined) return 'not at all';
  return ending.kind === 'unsettled' ? `unsettled (${ending.reason})` : ending.kind;
}

const isRecovered = (simulation: Simulation): boolean => simulation.processes.ending !== undefined || problemOf(simulation) === undefined;

/** The endpoints of each stream that waits as long as a `Retry-After` asks. */
const WAITING_STREAMS: ReadonlyMap<string, readonly Path[]> = new Map([
  ['book', ['book']],
  ['info', ['live']],
  ['trades', ['trades']],
  ['listing', ['info', 'live']],
]);
/** By how much the exchange's clock may differ from the times of its trades before the bot reports it. */
const CLOCK_TOLERANCE: Millis = 55_000;
/** The longest time that a stream waits as a `Retry-After` asks. */
const LONGEST_WAIT: Millis = 300_000;

/** True if the exchange asked that stream of the living process to wait, and it may wait still. */
function waitsAsAsked(simulation: Simulation, stream: string): boolean {
  const { tolerated, processes } = simulation;
  const process = processes.current?.number ?? 0;
  return (WAITING_STREAMS.get(stream) ?? []).some((path) => simulation.now() < tolerated.askedToWait(process, path) + LONGEST_WAIT);
}

/** What is still wrong with the bot although no fault is left; undefined if nothing is. */
function problemOf(simulation: Simulation): string | undefined {
  const { processes, venue, requestedMode, tolerated, faults } = simulation;
  const { current } = processes;
  const world = current?.trading?.run.world;
  if (current?.life.alive !== true || world === undefined) return 'the bot does not trade';
  // A session whose key was lost with the state directory lives on, and is reported for as long.
  const unhealthy = [...world.unhealthy()].filter(({ stream }) => stream !== 'sessions');
  if (tolerated.isBehind(venue.truth.accountNumber) && unhealthy.some(({ stream }) => stream === 'account')) return undefined;
  const stuck = world
    .orders()
    .find(
      ({ status, market, touchedAt }) =>
        (status === 'unknown' && !(tolerated.isUnexplained && world.unexplained(market) !== undefined)) ||
        (status !== 'open' && status !== 'unknown' && world.now - touchedAt > STUCK_AFTER),
    );
  if (stuck !== undefined) return `order ${stuck.clientOrderId} is ${stuck.status}`;
  const knownIds = new Set(world.orders().flatMap(({ clientOrderId, orderId }) => [clientOrderId, orderId]));
  const unknown = venue.truth.resting().find(({ clientOrderId = '', orderId }) => !knownIds.has(clientOrderId) && !knownIds.has(orderId));
  if (unknown !== undefined) return `order ${unknown.orderId} rests, and the bot does not know it`;
  const believed = world
    .orders()
    .find(
      ({ status, orderId, touchedAt }) =>
        status === 'open' && world.now - touchedAt > STUCK_AFTER && !venue.truth.open().includes(orderId ?? ''),
    );
  if (believed !== undefined) return `order ${believed.clientOrderId} is open for the bot, and does not rest`;
  const isBlocked = requestedMode !== undefined || world.mode !== 'active' || (current.trading?.now().findings.length ?? 0) > 0;
  const areKept = world.orders().some(({ status }) => status === 'unknown'); // such an order keeps its level
  if (!isBlocked && !areKept && current.wanted > 0 && venue.truth.open().length === 0)
    return `${current.wanted} levels are wanted, nothing holds them back, and no order rests`;
  const [provisional] = world.judgedFills.provisional;
  if (provisional !== undefined) return `the fill of trade ${provisional.tradeId} is provisional`;
  const isClockWrong = venue.setBack > CLOCK_TOLERANCE; // the times of its trades are not set back: what the bot reports of the clock is true
  const unhealthyStream = unhealthy.find(({ stream }) => !waitsAsAsked(simulation, stream) && !(isClockWrong && stream === 'clock'));
  if (unhealthyStream !== undefined) return unhealthyStream.reason;
  if (requestedMode !== undefined && requestedMode.mode !== 'close-only' && venue.truth.open().length > 0)
    return `${venue.truth.open().length} orders rest after ${requestedMode.mode} was asked for`;
  if (
    requestedMode?.mode === 'flatten' &&
    faults.of('lie').length > 0 &&
    venue.exchange.markets.some(({ id }) => venue.truth.position(id) !== 0)
  )
    return 'a position is left after flatten was asked for';
  return undefined;
}

/** Events that concern the ids in the violation, and deaths and starts; then the last events of the run. */
function timelineOf({ trace }: Simulation, { message }: Violation): readonly string[] {
  const ids = message.match(/\d{6,}|(?<=trade )\d+\/?\w*/g) ?? [];
  const [named, around] = [trace.timeline(60, ids), trace.timeline(40, [' dies', ' starts', 'fault restart', 'fault backward'])];
  return [...named, '…', ...around, '…', ...trace.timeline(20)];
}

function outcomeOf(simulation: Simulation, { options, plan }: SimulationOptions): Omit<SimulationOutcome, 'callsWhileFaulty'> {
  const { record, venue, faults, situations, violation } = simulation;
  const signedActions = [...venue.truth.signedActions.values()].filter(({ action }) => action.kind === 'placeOrder');
  return {
    options,
    plan,
    hash: simulation.trace.hash(),
    violation,
    timeline: violation === undefined ? [] : timelineOf(simulation, violation),
    figures: {
      runs: 1,
      simulatedMs: simulation.now(),
      struck: Object.fromEntries(faults.struck),
      facts: Object.fromEntries(situations.counts),
      matrix: Object.fromEntries(simulation.matrix.counts),
      orders: signedActions.length,
      fills: record.fills.size,
      unknown: record.unknown.size,
      doubled: signedActions.filter(({ executions, forgotten }) => executions.length > 1 && !forgotten).length,
      lost: violation !== undefined && LOSSES.has(violation.invariant) ? 1 : 0,
      deaths: simulation.processes.deaths,
      crashPoints: 0,
    },
  };
}

/** Invariants whose violation means that the bot reported an order or a fill wrongly. */
const LOSSES: ReadonlySet<string> = new Set(['V4', 'V5', 'V6']);
