// `bot torture`: runs a strategy under simulated faults and reports violations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/folder.ts';
import { readNamedFile } from '../../../base/files/text-file.ts';
import { PROGRAM } from '../../../base/package.ts';
import { marketsNamedIn } from '../../../bot/strategy/markets.ts';
import { resolveParams } from '../../../bot/strategy/params.ts';
import { LISTED_MARKETS, type ListedMarket } from '../../../embedded/exchange/state/listing.ts';
import { NO_FIGURES, type SimulationFigures, sumOf } from '../../../research/simulation/figures.ts';
import { DEFAULT_EXCHANGE, type ExchangeName, whyNotPlayed } from '../../../research/simulation/plan/faults-by-exchange.ts';
import { optionsOf, PROFILES } from '../../../research/simulation/plan/options.ts';
import { OWN_SUBJECTS } from '../../../research/simulation/plan/subjects.ts';
import { play } from '../../../research/simulation/play.ts';
import { contentsOf, parseRecordedFailure, recordedFailureOf } from '../../../research/simulation/recorded-failure.ts';
import { shrink } from '../../../research/simulation/shrink.ts';
import { type Failure, failureOf, type SimulatedStrategy, type SimulationTrial } from '../../../research/simulation/trial.ts';
import { strategyOf } from '../../configuration.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { progressOf } from '../../output/progress.ts';
import type { TortureFlags } from './command.ts';
import { failureWords, figuresWords } from './words.ts';
import { inWorkers } from './worker-pool.ts';

export async function torture(flags: TortureFlags, host: Host): Promise<ExitCode> {
  const recorded = flags.replay ?? flags.capsule; // `--capsule` is the earlier name
  if (recorded !== undefined) return replay(recorded, host);
  requirePlayable(flags);
  if (flags.strategy !== undefined) await loadSubject(flags.strategy, flags.exchange); // fails before anything runs if the strategy is wrong
  const began = systemClock.now();
  const progress = progressOf('torture', host);
  const seeds = seedsOf(flags);
  const trials: SimulationTrial[] = [];
  let figures: SimulationFigures = NO_FIGURES;
  const work = {
    strategy: flags.strategy,
    profile: flags.profile,
    twice: flags.profile === 'smoke', // each seed twice, to compare
    streams: flags.streams,
    exchange: flags.exchange,
  };
  const cores = await inWorkers(seeds, work, (trial) => {
    trials.push(trial);
    figures = sumOf(figures, trial.figures);
    if (trial.failure !== undefined)
      say(host.stderr, `seed ${trial.seed}: ${trial.failure.invariant} ${trial.failure.message.split('\n')[0] ?? ''}`);
    const failed = trials.filter(({ failure }) => failure !== undefined).length;
    progress.at(trials.length / seeds.length, `${trials.length} seeds, ${failed} failed`);
  });
  progress.end();
  const failures = trials.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  for (const failure of oneOfEach(failures)) await reportFailure(failure, flags, host);
  const seconds = (systemClock.now() - began) / 1_000;
  if (figures.orders === 0)
    say(host.stderr, 'no run placed an order, so nothing was tested: an order was neither lost nor doubled because there was none');
  if (flags.json)
    say(host.stdout, JSON.stringify({ kind: 'torture', seeds: seeds.length, violations: failures.length, seconds, cores, ...figures }));
  else say(host.stdout, figuresWords(figures, { seeds: seeds.length, failures, seconds, cores }, flags));
  return failures.length === 0 ? 0 : 1;
}

function seedsOf({ seed, seeds }: TortureFlags): readonly string[] {
  if (seed === undefined) return Array.from({ length: seeds }, (_, index) => String(index));
  return seeds === 1 ? [seed] : Array.from({ length: seeds }, (_, index) => (index === 0 ? seed : `${seed}/${index}`));
}

/** Throws a UserError for a profile that is not played on the exchange. */
function requirePlayable({ exchange, profile }: TortureFlags): void {
  const reason = whyNotPlayed(exchange, profile);
  if (reason === undefined) return;
  const played = PROFILES.filter((other) => whyNotPlayed(exchange, other) === undefined).join(', ');
  const message = `--profile ${profile} is not played on ${exchange}: ${reason}`;
  throw new UserError({ code: 'use', message, hint: `leave out --exchange, or play one of ${played}` });
}

/** Loads a strategy. Throws a UserError if it cannot be loaded, or trades a market that the embedded exchange does not list. */
export async function loadSubject(named: string, exchange: ExchangeName = DEFAULT_EXCHANGE): Promise<SimulatedStrategy> {
  const own = OWN_SUBJECTS.get(named);
  if (own !== undefined) return own;
  const { strategy, config } = await strategyOf({ strategy: named });
  const params = resolveParams(strategy, config.params, (key) => config.placeOfParam(key));
  const markets = marketsNamedIn(params, strategy.name);
  const isListed = ({ spec }: ListedMarket): boolean => exchange === DEFAULT_EXCHANGE || spec.kind === 'perp';
  const listed = LISTED_MARKETS.filter(isListed).map(({ spec }) => spec.symbol);
  const unlisted = markets.find((market) => !listed.includes(market));
  if (unlisted === undefined) return { name: named, strategy, params, markets };
  throw new UserError({
    code: 'market',
    message: `the embedded exchange has no market "${unlisted}"${exchange === DEFAULT_EXCHANGE ? '' : ` at its API of ${exchange}`}`,
    hint: `it lists ${listed.join(', ')}; set the strategy's market to one of them`,
  });
}

/** Returns the first failure of each invariant, because failures of one invariant mostly have one cause. */
const oneOfEach = (failures: readonly Failure[]): Iterable<Failure> =>
  new Map([...failures].reverse().map((failure) => [failure.invariant, failure])).values();

async function reportFailure(failure: Failure, { out, profile }: TortureFlags, host: Host): Promise<void> {
  const subject = await loadSubject(failure.options.strategy);
  // The plan of a crash has two faults at most.
  const small = profile === 'crash' ? failure : await shrink(subject, failure);
  const file = join(out, `${failure.invariant}-${failure.options.seed.replace(/[^\w]+/g, '_')}.json`);
  try {
    makeFolder(out);
    writeFileSync(file, `${JSON.stringify(recordedFailureOf(small), undefined, 1)}\n`);
  } catch (error) {
    say(host.stderr, `the recorded failure could not be written to ${file}: ${messageOf(error)}`);
  }
  say(host.stderr, failureWords(small, { whole: failure, file }));
}

/** Replays a recorded failure. */
async function replay(file: string, host: Host): Promise<ExitCode> {
  const text = readNamedFile(file, { code: 'recorded-failure', hint: `give a file that ${PROGRAM} torture has written` });
  const recorded = parseRecordedFailure(text, file);
  const subject = await loadSubject(recorded.strategy);
  const { options, plan } = contentsOf(recorded, optionsOf(recorded));
  const failure = failureOf(await play({ ...subject, options, plan }));
  if (failure === undefined) say(host.stdout, `${file}: no violation`);
  else say(host.stderr, failureWords(failure, { whole: failure, file }));
  return failure === undefined ? 0 : 1;
}
