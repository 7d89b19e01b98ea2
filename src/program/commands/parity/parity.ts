// `bot parity`: backtests a run's strategy on the data that the run saw, and prints how far run and backtest agree. summary.ts has the figures,
// page.ts the page.
import { UserError } from '../../../base/errors.ts';
import { parityOf } from '../../../research/parity/parity.ts';
import { openRecordedRun } from '../../../research/parity/recorded-run.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText } from '../../output/table.ts';
import { pageLine } from '../../output/words.ts';
import { requireOwnPage, writePage } from '../../report-files.ts';
import { isSimulated } from '../../venues.ts';
import { recordedRunOf } from '../replay/replay.ts';
import type { ParityFlags } from './command.ts';
import { parityPage } from './page.ts';
import { parityRows, paritySummary } from './summary.ts';

export async function parity(named: string | undefined, flags: ParityFlags, host: Host): Promise<ExitCode> {
  const { stdout, stderr, venues } = host;
  if (flags.report !== undefined) requireOwnPage(flags.report);
  const { directory, facts } = recordedRunOf(named, flags, host);
  const recorded = await openRecordedRun(directory);
  const kind = venues.of(facts.exchange);
  const paper = kind.leavesTape ? directory : undefined;
  const result = await parityOf(recorded, { strategy: flags.strategy, embedded: isSimulated(kind), paper });
  for (const part of recorded.damage) say(stderr, `warning: ${part}`);
  if (result.processes.length === 0) {
    const message = `nothing of the run ${facts.run} can be compared: ${recorded.damage.join('; ')}`;
    throw new UserError({ code: 'recording', message, hint: 'choose another run' });
  }
  const summary = paritySummary(facts.run, result, recorded.damage);
  say(stdout, flags.json ? JSON.stringify(summary) : [facts.run, ...parityRows(summary).map((row) => safeText(pageLine(row)))].join('\n'));
  if (flags.report !== undefined) {
    writePage(flags.report, parityPage(summary, result));
    if (!flags.json) say(stdout, pageLine(['report', flags.report]));
  }
  return 0;
}
