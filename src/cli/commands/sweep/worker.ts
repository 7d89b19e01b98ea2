// A worker process of `bot sweep`: receives jobs one after the other and answers with the outcome of each.
import { messageOf } from '../../../base/errors.ts';
import { runJob } from '../../../research/sweep/job.ts';
import { keyOf, sourcesOf } from '../../../research/sweep/key.ts';
import { openTape, type Tape } from '../../../tape/reader.ts';
import { planBacktest } from '../backtest/plan.ts';
import { strategyOf } from '../run/plan.ts';
import type { Answer, Order } from './fleet.ts';

const answer = (message: Answer): void => void process.send?.(message);

/** Runs the same plan as `bot backtest` with these options. Rejects if anything that the result depends on has changed since the key was made. */
async function played({ key, flags }: Order): Promise<Answer> {
  const tapes: Tape[] = [];
  try {
    for (const file of flags.tape) tapes.push(await openTape(file));
    const plan = await planBacktest(flags, tapes);
    const { strategy, path } = await strategyOf(flags);
    if (keyOf(plan, sourcesOf({ name: strategy.name, path })) !== key)
      throw new Error('the program, the strategy or a tape was changed while the sweep ran; start the sweep again');
    const outcome = await runJob(plan);
    return outcome.kind === 'failed' ? outcome : { ...outcome, returns: [...outcome.returns] };
  } finally {
    for (const tape of tapes) await tape.close();
  }
}

process.on('message', (order: Order) => {
  played(order).then(answer, (error: unknown) => answer({ kind: 'broken', message: messageOf(error) }));
});
process.on('disconnect', () => process.exit(0)); // the sweep has ended, or was killed
for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined); // a terminal sends Ctrl-C to all its processes; the sweep decides
