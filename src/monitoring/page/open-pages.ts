// The pages that are open on this machine, one private file each, so that another process of this user can make a link for one of them.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { requirePrivate } from '../../base/files/private.ts';
import { hashOf, LINK_LIFE, newToken } from './access.ts';

const pageShape = z.object({
  port: z.number(),
  pid: z.number(),
  /** What it shows: the name of a run, or words. */
  shows: z.string(),
});
export type OpenPage = z.infer<typeof pageShape>;

const linkShape = z.object({ hash: z.string(), until: z.number() });

export interface Link {
  readonly hash: Buffer;
  readonly until: Millis;
}

const pageFile = (folder: string, port: number): string => join(folder, `${port}.json`);
const linkFile = (folder: string, port: number): string => join(folder, `${port}.link`);

/** A folder that cannot be used leaves the page without further links, and stops nothing. */
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

/** The link that another process has made, once. */
function takeLink(file: string): Link | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { hash, until } = linkShape.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { hash: Buffer.from(hash, 'hex'), until };
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}

/** The pages of processes that run. Throws a UserError if the folder is not this user's alone. */
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
    return pageShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Makes a link for a page, which ends the one before. Returns its address; only a hash of its secret is on the disk, until it is used. */
export function makeLink(folder: string, { port }: OpenPage, now: Millis): string {
  const secret = newToken();
  const file = linkFile(folder, port);
  writeFileSync(`${file}.new`, JSON.stringify({ hash: hashOf(secret).toString('hex'), until: now + LINK_LIFE }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return `http://127.0.0.1:${port}/#${secret}`;
}
