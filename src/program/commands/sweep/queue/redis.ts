// Connects to Redis, and checks that its settings do not lose jobs.
import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { messageOf, UserError } from '../../../../base/errors.ts';
import { packageOf } from '../../../../base/package.ts';
import type { QueuedJob } from '../../../../research/sweep/job-shape.ts';
import type { JobAnswer, Lost } from '../jobs/messages.ts';

/** The name of the queue, the same for all sweeps. */
export const QUEUE = 'tickwright-sweep';

/** The result of a finished job. */
export interface Returned {
  readonly answer: Extract<JobAnswer, { kind: 'done' | 'failed' }> | Lost;
  readonly machine: string;
}

export type JobQueue = Queue<QueuedJob, Returned>;
export type JobWorker = Worker<QueuedJob, Returned>;

export interface Connected {
  readonly redis: Redis;
  readonly bull: typeof import('bullmq');
}

const PACKAGES = 'bullmq ioredis';

/** Throws a UserError if the packages are missing, the server does not answer, or it could lose jobs. `lost` is called for each loss of the connection. */
export async function connect(url: string, lost: (message: string) => void): Promise<Connected> {
  const bull = await packageOf(PACKAGES, () => import('bullmq'));
  const { Redis } = await packageOf(PACKAGES, () => import('ioredis'));
  const redis = new Redis(url, { maxRetriesPerRequest: null, lazyConnect: true });
  let last = '';
  let isOpen = false;
  redis.on('error', (error: unknown) => {
    last = messageOf(error);
    if (isOpen) lost(last);
  });
  try {
    await redis.connect();
    isOpen = true;
    requireDurable(await redis.info(), placeOf(url));
    return { redis, bull };
  } catch (error) {
    redis.disconnect();
    if (error instanceof UserError) throw error;
    throw wrong(
      `the queue ${placeOf(url)} does not answer: ${last === '' ? messageOf(error) : last}`,
      'check the address, and that Redis runs there',
    );
  }
}

/** Returns the address without its password. */
export function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** Throws a UserError if Redis may evict jobs or lose them at a restart, which the sweep would notice only late. `info`: the answer to INFO. */
export function requireDurable(info: string, place: string): void {
  const valueOf = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const policy = valueOf('maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    throw wrong(
      `${place} drops jobs when its memory is full (maxmemory-policy ${policy})`,
      'set it: redis-cli config set maxmemory-policy noeviction',
    );
  if (valueOf('aof_enabled') === '0')
    throw wrong(`${place} forgets its jobs when it is restarted (appendonly no)`, 'set it: redis-cli config set appendonly yes');
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'queue', message, hint });
