// `bot backtest`: a strategy on a tape, its figures, and a report that a person wants to look at.
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { Chronicle } from '../../report/chronicle.ts';
import { type Report, reportOf } from '../../report/report.ts';
import { type BacktestResult, backtest as play } from '../../run/backtest.ts';
import { BAND, bandOf } from '../../run/backtest-band.ts';
import type { Trading } from '../../run/trading.ts';
import { StrategyError } from '../../strategy/decide.ts';
import { openTape, type Tape } from '../../tape/reader.ts';
import { type ExitCode, type Host, say } from '../host.ts';
import { forScripts } from '../output/json.ts';
import { type Progress, progressOf } from '../output/progress.ts';
import { endingWords } from '../output/words.ts';
import { factsOf } from './backtest-facts.ts';
import { type BacktestFlags, type BacktestPlan, planBacktest } from './backtest-plan.ts';
import { writeReport } from './backtest-report.ts';
import { bandWords, resultWords } from './backtest-words.ts';

export async function backtest(flags: BacktestFlags, host: Host): Promise<ExitCode> {
  const tapes: Tape[] = [];
  try {
    for (const file of flags.tape) tapes.push(await openTape(file));
    const plan = await planBacktest(flags, tapes);
    return flags.band ? await playBand(plan, flags, host) : await playOnce(plan, flags, host);
  } catch (thrown) {
    if (!(thrown instanceof StrategyError)) throw thrown;
    say(host.stderr, `error: ${messageOf(thrown)}`);
    return 1;
  } finally {
    for (const tape of tapes) await tape.close();
  }
}

async function playOnce(plan: BacktestPlan, flags: BacktestFlags, host: Host): Promise<ExitCode> {
  const played = await playWith(plan, flags, host, { what: 'backtest', lines: flags.json === true });
  const file = writeReport(reportFileOf(plan, flags), { report: played.report });
  if (flags.json) say(host.stdout, JSON.stringify({ kind: 'report', file }));
  say(host.stdout, flags.json ? JSON.stringify(played.result.summary) : resultWords(played, { file, tapes: plan.tapes }));
  return codeOf([played], host);
}

/** One after another: each wants the whole machine. The last line of JSON is the summary of what is expected. */
async function playBand(plan: BacktestPlan, flags: BacktestFlags, host: Host): Promise<ExitCode> {
  const band = bandOf(plan.assumptions);
  const played = new Map<string, Played>();
  for (const name of BAND) {
    const result = await playWith({ ...plan, assumptions: band[name] }, flags, host, {
      what: name,
      lines: flags.json === true && name === 'expected',
    });
    played.set(name, result);
  }
  const [pessimistic, expected, optimistic] = BAND.map((name) => played.get(name));
  assert(pessimistic !== undefined && expected !== undefined && optimistic !== undefined, 'a band has three runs');
  const reports = { report: expected.report, band: { pessimistic: pessimistic.report, optimistic: optimistic.report } };
  const file = writeReport(reportFileOf(plan, flags), reports);
  if (flags.json) {
    for (const [name, { result }] of played) say(host.stdout, JSON.stringify({ kind: 'band', name, summary: result.summary }));
    say(host.stdout, JSON.stringify({ kind: 'report', file }));
    say(host.stdout, JSON.stringify(expected.result.summary));
  } else say(host.stdout, bandWords(played, { file, tapes: plan.tapes }));
  return codeOf([...played.values()], host);
}

/** As that of a run: what is not proved gone has not ended well. */
function codeOf(played: readonly Played[], { stderr }: Host): ExitCode {
  const unsettled = played.flatMap(({ result: { ending } }) => (ending.kind === 'settled' ? [] : [endingWords(ending)]));
  for (const words of unsettled) say(stderr, words);
  return unsettled.length === 0 ? 0 : 1;
}

export interface Played {
  readonly result: BacktestResult;
  readonly report: Report;
  readonly wallMs: number;
}

async function playWith(
  plan: BacktestPlan,
  flags: BacktestFlags,
  host: Host,
  { what, lines, clock = systemClock }: { what: string; lines: boolean; clock?: Clock },
): Promise<Played> {
  const progress: Progress = progressOf(what, host);
  const started = clock.now();
  let chronicle: Chronicle | undefined;
  const watch = ({ run, lines: told }: Trading): void => {
    const watching = new Chronicle({ markets: [...run.world.markets.values()] });
    chronicle = watching;
    run.turns.subscribe((turn) => watching.see(turn, run.world));
    if (lines) told.subscribe((line) => say(host.stdout, JSON.stringify(forScripts(line))));
  };
  try {
    const result = await play({ ...plan, watch, progress: progress.at });
    if (result.ending.kind === 'failed') throw result.ending.error;
    assert(chronicle !== undefined, 'a backtest that ended has been watched');
    return { result, report: reportOf(factsOf(plan, flags, result), chronicle.finish()), wallMs: clock.now() - started };
  } finally {
    progress.end();
  }
}

/** Named after what was played, so that another backtest does not write over it. */
function reportFileOf({ strategy, tapes, seed }: BacktestPlan, { report, band }: BacktestFlags): string {
  const markets = tapes.map(({ header }) => header.market.symbol).join('-');
  const parts = [strategy.name, markets, tapes[0]?.facts.hash.slice(0, 8) ?? '', seed, ...(band ? ['band'] : [])];
  return report ?? join('.bot', 'backtests', `${parts.join('-').replace(/[^\w.-]+/g, '_')}.html`);
}
