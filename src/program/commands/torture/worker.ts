// A worker process of `bot torture`: receives seeds one after the other and answers with the result of each.
import { messageOf } from '../../../base/errors.ts';
import { defaultStrategyFor } from '../../../research/simulation/plan/subjects.ts';
import { trial } from '../../../research/simulation/trial.ts';
import { loadSubject } from './torture.ts';
import type { SeedJob, SeedResult } from './worker-pool.ts';

const send = (result: SeedResult): void => void process.send?.(result);
const subjects = new Map<string, ReturnType<typeof loadSubject>>();

process.on('message', (job: SeedJob) => {
  const { strategy = defaultStrategyFor(job.seed, job), ...options } = job;
  const subject = subjects.get(strategy) ?? loadSubject(strategy);
  subjects.set(strategy, subject);
  subject
    .then((loaded) => trial(loaded, options))
    .then(
      (made) => send({ kind: 'done', trial: made }),
      (error: unknown) => send({ kind: 'broken', message: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) }),
    );
});
