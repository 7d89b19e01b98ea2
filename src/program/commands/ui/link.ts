// `bot ui link`: makes a new one-time link for an open page of this user on this machine.
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { COMMAND } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import { type Environment, machineFolder } from '../../../bot/run/state/machine.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import type { StopMode } from '../../monitoring/page/contract.ts';
import { makeLink, type OpenPage, openPages } from '../../monitoring/page/open-pages.ts';
import { servedWords } from '../../output/words.ts';
import type { LinkFlags } from './command.ts';

/** Returns the folder that lists the open pages of this user. */
export const pagesFolder = (env: Environment): string => join(machineFolder(env), 'pages');

/** Throws a UserError if no page, or more than one, matches. */
export async function link(run: string | undefined, { port, json }: LinkFlags, host: Host): Promise<ExitCode> {
  const folder = pagesFolder(host.env);
  const pages = openPages(folder, (pid) => host.isRunning(pid));
  const url = makeLink(folder, chosen(pages, { run, port }), systemClock.now());
  say(host.stdout, json ? JSON.stringify({ kind: 'ui', url }) : servedWords('ui', url));
  return 0;
}

function chosen(pages: readonly OpenPage[], { run, port }: { run: string | undefined; port: number | undefined }): OpenPage {
  const fitting = pages.filter((page) => (run === undefined || page.shows === run) && (port === undefined || page.port === port));
  const [only, ...more] = fitting;
  if (only !== undefined && more.length === 0) return only;
  const listed = pages.map((page) => `${page.shows} on port ${page.port}`).join(', ');
  if (pages.length === 0) throw wrongPage('no page is open on this machine', 'start one: run --ui, fleet --ui, or ui');
  if (only === undefined) throw wrongPage(`no such page is open; there are: ${listed}`, 'give one of the ports: --port N');
  throw wrongPage(`${fitting.length} pages are open: ${listed}`, `give the port of one, as in --port ${only.port}`);
}

const wrongPage = (message: string, hint: string): UserError => new UserError({ code: 'run', message, hint });

/**
 * Returns the only control of the page: a function that sets the kill switch of a state directory, as `kill` does, and never makes it less strict. A live run
 * acts on it within a second.
 */
export function stopBy(directory: string, clock: Clock): (mode: StopMode) => void {
  return (mode) => {
    const cause = {
      reason: `a person pressed ${mode === 'kill' ? 'stop' : 'close only'} on the page`,
      at: timeText(clock.now()),
      by: 'page',
    };
    try {
      new KillSwitch(nodeDisk(directory)).raise(mode === 'kill' ? 'cancel-all' : 'close-only', cause);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      const message = `the kill switch cannot be set, because the state directory cannot be written: ${error.message}`;
      throw new UserError({ code: 'state', message, hint: `type: ${COMMAND} kill --state ${directory}` });
    }
  };
}
