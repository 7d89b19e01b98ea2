// Allows one run per account and exchange for this user on this machine, whatever state directories are used.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, UserError } from '../../../base/errors.ts';
import { type FileLock, lockFile } from '../../../base/files/file-lock.ts';
import { makeFolder } from '../../../base/files/folder.ts';
import { requirePrivate } from '../../../base/files/private.ts';
import type { AccountRef } from '../../domain/ids.ts';
import type { AdapterLog } from '../../exchange/port.ts';
import { type Environment, machineFolder } from './machine.ts';

/** The account that a run trades. */
export interface Claimed {
  readonly exchange: string;
  readonly url?: string | undefined;
  readonly user?: string | undefined;
  readonly account: AccountRef;
}

export interface ClaimsOptions {
  readonly env: Environment;
  /** State directory of the run. */
  readonly directory: string;
  readonly log: AdapterLog;
}

/** The account claimed by a run; free again after `release` or when the process ends. */
export class Claims {
  readonly #options: ClaimsOptions;
  #lock: FileLock | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  /** Throws a UserError `locked` if another run has the account. If no private folder can be made, logs that and continues. */
  take(claimed: Claimed): void {
    const { env, directory, log } = this.#options;
    const folder = claimsFolder(env);
    const file = join(folder, `${nameOf(claimed)}.lock`);
    try {
      makeFolder(folder, 0o700);
      requirePrivate(folder);
      this.#lock = lockFile(file);
    } catch (error) {
      log.warn(
        `a second run on this account would not be noticed on this machine: ${messageOf(error)}; set XDG_STATE_HOME to a folder that this user can write`,
      );
      return;
    }
    if (this.#lock === undefined) throw isTaken(file, claimed);
    this.#lock.write(`${process.pid} ${directory}\n`);
  }

  release(): void {
    this.#lock?.release();
    this.#lock = undefined;
  }
}

const claimsFolder = (env: Environment): string => join(machineFolder(env), 'accounts');

const nameOf = ({ exchange, url = '', user = '', account }: Claimed): string =>
  createHash('sha256')
    .update(JSON.stringify([exchange, url, user, account]))
    .digest('hex')
    .slice(0, 32);

function isTaken(file: string, { account }: Claimed): UserError {
  const [pid = '', directory = ''] = /^(\d+) (.*)/.exec(readFileSync(file, 'utf8'))?.slice(1) ?? [];
  return new UserError({
    code: 'locked',
    message: `another run on this machine trades account ${account}${pid === '' ? '' : `: process ${pid}, with the state directory ${directory}`}`,
    hint: 'stop it first, or trade with another account or key',
  });
}
