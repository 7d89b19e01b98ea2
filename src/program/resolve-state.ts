// Finds the run that a command refers to: by name, by state directory, or as the only candidate.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { COMMAND } from '../base/package.ts';
import { suggestion } from '../base/text/phrases.ts';
import type { Environment } from '../bot/run/state/machine.ts';
import { type RunFacts, readFacts } from '../venues/kind/facts.ts';
import type { Host } from './host.ts';
import { DEFAULT_RUNS_FOLDER, knownRuns } from './known-runs.ts';
import { isRunAlive } from './run-alive.ts';
import type { Venues } from './venues.ts';

export interface StateFlags {
  readonly state?: string;
}

export interface ResolvedRun {
  readonly directory: string;
  readonly facts: RunFacts;
}

interface RunQuery extends StateFlags {
  readonly run?: string | undefined;
}

/** Where to search for runs. */
export interface RunPlaces {
  /** The exchanges that a run may trade at. */
  readonly venues: Venues;
  /** The directory of all runs' directories. */
  readonly home?: string | undefined;
  /** Determines the folder that lists the runs of this machine; without it only runs in `home` are found. */
  readonly env?: Environment | undefined;
}

/** `newest`: if no run is alive, the newest one that has ended is taken. */
export type Preferred = 'living' | 'newest';

/** Throws a UserError `run` if no run, or more than one, matches. Changes nothing on disk. */
export function resolveState({ run, state }: RunQuery, preferred: Preferred, places: RunPlaces): ResolvedRun {
  const { home = DEFAULT_RUNS_FOLDER } = places;
  if (run !== undefined && state !== undefined) throw wrongRun('a run and --state were both given', 'give one of them');
  if (state !== undefined) return inDirectory(state, places);
  if (run !== undefined) return runNamed(run, places);
  const { living, newest } = livingAndNewest(places);
  const [only, ...more] = living;
  if (only !== undefined && more.length > 0)
    throw wrongRun(`${living.length} runs are alive: ${namesOf(living)}`, `name one, as in --state ${only.directory}`);
  if (only !== undefined) return only;
  if (preferred === 'newest' && newest !== undefined) return newest;
  const others = runsElsewhere(places).filter(({ directory }) => isRunAlive(directory));
  if (others.length > 0) throw wrongRun(`no run in ${home} is alive`, `name the run; alive on this machine: ${namesOf(others)}`);
  throw newest === undefined
    ? wrongRun(`there is no run in ${home}`, 'give its state directory: --state DIR')
    : wrongRun('no run is alive', `name the run; the last one was ${newest.facts.run}`);
}

/** Returns the run of `state`; without it all live runs, or the newest if none is alive. Throws a UserError `run` if `state` is not the directory of a run. */
export function resolveStates({ state }: StateFlags, places: RunPlaces): readonly ResolvedRun[] {
  if (state !== undefined) return [inDirectory(state, places)];
  const { living, newest } = livingAndNewest(places);
  return living.length > 0 || newest === undefined ? living : [newest];
}

export function livingAndNewest(places: RunPlaces): { readonly living: readonly ResolvedRun[]; readonly newest: ResolvedRun | undefined } {
  const all = runsIn(places);
  return {
    living: all.filter(({ directory }) => isRunAlive(directory)),
    newest: all.toSorted((a, b) => (a.facts.started < b.facts.started ? 1 : -1))[0],
  };
}

/** Returns the argument that names a run on a command line. */
export const flagFor = ({ directory, facts: { run } }: { readonly directory: string; readonly facts: Pick<RunFacts, 'run'> }): string =>
  directory === join(DEFAULT_RUNS_FOLDER, run) ? run : `--state ${directory}`;

function inDirectory(directory: string, { venues }: RunPlaces): ResolvedRun {
  const facts = readFacts(directory, venues);
  if (facts !== undefined) return { directory, facts };
  throw existsSync(directory)
    ? wrongRun(`${directory} is not a state directory of a run`, 'give the directory that the run was started with')
    : wrongRun(`there is no directory ${directory}`, 'check --state');
}

/** Returns the run of that name; one in `home` goes before those elsewhere on this machine. */
function runNamed(run: string, places: RunPlaces): ResolvedRun {
  const [here, others] = [runsIn(places), runsElsewhere(places)];
  const isNamed = ({ directory, facts }: ResolvedRun): boolean => facts.run === run || basename(directory) === run;
  const [found, ...more] = here.some(isNamed) ? here.filter(isNamed).slice(0, 1) : others.filter(isNamed);
  if (found !== undefined && more.length > 0) {
    const directories = [found, ...more].map(({ directory }) => directory);
    throw wrongRun(
      `${directories.length} runs are named "${run}": ${directories.join(', ')}`,
      `name one, as in --state ${found.directory}`,
    );
  }
  if (found !== undefined) return found;
  const known = [...here, ...others].map(({ facts }) => facts.run);
  throw wrongRun(
    `there is no run "${run}" in ${places.home ?? DEFAULT_RUNS_FOLDER}`,
    suggestion(run, known, `${COMMAND} status lists all runs; or give a state directory: --state DIR`),
  );
}

/** Returns the runs of this user on this machine, and those of the current directory. */
export function listedRuns(host: Pick<Host, 'env' | 'venues'>): readonly ResolvedRun[] {
  return [...runsIn(host), ...runsElsewhere(host)];
}

/** Returns the runs of this user on this machine that are not in `home`. */
function runsElsewhere(places: RunPlaces): readonly ResolvedRun[] {
  const { venues, env } = places;
  if (env === undefined) return [];
  const here = new Set(runsIn(places).map(({ directory }) => resolve(directory)));
  return knownRuns(env).flatMap((directory) => (here.has(directory) ? [] : (runIn(directory, venues) ?? [])));
}

/** Returns the runs of `listedRuns` with whether each is alive: live ones first, then the newest. */
export function allRuns(host: Pick<Host, 'env' | 'venues'>): readonly (ResolvedRun & { readonly alive: boolean })[] {
  return listedRuns(host)
    .map((run) => ({ ...run, alive: isRunAlive(run.directory) }))
    .toSorted((a, b) => Number(b.alive) - Number(a.alive) || b.facts.started.localeCompare(a.facts.started));
}

/** Returns all runs in `home` with readable facts. */
const runsIn = (places: RunPlaces): readonly ResolvedRun[] =>
  foldersIn(places).flatMap((directory) => runIn(directory, places.venues) ?? []);

/** Returns the folders in `home`: the state directories of runs, and others. */
export function foldersIn({ home = DEFAULT_RUNS_FOLDER }: RunPlaces): readonly string[] {
  if (!existsSync(home)) return [];
  return readdirSync(home, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [join(home, entry.name)] : []));
}

/** Returns the run of a directory; undefined if its facts are missing or cannot be read. */
export function runIn(directory: string, venues: Venues): ResolvedRun | undefined {
  try {
    const facts = readFacts(directory, venues);
    return facts && { directory, facts };
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const namesOf = (runs: readonly ResolvedRun[]): string => runs.map(({ facts }) => facts.run).join(', ');

const wrongRun = (message: string, hint: string): UserError => new UserError({ code: 'run', message, hint });
