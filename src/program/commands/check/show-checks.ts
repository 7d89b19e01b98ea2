// Shows the progress of checks while they run, and prints one line for each. On a terminal, which shows the progress, the lines come at the end.
import { type Millis, systemClock } from '../../../base/clock.ts';
import type { CheckVerdict } from '../../../research/testing/check/result.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { type Progress, progressOf } from '../../output/progress.ts';

/** What a run of checks reports to. */
interface Observer<R> {
  /** Called when it is known what is checked. */
  begin(this: void): void;
  /** `share`: how much is done, 0 to 1. */
  onStart(this: void, name: string, share: number): void;
  onResult(this: void, result: R): void;
}

const VERDICTS = { pass: 'passed', warn: 'warned', skip: 'skipped', fail: 'failed' } as const;

interface ShownChecks<R> {
  /** What is checked: the field of the summary, and the name. */
  readonly subject: readonly [field: 'strategy' | 'exchange', name: string];
  /** The verdicts that a check may have. */
  readonly verdicts: readonly CheckVerdict[];
  readonly flags: { readonly json?: true | undefined; readonly seed: string };
  /** When the command began. */
  readonly began: Millis;
  run(this: void, observer: Observer<R>): Promise<readonly R[]>;
  lineOf(this: void, result: R): string;
}

/** Returns 1 if a check fails. */
export async function showChecks<R extends { readonly verdict: CheckVerdict }>(
  host: Host,
  { subject: [field, name], verdicts, flags, began, run, lineOf }: ShownChecks<R>,
): Promise<ExitCode> {
  const isShownLater = host.stderr.isTTY === true && flags.json !== true;
  const show = (result: R): void => say(host.stdout, lineOf(result));
  let progress: Progress | undefined;
  try {
    const results = await run({
      begin() {
        progress = progressOf('check', host);
      },
      onStart: (name, share) => progress?.at(share, name),
      onResult: (result) => (isShownLater ? undefined : show(result)),
    });
    progress?.end();
    if (isShownLater) results.forEach(show);
    const seconds = (systemClock.now() - began) / 1_000;
    const count = (wanted: CheckVerdict): number => results.filter(({ verdict }) => verdict === wanted).length;
    const [passed, warned, skipped, failed] = [count('pass'), count('warn'), count('skip'), count('fail')];
    const line = { kind: 'checks', [field]: name, seed: flags.seed, passed, warned, skipped, failed, seconds };
    const words = verdicts.map((verdict) => `${count(verdict)} ${VERDICTS[verdict]}`).join(', ');
    say(host.stdout, flags.json ? JSON.stringify(line) : `${name}: ${words} in ${seconds.toFixed(0)} s`);
    return failed > 0 ? 1 : 0;
  } finally {
    progress?.end();
  }
}
