// The open pages of this machine, one private file each, so that another process of this user can make a new link for a page.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Millis } from '../../../base/clock.ts';
import { makeFolder } from '../../../base/files/folder.ts';
import { requirePrivate } from '../../../base/files/private.ts';
import { replaceFile } from '../../../base/files/text-file.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { hashOf, LINK_LIFE, newToken } from './access.ts';

const pageShape = z.object({
  port: z.number(),
  pid: z.number(),
  /** The name of the run that the page shows, or a description. */
  shows: z.string(),
});
export type OpenPage = z.infer<typeof pageShape>;

const linkShape = z.object({ hash: z.string(), until: z.number() });

/** A one-time link, by the hash of its secret. */
export interface Link {
  readonly hash: Buffer;
  readonly until: Millis;
}

const pageFile = (folder: string, port: number): string => join(folder, `${port}.json`);
const linkFile = (folder: string, port: number): string => join(folder, `${port}.link`);

/**
 * Adds a page to the list. `newLink` returns a link that another process has made for it. If the folder cannot be used, no further links are possible, but the
 * page works.
 */
export function listPage(folder: string, page: OpenPage): { readonly newLink: () => Link | undefined; readonly close: () => void } {
  const files = [pageFile(folder, page.port), linkFile(folder, page.port)] as const;
  const remove = (): void => {
    for (const file of files) rmSync(file, { force: true });
  };
  try {
    makeFolder(folder, 0o700);
    requirePrivate(folder);
    remove();
    writeFileSync(files[0], JSON.stringify(page), { mode: 0o600 });
  } catch {
    return { newLink: () => undefined, close: () => undefined };
  }
  return { newLink: () => takeLink(files[1]), close: remove };
}

/** Returns a link that another process has made, and removes its file. */
function takeLink(file: string): Link | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { hash, until } = linkShape.parse(readJson(readFileSync(file, 'utf8'), JSON_LIMITS.state));
    return { hash: Buffer.from(hash, 'hex'), until };
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Returns the pages of running processes. Throws a UserError if another user has access to the folder. */
export function openPages(folder: string, isRunning: (pid: number) => boolean): readonly OpenPage[] {
  if (!existsSync(folder)) return [];
  requirePrivate(folder);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const page = pageIn(join(folder, name));
      if (page !== undefined && isRunning(page.pid)) return [page];
      rmSync(join(folder, name), { force: true });
      return [];
    });
}

function pageIn(file: string): OpenPage | undefined {
  try {
    return pageShape.parse(readJson(readFileSync(file, 'utf8'), JSON_LIMITS.state));
  } catch {
    return undefined;
  }
}

/** Makes a new link for a page, which invalidates the previous one, and returns its address. Only a hash of its secret is stored. */
export function makeLink(folder: string, { port }: OpenPage, now: Millis): string {
  const secret = newToken();
  const file = linkFile(folder, port);
  replaceFile(file, JSON.stringify({ hash: hashOf(secret).toString('hex'), until: now + LINK_LIFE }));
  return `http://127.0.0.1:${port}/#${secret}`;
}
