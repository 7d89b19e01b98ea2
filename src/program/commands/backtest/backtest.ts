// `bot backtest`: runs a strategy on tapes, prints its figures and writes the report.
// command.ts declares the options, plan.ts reads them, play.ts plays, report.ts and words.ts write the result.
import { assert, messageOf } from '../../../base/errors.ts';
import { pollPlan } from '../../../bot/exchange/kit/streams/polling.ts';
import { requestWarning } from '../../../bot/run/core/request-budget.ts';
import { StrategyError } from '../../../bot/strategy/decide.ts';
import { commonSpan, withTapes } from '../../../embedded/recording/tapes.ts';
import { BAND, type Band, type BandName, bandOf, stepsBetween } from '../../../research/backtest/band.ts';
import { type BandStep, bandNote, inversionsOf } from '../../../research/report/band.ts';
import { coverageWords } from '../../coverage.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { redirectConsole } from '../../output/console.ts';
import { endingWords, pageLine } from '../../output/words.ts';
import type { BacktestCommandFlags } from './command.ts';
import { type BacktestFlags, type BacktestPlan, emptyInputs, emptyInputWords, planBacktest } from './plan.ts';
import { type BacktestToPlay, type PlayedBacktest, playWith } from './play.ts';
import { type PageFile, pageFileOf, type Reports, writeReport } from './report.ts';
import { tapesOf } from './simulated-tapes.ts';
import { bandWords, resultWords } from './words.ts';

export async function backtest(given: BacktestCommandFlags, host: Host): Promise<ExitCode> {
  const restoreConsole = given.json ? redirectConsole((text) => say(host.stderr, text)) : undefined;
  try {
    const flags: BacktestFlags = { ...given, tape: await tapesOf(given, host) };
    return await withTapes(flags.tape, async (tapes) => {
      const plan = await planBacktest(flags, tapes);
      const page = pageFileOf(plan, flags);
      if (flags.json) for (const line of inputWords(plan)) say(host.stderr, line);
      const tooMany = tooManyRequests(plan);
      if (tooMany !== undefined) say(host.stderr, `warning: ${tooMany}`);
      return flags.band ? playBand({ plan, flags, host, page }) : playOnce({ plan, flags, host, page });
    });
  } catch (thrown) {
    if (!(thrown instanceof StrategyError)) throw thrown;
    say(host.stderr, `error: ${messageOf(thrown)}`);
    return 1;
  } finally {
    restoreConsole?.();
  }
}

/** Returns the warning that the polls do not fit the limit on requests; undefined if they do, and on candles, which are not polled. */
function tooManyRequests({ tapes, polling, limits }: BacktestPlan): string | undefined {
  const markets = new Set(tapes.map(({ header }) => header.market.symbol)).size;
  return tapes.some(({ header }) => header.books === 'candles') ? undefined : requestWarning(pollPlan(polling, markets), limits);
}

const inputWords = (plan: BacktestPlan): readonly string[] => [
  ...emptyInputs(plan).map(emptyInputWords),
  ...coverageWords(plan.inputs ?? {}, commonSpan(plan.tapes, plan.window)),
];

interface BacktestJob extends BacktestToPlay {
  readonly page: PageFile;
}

async function playOnce(job: BacktestJob): Promise<ExitCode> {
  const played = await playWith(job, { what: 'backtest', printEvents: job.flags.json === true });
  const code = codeOf([played], job.host);
  printResult(job, {
    reports: played,
    words: resultWords(played, job.plan.tapes),
    lines: [played.result.summary],
  });
  return code;
}

/** Runs the three backtests of a band one after another, since each uses the whole machine. The last JSON line is the summary of the expected run. */
async function playBand(job: BacktestJob): Promise<ExitCode> {
  const { plan, flags, host } = job;
  const band = bandOf(plan.assumptions);
  const played = new Map<BandName, PlayedBacktest>();
  for (const name of BAND) {
    const one = { ...job, plan: { ...plan, assumptions: band[name] } };
    played.set(name, await playWith(one, { what: name, printEvents: flags.json === true && name === 'expected' }));
  }
  const [pessimistic, middle, optimistic] = BAND.map((name) => played.get(name));
  assert(pessimistic !== undefined && middle !== undefined && optimistic !== undefined, 'a band has three runs');
  const notes = await notesOnBand(job, band, played);
  const expected = { ...middle, report: { ...middle.report, notes: [...middle.report.notes, ...notes] } };
  played.set('expected', expected);
  if (flags.json) for (const note of notes) say(host.stderr, `note: ${note}`);
  const code = codeOf([...played.values()], host);
  printResult(job, {
    reports: { ...expected, band: { pessimistic: pessimistic.report, optimistic: optimistic.report } },
    words: bandWords(played, plan.tapes),
    lines: [...[...played].map(([name, { result }]) => ({ kind: 'band', name, summary: result.summary })), expected.result.summary],
  });
  return code;
}

/**
 * If a run with worse assumptions earned more than the next better one, runs backtests between the two, each with one more assumption changed, and
 * returns a note that names the cause.
 */
async function notesOnBand(job: BacktestJob, band: Band, played: ReadonlyMap<BandName, PlayedBacktest>): Promise<readonly string[]> {
  const ofCandles = job.plan.tapes.some(({ header }) => header.books === 'candles');
  const notes: string[] = [];
  for (const inversion of inversionsOf([...played].map(([name, { report }]) => ({ name, report })))) {
    const { worse, better } = inversion;
    const changes = stepsBetween(band[worse.name], band[better.name], { ofCandles });
    const steps: BandStep[] = [];
    for (const { assumption, assumptions } of changes) {
      const isLast = steps.length === changes.length - 1; // with all changes made it is the better run, which has been played already
      const what = `why ${better.name} is worse: ${assumption}`;
      const { report } = isLast ? better : await playWith({ ...job, plan: { ...job.plan, assumptions } }, { what, printEvents: false });
      steps.push({ assumption, report });
    }
    notes.push(bandNote(inversion, steps));
  }
  return notes;
}

/** Returns 1 if some orders of a backtest were not proved gone, in the same way as for a run. */
function codeOf(played: readonly PlayedBacktest[], { stderr }: Host): ExitCode {
  const unsettled = played.flatMap(({ result: { ending } }) => (ending.kind === 'settled' ? [] : [endingWords(ending)]));
  for (const words of unsettled) say(stderr, words);
  return unsettled.length === 0 ? 0 : 1;
}

interface Printed {
  readonly reports: Reports;
  /** The result as text. */
  readonly words: string;
  /** The result as JSON lines; the last is the summary. */
  readonly lines: readonly object[];
}

/** Prints the result, even if the report cannot be written. */
function printResult({ flags, host: { stdout }, page }: BacktestJob, { reports, words, lines }: Printed): void {
  if (!flags.json) say(stdout, words);
  try {
    const file = writeReport(page, reports);
    say(stdout, flags.json ? JSON.stringify({ kind: 'report', file }) : pageLine(['report', file]));
  } finally {
    if (flags.json) for (const line of lines) say(stdout, JSON.stringify(line));
  }
}
