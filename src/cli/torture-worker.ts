// One process of `bot torture`: it is told seeds, one after the other, and answers with what each came to.
import { messageOf } from '../base/errors.ts';
import { trial } from '../torture/trial.ts';
import { subjectOf } from './commands/torture.ts';
import type { Answer, Order } from './commands/torture-fleet.ts';

const answer = (told: Answer): void => void process.send?.(told);
let subject: ReturnType<typeof subjectOf> | undefined;

process.on('message', (order: Order) => {
  const { strategy, ...options } = order;
  subject ??= subjectOf(strategy);
  subject
    .then((loaded) => trial(loaded, options))
    .then(
      (made) => answer({ kind: 'done', trial: made }),
      (error: unknown) => answer({ kind: 'broken', message: error instanceof Error ? (error.stack ?? error.message) : messageOf(error) }),
    );
});
