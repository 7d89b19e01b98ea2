// Reads the targets of alerts from the command line and the configuration, and passes them to the watchdog of a run.

import type { Readable } from 'node:stream';
import { z } from 'zod';
import { UserError } from '../../../base/errors.ts';
import { readPrivate } from '../../../base/keys/private-file.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import type { LoadedConfig } from '../../../bot/run/core/config.ts';
import { type AlertTarget, targetOf } from './targets.ts';

type Settings = Pick<LoadedConfig['notify'], 'to' | 'secretFile'>;

/** Throws a UserError for a URL or a file that cannot be used; its message never contains a URL, which has a secret. */
export function targetsOf(settings: Settings): readonly AlertTarget[] {
  const { urls, secret } = addressesOf(settings);
  return urls.map((url) => targetOf(url, { secret }));
}

/** Returns the targets as URLs, for the watchdog of a run. */
export function addressesOf({ to, secretFile }: Settings): AlertAddresses {
  const secret = secretFile === undefined ? undefined : textOf(secretFile, 'secret of the webhooks').trim();
  return { urls: to.flatMap(urlsOf), secret };
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
export function requireTargets(targets: readonly AlertTarget[]): readonly AlertTarget[] {
  if (targets.length > 0) return targets;
  throw new UserError({
    code: 'notify',
    message: 'there is no target to send alerts to',
    hint: 'give --notify URL, or --config FILE with notify: { to: [URL] }',
  });
}

/** Targets of alerts as URLs, which hold secrets. */
export interface AlertAddresses {
  readonly urls: readonly string[];
  /** Signs the requests to webhooks. */
  readonly secret?: string | undefined;
}

const shape = z.object({ urls: z.array(z.string()), secret: z.string().optional() });

/**
 * Returns the first line that a run sends to its watchdog, through a pipe, because other users can see the command line and the environment. Empty without
 * targets.
 */
export const addressLine = (addresses: AlertAddresses): string => (addresses.urls.length === 0 ? '' : `${JSON.stringify(addresses)}\n`);

/** Returns a function that returns the targets received so far. */
export function receivedTargets(stdin: Readable): () => readonly AlertTarget[] {
  let text = '';
  stdin.on('data', (chunk: Buffer) => {
    if (text === '' || (text.startsWith('{') && !text.includes('\n'))) text += chunk.toString();
  });
  return () => {
    if (!text.startsWith('{')) return [];
    const { urls, secret } = shape.parse(readJson(text.slice(0, text.indexOf('\n')), JSON_LIMITS.state));
    return urls.map((url) => targetOf(url, { secret }));
  };
}
