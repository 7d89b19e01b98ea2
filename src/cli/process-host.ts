// The process itself as a host.
import { isAlive } from '../base/alive.ts';
import type { Clock } from '../base/clock.ts';
import type { ExitCode, Host } from './host.ts';
import { unblocked } from './terminal/terminal-output.ts';

/** All that end a process unless it listens, and that Node lets it listen to. The rest (SIGKILL, SIGSTOP, SIGPROF, faults of the process) is the watchdog's. */
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

/** Signals nearer to each other than this are one key press. */
const ECHO_MS = 300;

type Process = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'on' | 'pid' | 'kill' | 'execPath' | 'execArgv' | 'argv'>;

export function processHost(process: Process, { clock, exit }: { clock: Clock; exit: (code: ExitCode) => void }): Host {
  const { stdin, env, pid, execPath, execArgv, argv } = process;
  const [stdout, stderr] = [unblocked(process.stdout), unblocked(process.stderr)];
  for (const output of [stdout, stderr]) output.on('error', () => undefined); // a reader who has gone is no mistake; whoever must know listens too
  return {
    stdin,
    stdout,
    stderr,
    env,
    self: { program: execPath, args: [...execArgv, ...argv.slice(1, 2)] },
    pid,
    isRunning: isAlive,
    askToEnd(other) {
      try {
        process.kill(other, 'SIGTERM');
      } catch {
        // whoever asks looks whether it ends
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
    },
    onUncaught: (listener) => void process.on('uncaughtException', listener),
    onExit: (listener) => void process.on('exit', listener),
    exitNow: exit,
  };
}
