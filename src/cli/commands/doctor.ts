// `bot doctor`: is everything well, one line each, and what to do where it is not.
import { UserError } from '../../base/errors.ts';
import { httpTransport } from '../../exchange/transport/http.ts';
import { publicKeyIn } from '../../run/keys/key.ts';
import { toBase58 } from '../../wire/signing.ts';
import { type ExitCode, type Host, say } from '../host.ts';
import { clean } from '../terminal/clean.ts';
import { type Check, diskCheck, keyCheck, nodeCheck, permissionsCheck, stateChecks } from './doctor-checks.ts';
import { embeddedChecks, hostedChecks, localChecks } from './doctor-exchange.ts';
import { type Meant, type StateFlags, stateMeant } from './state-meant.ts';

export interface DoctorFlags extends StateFlags {
  readonly exchange?: 'hosted' | 'local';
  readonly url?: string;
  readonly key?: string;
  readonly json?: true;
}

/** 1 where something fails. UserError where the address cannot be one. */
export async function doctor(flags: DoctorFlags, host: Host): Promise<ExitCode> {
  if (flags.url !== undefined) await httpTransport({ origin: flags.url, connections: 1 }).close();
  let fails = false;
  const tell = (checks: readonly Check[]): void => {
    for (const check of checks) {
      fails ||= check.verdict === 'fail';
      say(host.stdout, flags.json ? JSON.stringify({ kind: 'check', ...check }) : checkWords(check));
    }
  };
  const meant = runMeant(flags);
  const key = flags.key ?? (flags.state !== undefined && meant?.facts.exchange.kind === 'hosted' ? meant.facts.exchange.key : undefined);
  tell([nodeCheck(process.versions.node)]);
  if (key !== undefined) tell([keyCheck(key)]);
  const directory = meant?.directory ?? flags.state;
  tell([diskCheck(directory ?? '.bot')]);
  if (meant !== undefined) tell([permissionsCheck(meant.directory), ...stateChecks(meant, (pid) => host.isRunning(pid))]);
  tell(await exchangeChecks(flags, { meant, key }));
  return fails ? 1 : 0;
}

/** The run of --state; else the newest there is, for what it left behind. A directory that is to become a run's has nothing to tell yet. */
function runMeant({ state }: DoctorFlags): Meant | undefined {
  try {
    return stateMeant({ ...(state !== undefined && { state }) }, 'newest');
  } catch (error) {
    if (error instanceof UserError && error.code === 'run') return undefined;
    throw error;
  }
}

/** The exchange that was named; else the one of the run that was; else our own. */
async function exchangeChecks(
  flags: DoctorFlags,
  { meant, key }: { meant: Meant | undefined; key: string | undefined },
): Promise<readonly Check[]> {
  const facts = flags.state === undefined ? undefined : meant?.facts.exchange;
  const url = flags.url ?? (facts === undefined || facts.kind === 'embedded' ? undefined : facts.url);
  if (url === undefined) return embeddedChecks();
  const kind = flags.exchange ?? (flags.url === undefined ? facts?.kind : 'hosted');
  if (kind === 'local') return localChecks(url);
  const known = facts?.kind === 'hosted' ? facts.user : undefined;
  return hostedChecks(url, key === undefined ? known : keyIn(key));
}

function keyIn(file: string): string | undefined {
  try {
    return toBase58(publicKeyIn(file));
  } catch {
    return undefined; // told by its own check
  }
}

const MARKS = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const;

export const checkWords = ({ check, verdict, says, fix }: Check): string =>
  `${MARKS[verdict]}  ${check.padEnd(12)}${clean(says)}${fix === undefined ? '' : `\n      ${' '.repeat(12)}${clean(fix)}`}`;
