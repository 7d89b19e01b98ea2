// `bot doctor`: checks machine, key, state and exchange; prints one line per check and the remedy for each problem. The checks of the machine are in
// `machine-checks.ts`, those of an exchange in the `runChecks` of its `VenueKind` (`venues/`).

import { checkAddress, requireUrl } from '../../../venues/kind/flags.ts';
import type { VenueFacts, VenueKind } from '../../../venues/kind/venue-kind.ts';
import type { DoctorCheck } from '../../../venues/operate/check.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { DEFAULT_RUNS_FOLDER } from '../../known-runs.ts';
import { safeText } from '../../output/table.ts';
import { type ResolvedRun, resolveStates } from '../../resolve-state.ts';
import type { Venues } from '../../venues.ts';
import type { DoctorFlags } from './command.ts';
import { diskCheck, keyCheck, nodeCheck, permissionsCheck, stateChecks } from './machine-checks.ts';

/** Returns 1 if a check fails. Throws a UserError if the address is invalid or missing, or if --state is not the directory of a run. */
export async function doctor(flags: DoctorFlags, host: Host): Promise<ExitCode> {
  const { venues } = host;
  const runs = resolveStates(flags, host);
  const ofRun = flags.state === undefined ? undefined : runs[0]?.facts.exchange;
  const where = await resolveExchange(flags, ofRun, venues);
  if (where !== undefined) await checkAddress(where.url);
  let hasFailed = false;
  const print = (checks: readonly DoctorCheck[]): void => {
    for (const check of checks) {
      hasFailed ||= check.verdict === 'fail';
      say(host.stdout, flags.json ? JSON.stringify({ kind: 'check', ...check }) : checkWords(check));
    }
  };
  const key = flags.key ?? ofRun?.key;
  print([nodeCheck(process.versions.node)]);
  if (key !== undefined) print([await (where?.kind.checkKey ?? keyCheck)(key)]);
  print([diskCheck(runs[0]?.directory ?? DEFAULT_RUNS_FOLDER)]);
  for (const run of runs) print(runChecks(run, host));
  // The key of the run is not passed: it is among its facts.
  const { kind, url } = where ?? { kind: venues.defaultKind, url: '' };
  print((await kind.runChecks?.({ url, key: flags.key, facts: ofRun?.kind === kind.name ? ofRun : undefined })) ?? []);
  return hasFailed ? 1 : 0;
}

const runChecks = (resolved: ResolvedRun, host: Host): readonly DoctorCheck[] =>
  [permissionsCheck(resolved.directory), ...stateChecks(resolved, host)].map((check) => ({
    ...check,
    run: resolved.facts.run,
  }));

/**
 * Returns the exchange that the options name, or else that of the run at --state (`ofRun`); undefined if neither has an address, as with the embedded
 * one. Rejects with a UserError if the address of a named exchange is missing.
 */
async function resolveExchange(
  { exchange, url }: DoctorFlags,
  ofRun: VenueFacts | undefined,
  venues: Venues,
): Promise<{ readonly kind: VenueKind; readonly url: string } | undefined> {
  const traded = ofRun?.url === undefined ? undefined : { kind: venues.exchangeAt(ofRun), url: ofRun.url };
  const byDefault = url === undefined ? undefined : venues.defaultAtAddress;
  const kind = exchange === undefined ? (traded?.kind ?? byDefault) : venues.of({ kind: exchange });
  return kind && { kind, url: await requireUrl(kind, { url: url ?? (traded?.kind === kind ? traded.url : undefined) }) };
}

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

export const checkWords = ({ check, verdict, says, fix }: DoctorCheck): string =>
  `${MARKS[verdict]}  ${check.padEnd(12)}${safeText(says)}${fix === undefined ? '' : `\n      ${' '.repeat(12)}${safeText(fix)}`}`;
