// `bot doctor`: checks machine, key, state and exchange; prints one line per check and the remedy for each problem.

import { publicKeyIn } from '../../../run/keys/key.ts';
import type { ExchangeFacts } from '../../../run/state/facts.ts';
import { toBase58 } from '../../../wire/signing.ts';
import { type ExitCode, type Host, say } from '../../host.ts';
import { clean } from '../../terminal/clean.ts';
import { type ResolvedRun, resolveStates, type StateFlags } from '../operate/resolve-state.ts';
import { checkAddress, urlOf } from '../run/exchange.ts';
import { embeddedChecks, hostedChecks, localChecks } from './exchange-checks.ts';
import { type Check, diskCheck, keyCheck, nodeCheck, permissionsCheck, stateChecks } from './machine-checks.ts';

export interface DoctorFlags extends StateFlags {
  readonly exchange?: 'hosted' | 'local';
  readonly url?: string;
  readonly key?: string;
  readonly json?: true;
}

/** Returns 1 if a check fails. Throws a UserError if the address is invalid or missing, or if --state is not the directory of a run. */
export async function doctor(flags: DoctorFlags, host: Host): Promise<ExitCode> {
  const runs = resolveStates(flags);
  const named = flags.state === undefined ? undefined : runs[0]?.facts.exchange;
  const where = resolveExchange(flags, named);
  if (where !== undefined) await checkAddress(where.url);
  let fails = false;
  const print = (checks: readonly Check[]): void => {
    for (const check of checks) {
      fails ||= check.verdict === 'fail';
      say(host.stdout, flags.json ? JSON.stringify({ kind: 'check', ...check }) : checkWords(check));
    }
  };
  const key = flags.key ?? (named?.kind === 'hosted' ? named.key : undefined);
  print([nodeCheck(process.versions.node)]);
  if (key !== undefined) print([keyCheck(key)]);
  print([diskCheck(runs[0]?.directory ?? '.bot')]);
  for (const run of runs) print(runChecks(run, host));
  print(await exchangeChecks(where, userOf(flags, named)));
  return fails ? 1 : 0;
}

const runChecks = (resolved: ResolvedRun, host: Host): readonly Check[] =>
  [permissionsCheck(resolved.directory), ...stateChecks(resolved, (pid) => host.isRunning(pid))].map((check) => ({
    ...check,
    run: resolved.facts.run,
  }));

interface Where {
  readonly kind: 'hosted' | 'local';
  readonly url: string;
}

/** The exchange of the options, else that of the named run; undefined for the embedded one. Throws a UserError if only its kind is known. */
function resolveExchange({ exchange, url }: DoctorFlags, named: ExchangeFacts | undefined): Where | undefined {
  const known = named === undefined || named.kind === 'embedded' ? undefined : { kind: apiOf(named), url: named.url };
  const kind = exchange ?? known?.kind ?? (url === undefined ? undefined : 'hosted');
  return kind === undefined ? undefined : { kind, url: urlOf(kind, url ?? (known?.kind === kind ? known.url : undefined)) };
}

const apiOf = (named: Exclude<ExchangeFacts, { kind: 'embedded' }>): Where['kind'] => (named.kind === 'paper' ? named.of : named.kind);

function exchangeChecks(where: Where | undefined, user: string | undefined): Promise<readonly Check[]> {
  if (where === undefined) return embeddedChecks();
  return where.kind === 'local' ? localChecks(where.url) : hostedChecks(where.url, user);
}

/** Public key, in base58, of the account to check. */
function userOf({ key }: DoctorFlags, named: ExchangeFacts | undefined): string | undefined {
  if (key === undefined) return named?.kind === 'hosted' ? named.user : undefined;
  try {
    return toBase58(publicKeyIn(key));
  } catch {
    return undefined; // the check of the key file reports it
  }
}

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

export const checkWords = ({ check, verdict, says, fix }: Check): string =>
  `${MARKS[verdict]}  ${check.padEnd(12)}${clean(says)}${fix === undefined ? '' : `\n      ${' '.repeat(12)}${clean(fix)}`}`;
