// Seeds worked off on all cores: a process each, which asks for the next seed when it has done one.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { moduleUrl } from '../../../base/package.ts';
import type { Trial, TrialOptions } from '../../../simulation/trial.ts';
import type { Host } from '../../host.ts';

const WORKER = fileURLToPath(moduleUrl('cli/commands/torture/worker'));

/** For what lives no longer than one request: with less, a tenth of the time goes to its collection. */
const ROOM = '--max-semi-space-size=64';

export interface Work extends Omit<TrialOptions, 'seed'> {
  /** The seed's own unless set. */
  readonly strategy?: string | undefined;
}

/** What a worker is told, and what it answers. */
export type Order = Work & { readonly seed: string };
export type Answer = { readonly kind: 'done'; readonly trial: Trial } | { readonly kind: 'broken'; readonly message: string };

/** Resolves with the number of processes when all seeds are done; rejects with what broke one. */
export async function inWorkers(seeds: readonly string[], work: Work, host: Host, done: (trial: Trial) => void): Promise<number> {
  const waiting = [...seeds];
  const cores = Math.min(waiting.length, availableParallelism());
  let stopped = false;
  host.onExit(() => {
    stopped = true;
  });
  const workOff = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = fork(WORKER, { execArgv: [...process.execArgv, ROOM], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const next = (): void => {
        const seed = stopped ? undefined : waiting.shift();
        if (seed === undefined) worker.disconnect();
        else worker.send({ ...work, seed } satisfies Order);
      };
      worker.on('message', (answer: Answer) => {
        if (answer.kind === 'broken') {
          waiting.length = 0;
          worker.disconnect();
          return reject(new Error(answer.message));
        }
        done(answer.trial);
        next();
      });
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 || code === null ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      next();
    });
  await Promise.all(Array.from({ length: cores }, workOff));
  return cores;
}
