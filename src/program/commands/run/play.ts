// Carries out a planned run: opens the state directory and the exchange, trades, and returns the exit code.
import { resolve } from 'node:path';
import { type Clock, sleep, systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import { isStricter } from '../../../bot/domain/mode.ts';
import type { Ending } from '../../../bot/run/core/ending.ts';
import { keepHistory } from '../../../bot/run/core/history-file.ts';
import { keepNow } from '../../../bot/run/core/now.ts';
import { requestWarning } from '../../../bot/run/core/request-budget.ts';
import { requireOwnJournal } from '../../../bot/run/core/start-check.ts';
import { startTrading, type Timed, type Trading, type TradingOptions } from '../../../bot/run/core/trading.ts';
import type { OpenVenue } from '../../../bot/run/core/venue.ts';
import { type OpenInputs, openInputs } from '../../../bot/run/inputs/open.ts';
import { type Claimed, Claims } from '../../../bot/run/state/account-claim.ts';
import { mayRest } from '../../../bot/run/state/history.ts';
import { openStateDirectory, type State } from '../../../bot/run/state/state.ts';
import { asStrategyError } from '../../../bot/strategy/decide.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { rememberRun } from '../../known-runs.ts';
import type { StatusExtras } from '../../monitoring/page/status.ts';
import { keepOutcome, outcomeOf } from '../../outcome.ts';
import { killSwitchWarning } from '../../output/cancel-all-words.ts';
import { redirectConsole } from '../../output/console.ts';
import { flagFor } from '../../resolve-state.ts';
import { type Presentation, presentationOf } from '../../terminal/choose-presenter.ts';
import { cleanBeforeStart } from '../operate/clean.ts';
import { type RunWatchdog, startWatchdog } from '../operate/start-watchdog.ts';
import { keepFacts } from './facts.ts';
import { Interrupts } from './interrupts.ts';
import type { Monitoring, SharedMonitoring } from './monitors.ts';
import { isMonitored, type RunPlan } from './plan.ts';
import { reloading } from './reload.ts';
import { watch } from './watch.ts';

/** Maximum time to close the exchange connection. */
const CLOSING_MS = 2_000;

/**
 * Carries out a run, from its state directory to its exit code. Throws the error of a failed run after everything has been closed. `shared`: the monitoring
 * that several runs of this process share.
 */
export async function play(plan: RunPlan, host: Host, shared?: SharedMonitoring): Promise<ExitCode> {
  const state = openStateDirectory(plan.facts.state, { clock: systemClock, started: plan.stamp });
  const presentation = presentationOf(plan, host);
  const restoreConsole = presentation.console === undefined ? undefined : redirectConsole(presentation.console);
  const claims = new Claims({ env: host.env, directory: resolve(plan.facts.state), log: presentation.log });
  try {
    for (const remark of state.remarks) say(host.stderr, remark);
    const account = requireOwnJournal(state, plan.venue.holder);
    const started = keepFacts(plan, { now: systemClock.now(), account });
    rememberRun(plan.facts.state, host.env);
    cleanBeforeStart(plan.config.retention, host);
    const context = { host, clock: systemClock, state, presentation, claims, shared };
    const writeOutcome = (ending: Ending | undefined): void =>
      keepOutcome(plan.facts.state, { started, ...outcomeOf(ending, state.killSwitch?.get() ?? { mode: 'active' }) });
    try {
      const { code, ending } = await perform(plan, context);
      writeOutcome(ending);
      return code;
    } catch (error) {
      writeOutcome({ kind: 'failed', error, settled: false });
      throw error;
    }
  } finally {
    restoreConsole?.();
    claims.release();
    state.close();
  }
}

interface RunContext {
  readonly host: Host;
  readonly clock: Clock;
  readonly state: State;
  readonly presentation: Presentation;
  readonly claims: Claims;
  readonly shared: SharedMonitoring | undefined;
}

/**
 * Opens the monitors, the exchange and the inputs, trades until the run ends, and closes all of them. At the end the watchdog gets to know whether orders may
 * be left. The returned ending is undefined if the run was stopped before it traded.
 */
async function perform(plan: RunPlan, context: RunContext): Promise<{ readonly code: ExitCode; readonly ending: Ending | undefined }> {
  const { host, clock, presentation } = context;
  const interrupts = new Interrupts(host, (thrown) => asStrategyError(thrown, plan.facts.strategy));
  presentation.presenter.opening();
  reportKillSwitch(plan, context);
  const watchdog = plan.hasWatchdog
    ? startWatchdog(host, { directory: plan.facts.state, alerts: plan.watchdogAlerts, clock, log: presentation.urgent })
    : undefined;
  let monitoring: Monitoring | undefined;
  let mayHaveOrders = mayRest(context.state.earlier); // until the run starts, only orders of earlier processes can rest
  try {
    monitoring = await openMonitors(plan, context);
    const measured = { ...context, state: measuredState(context.state, monitoring?.timed), timed: monitoring?.timed };
    const opening = open(plan, interrupts, measured).catch((thrown: unknown) => {
      if (isRefusal(thrown)) mayHaveOrders = false;
      throw thrown;
    });
    const opened = await Promise.race([opening, interrupts.requested]); // undefined if the run was stopped first
    const { paced } = opened ?? {}; // set for a run with a clock of its own, such as a paper run
    const runContext = { ...measured, clock: paced?.clock ?? clock };
    const inputs = opened && (await openInputsOf(plan, interrupts, runContext));
    const started = opened && start(plan, opened, { ...runContext, inputs: inputs?.events });
    mayHaveOrders ||= started !== undefined;
    const trading = started && (paced?.begin(started, plan.spanMs) ?? started);
    if (trading !== undefined) monitoring?.begin(trading, () => ({ watchdog: watchdogState(plan, watchdog) }));
    const watchOptions = {
      presenter: presentation.presenter,
      clock: runContext.clock,
      interrupts,
      spanMs: paced === undefined ? plan.spanMs : undefined, // otherwise `paced` ends the run
    };
    const outcome = trading && (await watch(trading, watchOptions));
    await Promise.race([Promise.all([opened?.close(), inputs?.close()]), sleep(clock, CLOSING_MS)]);
    if (outcome !== undefined) mayHaveOrders = !isSettled(outcome.ending);
    if (interrupts.firstBug !== undefined) throw interrupts.firstBug.thrown;
    if (outcome?.ending.kind === 'failed') throw outcome.ending.error;
    if (outcome === undefined) say(host.stderr, 'stopped before any order was sent');
    const code = outcome?.ending.kind === 'unsettled' || reportKillSwitch(plan, context) ? 1 : 0;
    return { code, ending: outcome?.ending };
  } finally {
    if (mayHaveOrders) watchdog?.handOver();
    else watchdog?.ended();
    await monitoring?.close();
  }
}

function watchdogState({ hasWatchdog }: RunPlan, watchdog: RunWatchdog | undefined): StatusExtras['watchdog'] {
  if (!hasWatchdog) return 'none';
  return watchdog?.answers === true ? 'ok' : 'silent';
}

/** Returns the state with writes whose duration is measured. */
const measuredState = (state: State, timed: Timed | undefined): State =>
  timed === undefined
    ? state
    : {
        ...state,
        append: (entries, more) => timed('journal', () => state.append?.(entries, more)),
        recordActions: (sealed) => timed('journal', () => state.recordActions(sealed)),
      };

/** Opens the monitors of a run; imports their modules only if one is wanted. */
async function openMonitors(
  plan: RunPlan,
  { host, clock, state, presentation: { log, presenter }, shared }: RunContext,
): Promise<Monitoring | undefined> {
  if (shared === undefined && !isMonitored(plan, host) && presenter.follow === undefined) return undefined;
  const { openMonitoring } = await import('./monitoring.ts');
  return openMonitoring(plan, { host, clock, state, log, presenter, shared });
}

const isSettled = (ending: Ending): boolean => ending.kind === 'settled' || (ending.kind === 'failed' && ending.settled);

/** True if the start was refused because of orders that may belong to others; these must not be cancelled. */
const isRefusal = (thrown: unknown): boolean => thrown instanceof UserError && ['foreign', 'state', 'locked'].includes(thrown.code);

/** Reports a kill switch that is set. Returns true if its mode forbids trading. */
function reportKillSwitch({ facts: { run, state: directory }, venue: { kind } }: RunPlan, { state, host }: RunContext): boolean {
  const set = state.killSwitch?.get() ?? { mode: 'active' };
  const flag = kind.outlivesRun ? flagFor({ directory, facts: { run } }) : undefined;
  if (set.mode !== 'active') say(host.stderr, killSwitchWarning(set, { run, flag }));
  return isStricter(set.mode, 'close-only');
}

/** Connects to the exchange. Prints what its data is worth, and warns if the polls do not fit the limit on requests. */
async function open(
  { venue, facts, config, startTimeoutMs, foreign }: RunPlan,
  interrupts: Interrupts,
  { host, clock, state, presentation: { log, urgent }, claims }: RunContext,
): Promise<OpenVenue> {
  const { seed, markets, state: directory } = facts;
  const toStderr = (text: string): void => say(host.stderr, text);
  const opened = await venue.open({
    clock,
    rng: rngFrom(seed).fork('venue'),
    polling: config.polling,
    limits: config.limits,
    config,
    markets,
    state,
    directory,
    seed,
    log,
    warn: (text) => urgent.warn(text),
    start: { timeoutMs: startTimeoutMs, log: { info: toStderr, warn: toStderr } },
    foreign,
    claim: (claimed: Claimed): void => claims.take(claimed),
    onBug: (thrown) => interrupts.bug(thrown),
  });
  const { polls, quality } = opened.venue.feed;
  if (quality !== undefined) toStderr(`data: ${quality}`);
  const tooMany = polls && requestWarning(polls, config.limits);
  if (tooMany !== undefined) urgent.warn(tooMany);
  return opened;
}

/** Opens the strategy's inputs, and prints the addresses for signals. */
async function openInputsOf(plan: RunPlan, interrupts: Interrupts, { host, clock, state, presentation }: RunContext): Promise<OpenInputs> {
  const { inputs, signals, facts } = plan;
  const rng = rngFrom(facts.seed).fork('inputs');
  const opened = await openInputs({
    inputs,
    clock,
    rng,
    state,
    directory: facts.state,
    signals,
    onBug: (thrown) => interrupts.bug(thrown),
  });
  const { listener } = opened;
  if (listener !== undefined) say(host.stderr, `signals: POST ${listener.urls.join(', ')}; token in ${listener.tokenFile}`);
  for (const url of listener?.urls ?? []) presentation.presenter.served('signals', url);
  return opened;
}

/** Starts the run: it trades from now on. */
function start(
  { facts, venue: { kind }, config, params, origin, decider, foreign, live, reloadedFile, allowance }: RunPlan,
  { venue, paced }: OpenVenue,
  { clock, state, inputs, timed }: Pick<RunContext, 'clock' | 'state'> & Pick<TradingOptions, 'inputs' | 'timed'>,
): Trading {
  const { run, strategy, exchange, seed } = facts;
  const { limits } = config;
  const { markets } = venue.feed;
  const first = decider(markets);
  const reload =
    reloadedFile === undefined
      ? undefined
      : reloading(first, { file: reloadedFile, config, seed, markets: facts.markets }, { clock, markets });
  const name = { run, strategy, exchange };
  const { series: _, ...withoutSeries } = state; // a paper run and a backtest of its tape must use the same client order ids
  const trading = startTrading({
    clock,
    venue,
    state: paced === undefined ? state : withoutSeries,
    decide: reload?.decide ?? first,
    limits,
    params,
    seed,
    origin,
    name,
    live,
    newExchange: !kind.outlivesRun,
    foreign,
    inputs,
    allowance,
    timed,
  });
  reload?.begin(trading.run.done);
  keepNow(trading, { directory: facts.state, clock });
  keepHistory(trading, facts.state);
  return trading;
}
