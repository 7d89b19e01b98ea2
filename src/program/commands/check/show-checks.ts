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

interface ShownChecks<R> {
  readonly flags: { readonly json?: true | undefined };
  /** When the command began. */
  readonly began: Millis;
  run(this: void, observer: Observer<R>): Promise<readonly R[]>;
  lineOf(this: void, result: R): string;
  summaryOf(this: void, outcome: { readonly results: readonly R[]; readonly seconds: number }): string;
}

/** Returns 1 if a check fails. */
export async function showChecks<R extends { readonly verdict: CheckVerdict }>(host: Host, shown: ShownChecks<R>): Promise<ExitCode> {
  const { flags, began, run, lineOf, summaryOf } = shown;
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
    say(host.stdout, summaryOf({ results, seconds: (systemClock.now() - began) / 1_000 }));
    return results.some(({ verdict }) => verdict === 'fail') ? 1 : 0;
  } finally {
    progress?.end();
  }
}
