// `bot fleet`: several runs in one process. A run that fails ends alone; limits over all runs can make all of them stricter.
//   command.ts, plan.ts         the options; converts the fleet file to the plans of its runs
//   member.ts, member-host.ts   one run, and its view of the process
//   ../../fleet/                the file, and the limits over all runs
//   monitoring.ts               one page, one address for metrics, one sender of alerts: page.ts, metrics.ts, alerts.ts
//   summary.ts                  output about all runs together
import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { type Millis, sleep, systemClock } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import { StrategyError } from '../../../bot/strategy/decide.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { openFleetState } from '../../fleet/fleet-state.ts';
import { LimitEnforcer } from '../../fleet/limit-enforcer.ts';
import { type Host, say } from '../../host.ts';
import { DEFAULT_RUNS_FOLDER } from '../../known-runs.ts';
import { redirectConsole } from '../../output/console.ts';
import type { FleetFlags } from './command.ts';
import { Member } from './member.ts';
import { openFleetMonitoring } from './monitoring.ts';
import { type FleetPlan, planFleet } from './plan.ts';
import { fleetSummary, startWords, summaryWords } from './summary.ts';

/** Maximum wait at exit for runs that cannot end, and for the output. */
const MAX_WAIT: Millis = 3_000;

/** Returns 0 if all runs succeeded, else the worst exit code. Throws a UserError for wrong input. */
export async function fleet(path: string, flags: FleetFlags, host: Host): Promise<ExitCode> {
  const restoreConsole = flags.json ? redirectConsole((text) => say(host.stderr, text)) : undefined;
  try {
    const current: Current = new AsyncLocalStorage();
    const within = <T>(run: string, work: () => T): T => current.run(run, work);
    const uncaughtErrors = new UncaughtErrors(host, current); // a timer that a strategy starts at its creation may throw before the runs begin
    return await play(await planFleet(path, flags, { clock: systemClock, host, within }), { flags, host, current, uncaughtErrors });
  } catch (thrown) {
    if (!(thrown instanceof StrategyError)) throw thrown;
    say(host.stderr, `error: ${thrown.message}`);
    return 1;
  } finally {
    restoreConsole?.();
  }
}

/** The run whose code is executing, also in its timers and promises. */
type Current = AsyncLocalStorage<string>;

interface Context {
  readonly flags: FleetFlags;
  readonly host: Host;
  readonly current: Current;
  readonly uncaughtErrors: UncaughtErrors;
}

/** Collects uncaught errors; errors from before the start of the runs are kept until the runs exist. */
class UncaughtErrors {
  readonly #early: (readonly [thrown: unknown, run: string | undefined])[] = [];
  #members: readonly Member[] | undefined;

  constructor(host: Host, current: Current) {
    host.onUncaught((thrown) => this.#add(thrown, current.getStore()));
  }

  passTo(members: readonly Member[]): void {
    this.#members = members;
    for (const [thrown, run] of this.#early.splice(0)) this.#add(thrown, run);
  }

  #add(thrown: unknown, run: string | undefined): void {
    if (this.#members === undefined) this.#early.push([thrown, run]);
    else for (const member of membersConcernedBy(thrown, run, this.#members)) member.host.uncaught(thrown);
  }
}

async function play(plan: FleetPlan, { flags, host, current, uncaughtErrors }: Context): Promise<ExitCode> {
  const clock = systemClock;
  const { file } = plan;
  const state = openFleetState(join(flags.state ?? DEFAULT_RUNS_FOLDER, `fleet-${file.name}`));
  try {
    const members = plan.runs.map((run) => new Member(run, host));
    uncaughtErrors.passTo(members);
    const startedAt = clock.now();
    const print = (text: string, line: object): void => say(host.stdout, flags.json ? JSON.stringify(line) : text);
    const enforcer = new LimitEnforcer({
      file,
      runs: members.map((member) => ({
        run: member.plan.facts.run,
        figures: () => member.figures,
        killSwitchMode: () => member.killSwitch.mode,
        raise: (mode, reason) => member.raise(mode, { reason, at: timeText(clock.now()), by: 'fleet' }),
      })),
      state,
      clock,
      onBreach: (breach) => monitoring.breached(breach),
      warn: (text) => say(host.stderr, text),
    });
    const monitoring = await openFleetMonitoring({ file, flags, members, host, clock, print, enforcer });
    print(startWords(file.name, members), {
      kind: 'fleet',
      fleet: file.name,
      runs: members.map(({ name, plan: { facts } }) => ({ member: name, ...facts })),
    });
    enforcer.begin();
    await playAll(members, { host, current, shared: (member) => monitoring.of(member), ended: (member) => monitoring.ended(member) });
    enforcer.check();
    enforcer.close();
    await monitoring.close();
    await flushAll(members);
    const summary = fleetSummary({ fleet: file.name, seconds: (clock.now() - startedAt) / 1_000, members, enforcer });
    print(summaryWords(summary), summary);
    return worstOf(members.map(({ code = 1 }) => code));
  } finally {
    state.close();
  }
}

interface Playing extends Pick<Context, 'host' | 'current'> {
  readonly shared: (member: Member) => Parameters<Member['play']>;
  readonly ended: (member: Member) => void;
}

/** Resolves when all runs have ended. Passes signals to all runs, and uncaught errors to the runs that caused them. */
async function playAll(members: readonly Member[], { host, current, shared, ended }: Playing): Promise<void> {
  host.onSignal((signal) => {
    for (const member of members) member.host.signal(signal);
  });
  host.stdout.once('error', (error: Error) => {
    for (const member of members) member.host.closed(error);
  });
  const playing = members.map((member) =>
    current.run(member.name, async () => {
      await member.play(...shared(member));
      ended(member);
    }),
  );
  // When every run has ended or has called `exitNow`, those that have not ended get MAX_WAIT.
  const leaving = Promise.all(members.map(({ host: { left } }, at) => Promise.race([left, playing[at]])));
  await Promise.race([Promise.all(playing), leaving.then(() => Promise.race([Promise.all(playing), sleep(systemClock, MAX_WAIT)]))]);
}

/** Returns the runs that an uncaught error concerns: the executing run; otherwise those whose strategy's file is in the stack; otherwise all. */
function membersConcernedBy(thrown: unknown, executingRun: string | undefined, members: readonly Member[]): readonly Member[] {
  const executing = members.filter(({ name }) => name === executingRun);
  if (executing.length > 0) return executing;
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const named = members.filter(({ plan: { origin } }) => origin.file !== undefined && stack.includes(origin.file));
  return named.length > 0 ? named : members;
}

/** Waits until the output of all runs is written, at most MAX_WAIT. */
async function flushAll(members: readonly Member[]): Promise<void> {
  const outputs = members.flatMap(({ host: { stdout, stderr } }) => [stdout, stderr]);
  const all = Promise.all(outputs.map((output) => new Promise<void>((resolve) => void output.write('', () => resolve()))));
  await Promise.race([all, sleep(systemClock, MAX_WAIT)]);
}

const worstOf = (codes: readonly ExitCode[]): ExitCode => codes.reduce((worst, code) => (code > worst ? code : worst), 0);
