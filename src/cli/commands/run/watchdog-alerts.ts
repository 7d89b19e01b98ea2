// What a run gives its watchdog first: where alerts are sent. It goes through the pipe, as the command line and the environment can be seen by others.
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { type Target, targetOf } from '../../../monitoring/alerts/targets.ts';

/** Targets of alerts as URLs, which hold secrets. */
export interface AlertAddresses {
  readonly urls: readonly string[];
  /** Signs what webhooks get. */
  readonly secret?: string | undefined;
}

const shape = z.object({ urls: z.array(z.string()), secret: z.string().optional() });

/** The first bytes that a watchdog is sent; nothing if there is no target. */
export const addressLine = (addresses: AlertAddresses): string => (addresses.urls.length === 0 ? '' : `${JSON.stringify(addresses)}\n`);

/** Returns a function that gives the targets that have arrived by then; none if the run has none. */
export function arrivingTargets(stdin: Readable): () => readonly Target[] {
  let text = '';
  stdin.on('data', (chunk: Buffer) => {
    if (text === '' || (text.startsWith('{') && !text.includes('\n'))) text += chunk.toString();
  });
  return () => {
    if (!text.startsWith('{')) return [];
    const { urls, secret } = shape.parse(JSON.parse(text.slice(0, text.indexOf('\n'))));
    return urls.map((url) => targetOf(url, { secret }));
  };
}
