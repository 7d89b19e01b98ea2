// Runs seeds on all cores: one worker process per core, which receives the next seed when it has finished one.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { moduleUrl } from '../../../base/package.ts';
import type { SimulationTrial, TrialOptions } from '../../../research/simulation/trial.ts';
import { WORKER_OPTIONS } from '../../process/heap.ts';

const WORKER = fileURLToPath(moduleUrl('program/commands/torture/worker'));

export interface Work extends Omit<TrialOptions, 'seed'> {
  /** Default: chosen by the seed. */
  readonly strategy?: string | undefined;
}

/** The message to a worker, and its result. */
export type SeedJob = Work & { readonly seed: string };
export type SeedResult = { readonly kind: 'done'; readonly trial: SimulationTrial } | { readonly kind: 'broken'; readonly message: string };

/** Resolves with the number of processes when all seeds are done. Rejects with the error of a worker, and if one ends without the result of its seed. */
export async function inWorkers(seeds: readonly string[], work: Work, done: (trial: SimulationTrial) => void): Promise<number> {
  const waiting = [...seeds];
  const workerCount = Math.min(waiting.length, availableParallelism());
  const runWorker = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(WORKER, { execArgv: [...process.execArgv, ...WORKER_OPTIONS], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      let seed: string | undefined;
      const next = (): void => {
        seed = waiting.shift();
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
      worker.on('exit', (code, signal) => {
        if (seed === undefined) resolve();
        else reject(new Error(`the worker that played seed ${seed} ended with ${signal ?? code} before its result`));
      });
      next();
    });
  await Promise.all(Array.from({ length: workerCount }, runWorker));
  return workerCount;
}
