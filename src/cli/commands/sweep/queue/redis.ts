// The connection to Redis, and whether its settings keep what a queue needs.
import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { messageOf, UserError } from '../../../../base/errors.ts';
import type { JobSpec } from '../../../../research/sweep/key.ts';
import { packageOf } from '../../../../research/tapes/sources.ts';
import type { Answer, Lost } from '../jobs/messages.ts';

/** The name of the queue, the same for all sweeps. */
export const QUEUE = 'tickwright-sweep';

/** What a job of the queue is. Its id is the key, or that of a repeat. */
export interface Payload {
  readonly key: string;
  readonly spec: JobSpec;
  /** The machine that should not run it, because it has run the job before. */
  readonly avoid?: string | undefined;
  /** How often a worker has left it to another one. */
  readonly left?: number;
}

/** The value of a job that is done. */
export interface Returned {
  readonly answer: Extract<Answer, { kind: 'done' | 'failed' }> | Lost;
  readonly machine: string;
}

export type JobQueue = Queue<Payload, Returned>;
export type JobWorker = Worker<Payload, Returned>;

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
    refuseForgetful(await redis.info(), placeOf(url));
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

/** The address without its password. */
export function placeOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** `info`: the answer to INFO. Jobs that Redis drops, or forgets when it is restarted, are run again, but only when the sweep notices. */
export function refuseForgetful(info: string, place: string): void {
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
