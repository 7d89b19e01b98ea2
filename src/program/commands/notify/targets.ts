// Reads the targets of alerts from the command line and the configuration.
import { UserError } from '../../../base/errors.ts';
import { readPrivate } from '../../../base/keys/private-file.ts';
import type { LoadedConfig } from '../../../bot/run/core/config.ts';
import { type AlertTarget, targetOf } from '../../monitoring/alerts/targets.ts';
import type { AlertAddresses } from './watchdog-alerts.ts';

type Settings = Pick<LoadedConfig['notify'], 'to' | 'secretFile'>;

/** Throws a UserError for a URL or a file that cannot be used; its message never contains a URL, which has a secret. */
export function targetsOf(given: readonly string[], settings: Settings): readonly AlertTarget[] {
  const { urls, secret } = addressesOf(given, settings);
  return urls.map((url) => targetOf(url, { secret }));
}

/** Returns the targets as URLs, for the watchdog of a run. */
export function addressesOf(given: readonly string[], { to, secretFile }: Settings): AlertAddresses {
  const secret = secretFile === undefined ? undefined : textOf(secretFile, 'secret of the webhooks').trim();
  return { urls: [...given, ...to].flatMap(urlsOf), secret };
}

const urlsOf = (text: string): readonly string[] =>
  text.startsWith('@')
    ? textOf(text.slice(1), 'file of alert targets')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'))
    : [text];

const textOf = (file: string, what: string): string =>
  new TextDecoder().decode(readPrivate(file, { what, hint: `write it with: (umask 077; cat > ${file})` }));

/** Throws a UserError if there is no target at all. */
export function needTargets(targets: readonly AlertTarget[]): readonly AlertTarget[] {
  if (targets.length > 0) return targets;
  throw new UserError({
    code: 'notify',
    message: 'there is no target to send alerts to',
    hint: 'give --notify URL, or --config FILE with notify: { to: [URL] }',
  });
}
