// Passes the addresses for alerts from a run to its watchdog, through a pipe, because other users can see the command line and the environment.

import type { Readable } from 'node:stream';
import { z } from 'zod';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { type AlertTarget, targetOf } from '../../monitoring/alerts/targets.ts';

/** Targets of alerts as URLs, which hold secrets. */
export interface AlertAddresses {
  readonly urls: readonly string[];
  /** Signs the requests to webhooks. */
  readonly secret?: string | undefined;
}

const shape = z.object({ urls: z.array(z.string()), secret: z.string().optional() });

/** Returns the first line sent to a watchdog; empty without targets. */
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
