// Runs seeds on all cores: one worker process per core, which receives the next seed when it has finished one.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { moduleUrl } from '../../../base/package.ts';
import type { SimulationTrial, TrialOptions } from '../../../research/simulation/trial.ts';
import type { Host } from '../../host.ts';
import { WORKER_OPTIONS } from '../../process/heap.ts';

const WORKER = fileURLToPath(moduleUrl('program/commands/torture/worker'));

export interface Work extends Omit<TrialOptions, 'seed'> {
  /** Default: chosen by the seed. */
  readonly strategy?: string | undefined;
}

/** The message to a worker, and its result. */
export type SeedJob = Work & { readonly seed: string };
export type SeedResult = { readonly kind: 'done'; readonly trial: SimulationTrial } | { readonly kind: 'broken'; readonly message: string };

/** Resolves with the number of processes when all seeds are done or the program is stopped; rejects with the error of a worker. */
export async function inWorkers(seeds: readonly string[], work: Work, host: Host, done: (trial: SimulationTrial) => void): Promise<number> {
  const waiting = [...seeds];
  const workerCount = Math.min(waiting.length, availableParallelism());
  let stopped = false;
  host.onExit(() => {
    stopped = true;
  });
  const runWorker = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(WORKER, { execArgv: [...process.execArgv, ...WORKER_OPTIONS], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const next = (): void => {
        const seed = stopped ? undefined : waiting.shift();
        if (seed === undefined) worker.disconnect();
        else worker.send({ ...work, seed } satisfies SeedJob);
      };
      worker.on('message', (result: SeedResult) => {
        if (result.kind === 'broken') {
          waiting.length = 0;
          worker.disconnect();
          return reject(new Error(result.message));
        }
        done(result.trial);
        next();
      });
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 || code === null ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      next();
    });
  await Promise.all(Array.from({ length: workerCount }, runWorker));
  return workerCount;
}
