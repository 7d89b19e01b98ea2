// The `Host` of the real process.

import type { Clock, Millis } from '../../base/clock.ts';
import { isAlive } from '../../base/files/node-disk.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Host } from '../host.ts';
import { VENUES, type Venues } from '../venues.ts';
import { nonBlocking } from './terminal-output.ts';

/** Signals that end a process without a listener and that Node can listen to. The others (SIGKILL, SIGSTOP, SIGPROF, crashes) are left to the watchdog. */
const ENDING = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGXCPU',
  'SIGVTALRM',
  'SIGIO',
  'SIGPWR',
  'SIGSTKFLT',
  'SIGABRT',
] as const;

/** Signals that are closer together than this count as one: npm repeats a Ctrl-C that the terminal has already sent. */
const ECHO_MS = 300;

/**
 * The environment variable in which the script `bot` of package.json passes the id of npm. Npm passes on only SIGINT and SIGTERM; if it ends in another way,
 * the bot would trade on without it.
 */
const STARTER = 'BOT_STARTED_BY';
const STARTER_CHECKED_EVERY: Millis = 1_000;

interface ProcessOptions {
  readonly clock: Clock;
  readonly exit: (code: ExitCode) => void;
  /** Default: the exchanges of program/venues.ts. */
  readonly venues?: Venues | undefined;
}

type Process = Pick<
  NodeJS.Process,
  'stdin' | 'stdout' | 'stderr' | 'env' | 'on' | 'pid' | 'kill' | 'execPath' | 'execArgv' | 'argv' | 'ppid'
>;

export function processHost(process: Process, { clock, exit, venues = VENUES }: ProcessOptions): Host {
  const { stdin, env, pid, execPath, execArgv, argv } = process;
  const [stdout, stderr] = [nonBlocking(process.stdout), nonBlocking(process.stderr)];
  for (const output of [stdout, stderr]) output.on('error', () => undefined); // ignores a closed pipe; code that must react adds its own listener
  return {
    stdin,
    stdout,
    stderr,
    env,
    venues,
    self: { program: execPath, args: [...execArgv, ...argv.slice(1, 2)] },
    pid,
    isRunning: isAlive,
    askToEnd(other) {
      try {
        process.kill(other, 'SIGTERM');
      } catch {
        // the caller checks whether the process ends
      }
    },
    onSignal(listener) {
      let last: number | undefined;
      for (const name of ENDING) {
        process.on(name, () => {
          const before = last;
          last = clock.now();
          if (before === undefined || last - before > ECHO_MS) listener({ name, again: before !== undefined });
        });
      }
      onStarterGone(process, clock, () => listener({ name: 'the end of the process that started it', again: last !== undefined }));
    },
    onUncaught: (listener) => void process.on('uncaughtException', listener),
    onExit: (listener) => void process.on('exit', listener),
    exitNow: exit,
  };
}

/** Calls `gone` once when npm has ended. Never if npm is not the parent of this process, as with nohup node, setsid node, systemd and containers. */
function onStarterGone(process: Process, clock: Clock, gone: () => void): void {
  const starter = process.ppid;
  if (process.env[STARTER] !== String(starter)) return;
  const check = (): void => (process.ppid === starter ? void clock.at(clock.now() + STARTER_CHECKED_EVERY, check) : gone());
  check();
}
