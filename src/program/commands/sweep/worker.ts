// `bot sweep worker`: runs points of sweeps of other machines, either from a queue or by index (`--index` of `--of` workers).
import { availableParallelism } from 'node:os';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { wrongValue } from '../../values.ts';
import type { WorkerFlags } from './command.ts';
import { sweep } from './sweep.ts';

export async function worker(flags: WorkerFlags, host: Host): Promise<ExitCode> {
  const { queueUrl, tapes = '', strategies, workers = availableParallelism(), cache, cacheSize, lease, json } = flags;
  if (queueUrl === undefined) return byIndex(flags, host);
  const { queueWorker } = await import('./queue/queue-worker.ts');
  return queueWorker({ queue: queueUrl, tapes, strategies, workers, cache, cacheSize, lease, ...(json && { json }) }, host);
}

/** Runs the points whose number modulo `of` is `index`, and stores the results. */
async function byIndex(flags: WorkerFlags, host: Host): Promise<ExitCode> {
  const { tapes: _t, strategies: _f, cache: _c, cacheSize: _s, lease: _l, index: typed, of: count = 1, ...sweepFlags } = flags;
  const index = typed ?? Number(host.env['JOB_COMPLETION_INDEX'] ?? Number.NaN);
  if (!(Number.isInteger(index) && index >= 0 && index < count))
    throw wrongValue(
      typed === undefined
        ? 'neither --queue nor --index was given, and JOB_COMPLETION_INDEX is not set'
        : `--index ${typed} is not below --of ${count}`,
      'write --queue redis://…, or --index from 0 to one less than --of',
    );
  const code = await sweep(sweepFlags, host, { index, count });
  if (code === 0) say(host.stderr, `worker ${index} of ${count} is done; its results are in ${flags.store}`);
  return code;
}
