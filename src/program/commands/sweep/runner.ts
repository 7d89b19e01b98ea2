// Chooses the runner of a sweep: processes of this machine, or the workers of a queue.
import { availableParallelism } from 'node:os';
import { systemClock } from '../../../base/clock.ts';
import { type Host, say } from '../../host.ts';
import type { SweepFlags } from './command.ts';
import { LocalRunner } from './jobs/local-runner.ts';
import type { Ended, Runner, Task } from './jobs/messages.ts';

interface RunnerOptions {
  readonly flags: SweepFlags;
  readonly host: Host;
  readonly done: (task: Task, ended: Ended) => void;
}

/** Throws a UserError if the queue cannot be used. */
export async function runnerOf(tasks: readonly Task[], { flags, host, done }: RunnerOptions): Promise<Runner> {
  if (flags.jobs !== undefined) {
    const { QueueRunner } = await import('./queue/queue-runner.ts');
    const queued = (): void => {
      if (flags.json) say(host.stdout, JSON.stringify({ kind: 'queued', jobs: tasks.length }));
    };
    return new QueueRunner(tasks, { url: flags.jobs, clock: systemClock, done, queued, say: (message) => say(host.stderr, message) });
  }
  return new LocalRunner(tasks, { workers: Math.min(flags.workers ?? availableParallelism(), tasks.length), clock: systemClock, done });
}
