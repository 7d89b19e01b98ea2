// Finds the run to kill, even if its facts are damaged or lost: any directory with a file of a run is accepted.
import { readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { killSwitchFile } from '../../../bot/journal/kill-switch.ts';
import { foldersIn, livingAndNewest, type RunPlaces, resolveState, runIn } from '../../resolve-state.ts';
import { processOf } from '../../run-alive.ts';
import type { KillFlags } from './command.ts';
import { type FoundFacts, factsLeftIn } from './find-account.ts';

export interface KillTarget extends FoundFacts {
  readonly directory: string;
}

/**
 * Throws a UserError `run` if no run, or more than one, matches; `state` if another user could have written to the directory. In this case nothing in
 * the directory is used, but the kill switch is still set.
 */
export function killTarget({ run, state, ...given }: KillFlags & { readonly run?: string | undefined }, places: RunPlaces): KillTarget {
  const directory = directoryOf({ run, state }, places);
  try {
    return { directory, ...factsLeftIn(directory, { disk: nodeDisk(directory), venues: places.venues, given }) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { code, message, hint } = error;
    const whether = setKillSwitchUnread(directory) ? 'its kill switch was set to cancel-all' : 'its kill switch could not be set either';
    throw new UserError({ code, message: `${message}; ${whether}, and kill cancelled nothing itself`, hint });
  }
}

/** Sets the kill switch without reading anything in the directory and without following a link. */
function setKillSwitchUnread(directory: string): boolean {
  try {
    writeFileSync(join(directory, killSwitchFile('cancel-all')), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST';
  }
}

function directoryOf({ run, state }: { run: string | undefined; state: string | undefined }, places: RunPlaces): string {
  if (run === undefined && state !== undefined && holdsRunFiles(state)) return state;
  if (run !== undefined && state === undefined) {
    const named = damagedRuns(places).find((directory) => basename(directory) === run);
    if (named !== undefined) return named;
  }
  if (run === undefined && state === undefined) {
    const living = damagedRuns(places).filter((directory) => processOf(directory) !== undefined);
    const readable = livingAndNewest(places).living.map(({ directory }) => directory);
    const only = readable.length === 1 ? readable : []; // the only live run with readable facts
    if (living.length === 1 && only.length === 0) return living[0] ?? '';
    if (living.length > 0) throw severalRuns([...living, ...only]);
  }
  return resolveState({ run, ...(state !== undefined && { state }) }, 'living', places).directory;
}

const severalRuns = (directories: readonly string[]): UserError =>
  new UserError({
    code: 'run',
    message: `more than one run may be alive: ${directories.join(', ')}`,
    hint: `name one, as in --state ${directories[0]}`,
  });

const RUN_FILES = /^(?:facts\.json|journal-.*\.log|lock.*|session\.key|LATCH-.*)$/;

const holdsRunFiles = (directory: string): boolean => {
  try {
    return readdirSync(directory).some((name) => RUN_FILES.test(name));
  } catch {
    return false;
  }
};

/** Returns the directories of runs with lost or unusable facts. */
const damagedRuns = (places: RunPlaces): readonly string[] =>
  foldersIn(places).filter((directory) => holdsRunFiles(directory) && runIn(directory, places.venues) === undefined);
