// `bot ui`: serves a page for runs of other processes, or for recordings, until it is stopped.
import { existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { readHistory } from '../../../bot/run/core/history-file.ts';
import { readNow } from '../../../bot/run/core/now.ts';
import { readRecording } from '../../../bot/run/state/turn-recorder.ts';
import { explainOrder } from '../../../research/order-history.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import type { ListedRun } from '../../monitoring/listed-run.ts';
import type { PageSource, PageSources } from '../../monitoring/page/api.ts';
import { type FollowedSource, followedSource } from '../../monitoring/page/followed.ts';
import { openPage } from '../../monitoring/page/page.ts';
import { replaySource } from '../../monitoring/page/replay.ts';
import { historyReader, runListOf } from '../../monitoring/page/run-list.ts';
import { newestRecording } from '../../monitoring/page/tail.ts';
import { servedWords } from '../../output/words.ts';
import { allRuns, type ResolvedRun, resolveState, runIn } from '../../resolve-state.ts';
import { isRunAlive } from '../../run-alive.ts';
import { runLineOf } from '../../run-line.ts';
import type { UiFlags } from './command.ts';
import { pagesFolder, stopBy } from './link.ts';

interface UiContext {
  readonly flags: UiFlags;
  readonly host: Host;
}

/** Serves until a signal. Throws a UserError if there is no such run or recording. */
export async function ui(run: string | undefined, flags: UiFlags, host: Host): Promise<ExitCode> {
  const sources = await sourcesOf(run, { flags, host });
  const onBug = (thrown: unknown): void => say(host.stderr, `error: ${messageOf(thrown)}`);
  const listed = { folder: pagesFolder(host.env), shows: run ?? flags.state ?? flags.recording ?? 'all runs', pid: host.pid };
  const page = await openPage({ clock: systemClock, port: flags.port ?? 0, sources, listed, onBug });
  say(host.stdout, flags.json === true ? JSON.stringify({ kind: 'ui', url: page.link }) : servedWords('ui', page.link));
  await new Promise<void>((resolve) => host.onSignal(() => resolve()));
  await page.close();
  return 0;
}

async function sourcesOf(run: string | undefined, context: UiContext): Promise<PageSources> {
  const { flags } = context;
  if (flags.recording !== undefined) {
    if (run !== undefined || flags.state !== undefined)
      throw new UserError({ code: 'use', message: 'a run and --recording were both given', hint: 'give one of them' });
    const source = await recordingSource(flags.recording, context);
    return { open: async () => source };
  }
  if (run === undefined && flags.state === undefined) return allSources(context);
  const resolved = resolveState({ run, ...flags }, 'newest', context.host);
  const open = opener(context);
  return { open: () => open(resolved) };
}

function allSources(context: UiContext): PageSources {
  const { host } = context;
  const open = opener(context);
  const historyIn = historyReader();
  return {
    // the id of a run in the list is its directory, because two runs in different directories may have the same name
    list: () => {
      const at = systemClock.now();
      const runs = allRuns(host).map((run): ListedRun => {
        const now = readNow(run.directory);
        const line = runLineOf({ ...run, now }, { at, venues: host.venues });
        return { line, id: line.state, today: now?.today, history: historyIn(run.directory) };
      });
      return runListOf(runs, at);
    },
    open: async (run) => {
      const found = allRuns(host).find(({ directory }) => directory === run);
      if (found === undefined) throw new UserError({ code: 'run', message: 'there is no such run', hint: 'choose one of the list' });
      return open(found);
    },
  };
}

/** Returns a function that opens each run once: a live run follows its recording; after its end it is opened again as a replay. */
function opener(context: UiContext): (run: ResolvedRun) => Promise<PageSource> {
  const following = new Map<string, FollowedSource>();
  const replaying = new Map<string, Promise<PageSource>>();
  return async (run) => {
    const { directory } = run;
    if (following.get(directory)?.hasEnded() === true) following.delete(directory);
    const followed = following.get(directory) ?? (isRunAlive(directory) ? followedRun(run, context) : undefined);
    if (followed === undefined) return once(replaying, directory, () => endedSource(run, context));
    following.set(directory, followed);
    replaying.delete(directory);
    if (!followed.refresh())
      throw new UserError({ code: 'run', message: 'the run has recorded nothing yet', hint: 'it may wait for the exchange' });
    return followed;
  };
}

/** Returns the promise of an earlier call with the same key, unless it was rejected. */
function once<T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = made.get(key) ?? make();
  made.set(key, found);
  found.catch(() => made.delete(key));
  return found;
}

const followedRun = ({ directory, facts }: ResolvedRun, { flags, host }: UiContext): FollowedSource =>
  followedSource({
    run: { run: facts.run, exchange: host.venues.exchangeAt(facts.exchange).name, directory },
    clock: systemClock,
    isAlive: () => isRunAlive(directory),
    why: (order) => explainOrder(order, { directory, run: facts.run }),
    stop: flags.control === true ? stopBy(directory, systemClock) : undefined,
    history: () => readHistory(directory),
  });

/** Opens the recording of an ended run as a replay, positioned at the end. */
async function endedSource({ directory, facts }: ResolvedRun, { host }: UiContext): Promise<PageSource> {
  const files = newestRecording(directory);
  if (files.length === 0) throw new UserError({ code: 'run', message: `the run ${facts.run} has no recording`, hint: 'it never traded' });
  const run = { run: facts.run, exchange: host.venues.exchangeAt(facts.exchange).name, directory };
  return replaySource({
    lines: await linesOf(files),
    run,
    clock: systemClock,
    at: 'end',
    why: (order) => explainOrder(order, { directory, run: facts.run }),
    history: () => readHistory(directory),
  });
}

const RECORDING_HINT = 'a recording is a turns-….jsonl.gz in the state directory of a run';

async function recordingSource(file: string, { host }: UiContext): Promise<PageSource> {
  if (!existsSync(file)) throw new UserError({ code: 'recording', message: `there is no file ${file}`, hint: RECORDING_HINT });
  if (!statSync(file).isFile()) throw new UserError({ code: 'recording', message: `${file} is not a file`, hint: RECORDING_HINT });
  const resolved = runIn(dirname(file), host.venues);
  const run = {
    run: resolved?.facts.run ?? basename(file),
    exchange: resolved === undefined ? 'a recording' : host.venues.exchangeAt(resolved.facts.exchange).name,
    directory: undefined,
  };
  const why = async (order: string): Promise<unknown> => {
    if (resolved !== undefined) return explainOrder(order, { directory: resolved.directory, run: resolved.facts.run });
    throw new UserError({ code: 'run', message: 'the history of an order is in the state directory of its run' });
  };
  return replaySource({ lines: await linesOf([file]), run, clock: systemClock, why });
}

/** Reads lines up to the first damaged part. Throws a UserError if a file is not a recording. */
async function linesOf(files: readonly string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const file of files) {
    try {
      for await (const line of readRecording(file)) lines.push(line);
    } catch (error) {
      if (lines.length === 0) throw new UserError({ code: 'recording', message: `${file} cannot be read: ${messageOf(error)}` });
      break;
    }
  }
  return lines;
}
