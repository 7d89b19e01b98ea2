// The shape of a job from a queue. Anyone who can write to the queue can make one, so all of it is checked before any of it is used.
import { z } from 'zod';
import { messageOf, UserError } from '../../base/errors.ts';
import { jsonFault } from '../../bot/domain/json.ts';
import { TAPE_HASH } from '../tapes/sources.ts';
import { type JobSpec, jobKeyOf } from './job-key.ts';

const sha256 = z.string().regex(TAPE_HASH, 'is not a SHA-256 hash in hex');
const time = z.number().min(-8.64e15).max(8.64e15);
const text = z.string().max(1_000);
const cell = z.union([z.number(), text, z.boolean()]);
const MAX_TAPES = 10_000;

const spec = z.strictObject({
  strategy: text.min(1),
  params: z.record(text, z.union([cell, z.array(cell)])),
  limits: z.record(text, z.unknown()),
  polling: z.record(text, z.union([z.number(), z.record(text, z.unknown())])),
  seed: text,
  tapes: z.array(sha256).min(1).max(MAX_TAPES),
  window: z.strictObject({ from: time.optional(), to: time.optional() }).optional(),
  assumptions: z.strictObject({
    latency: z.looseObject({ kind: z.enum(['constant', 'lognormal', 'recorded']) }),
    queue: z.looseObject({ kind: z.enum(['conservative', 'probabilistic', 'exact']) }),
    phase: z.number(),
    candles: z.looseObject({}),
  }),
  deposit: z.int(),
  fees: z.strictObject({ makerPpm: z.number(), takerPpm: z.number() }).optional(),
  past: z.array(z.looseObject({})).optional(),
  inputs: z.record(text, z.array(z.looseObject({}))).optional(),
  sources: z.strictObject({ engine: sha256, strategy: sha256 }),
  span: z.strictObject({ from: time, to: time }),
  stepMs: z.number().positive(),
  node: z.string().regex(/^\d{1,3}$/),
});

const job = z.strictObject({
  key: sha256,
  spec,
  avoid: text.optional(),
  left: z.int().min(0).optional(),
  refused: z.int().min(0).optional(),
});

/** A job in a queue, or its repeat: the same job run a second time, to check the result. A repeat has the same key, and an id of its own in the queue. */
export interface QueuedJob {
  readonly key: string;
  readonly spec: JobSpec;
  /** Of a repeat: the worker that should not run it, because it has already run the job. */
  readonly avoid?: string | undefined;
  /** Of a repeat: how often that worker has left it to another one, by putting it back. */
  readonly left?: number | undefined;
  /** How often workers have put it back because it differs from what they have. */
  readonly refused?: number | undefined;
}

/** Returns the job. Throws a UserError `job` if it has another shape, or if its key is not the hash of its content. */
export function queuedJobIn(data: unknown): QueuedJob {
  const fault = jsonFault(data, 'the job');
  if (fault !== undefined) throw wrongJob(fault);
  const { data: read, error } = job.safeParse(data);
  if (read === undefined) throw wrongJob(z.prettifyError(error).split('\n').slice(0, 2).join(' '));
  const found = read as unknown as QueuedJob;
  if (keyOf(found.spec) !== found.key) throw wrongJob('its key is not the hash of its content');
  return found;
}

function keyOf(of: JobSpec): string {
  try {
    return jobKeyOf(of);
  } catch (error) {
    throw wrongJob(messageOf(error));
  }
}

const wrongJob = (reason: string): UserError =>
  new UserError({ code: 'job', message: `the job is refused: ${reason}`, hint: 'check who can write to the queue' });
