// The main file of a process that runs jobs: receives jobs one at a time, and answers each with its outcome.
import { messageOf, UserError } from '../../../../base/errors.ts';
import type { Params, Strategy } from '../../../../bot/strategy/contract.ts';
import { isStrategyPath, loadStrategy, requireStrategy } from '../../../../bot/strategy/loading/loader.ts';
import { joinConsecutive } from '../../../../embedded/tape/consecutive.ts';
import { openTape, type Tape } from '../../../../embedded/tape/reader.ts';
import { runJob } from '../../../../research/sweep/job.ts';
import { differenceOf, type Sources, sourcesOf } from '../../../../research/sweep/job-key.ts';
import type { JobAnswer, JobRequest } from './messages.ts';

const answer = (message: JobAnswer): void => void process.send?.(message);

interface Loaded {
  readonly strategy: Strategy<Params>;
  /** The hashes of the code that was loaded. */
  readonly sources: Sources;
}

class JobRunner {
  /** Strategies by name or path. Loaded and hashed once, because loaded code does not change within a process. */
  readonly #strategies = new Map<string, Loaded>();

  /** Refuses a job if program, strategy or tapes of this machine differ from those of the job's key; then nothing of the strategy is run. */
  async run({ spec, files }: JobRequest): Promise<JobAnswer> {
    const tapes: Tape[] = [];
    try {
      const known = this.#strategies.get(spec.strategy);
      const sources = known?.sources ?? sourcesOfNamed(spec.strategy);
      for (const file of files) tapes.push(await openTape(file));
      const hashes = tapes.map(({ facts }) => facts.hash);
      const difference = differenceOf(spec, { sources, tapes: hashes });
      if (difference !== undefined) return { kind: 'refused', message: difference };
      const strategy = known?.strategy ?? (await this.#load(spec.strategy, sources));
      const outcome = await runJob({ ...spec, strategy, tapes: await joinConsecutive(tapes) });
      return outcome.kind === 'failed' ? outcome : { ...outcome, returns: [...outcome.returns] };
    } catch (error) {
      if (error instanceof UserError) return { kind: 'refused', message: messageOf(error) };
      throw error;
    } finally {
      for (const tape of tapes) await tape.close();
    }
  }

  async #load(name: string, sources: Sources): Promise<Strategy<Params>> {
    const { strategy } = await loadStrategy(name);
    this.#strategies.set(name, { strategy, sources });
    return strategy;
  }
}

/** Throws a UserError if there is no such strategy. */
function sourcesOfNamed(name: string): Sources {
  requireStrategy(name);
  return sourcesOf({ name, path: isStrategyPath(name) ? name : undefined });
}

const runner = new JobRunner();
process.on('message', (request: JobRequest) => {
  runner.run(request).then(answer, (error: unknown) => answer({ kind: 'broken', message: messageOf(error) }));
});
process.on('disconnect', () => process.exit(0)); // the sweep has ended or was killed
for (const name of ['SIGINT', 'SIGHUP'] as const) process.on(name, () => undefined); // a terminal sends Ctrl-C to all its processes; only the sweep reacts to it
