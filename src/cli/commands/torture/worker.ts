// A worker process of `bot torture`: receives seeds one after the other and answers with the result of each.
import { messageOf } from '../../../base/errors.ts';
import { usualStrategy } from '../../../simulation/plan/subjects.ts';
import { trial } from '../../../simulation/trial.ts';
import { subjectOf } from './torture.ts';
import type { SeedResult, SeedJob } from './worker-pool.ts';

const answer = (message: SeedResult): void => void process.send?.(message);
const subjects = new Map<string, ReturnType<typeof subjectOf>>();

process.on('message', (order: SeedJob) => {
  const { strategy = usualStrategy(order.seed, order.profile), ...options } = order;
  const subject = subjects.get(strategy) ?? subjectOf(strategy);
  subjects.set(strategy, subject);
  subject
    .then((loaded) => trial(loaded, options))
    .then(
      (made) => answer({ kind: 'done', trial: made }),
      (error: unknown) => answer({ kind: 'broken', message: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) }),
    );
});
