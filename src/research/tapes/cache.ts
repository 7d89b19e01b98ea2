// A cache of tapes by content hash: downloads from a source into a folder, and verifies each tape before use.
import { createWriteStream, existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files/folder.ts';
import { contentHashOf } from '../../embedded/tape/reader.ts';
import { TAPE_HASH, type TapePlace } from './sources.ts';

/** Maximum number of downloads of a tape: one with wrong content is removed and repeated once. */
const MAX_DOWNLOADS = 2;

export interface CacheOptions {
  readonly source: TapePlace;
  /** The location of the source, for messages. */
  readonly place: string;
  readonly folder: string;
  /** Maximum size of the cache; the most recently used tapes are kept. */
  readonly mostBytes: number;
  readonly clock: Clock;
  /** Distinguishes the unfinished downloads of several processes. */
  readonly pid: number;
}

export class TapeCache {
  readonly #options: CacheOptions;
  /** By hash: the path of the file once its content has been checked. */
  readonly #checked = new Map<string, Promise<string>>();
  /** Number of jobs that use each tape, by hash. */
  readonly #used = new Map<string, number>();

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /** Calls `work` with the files of the tapes, and keeps them until `work` has ended. Rejects with a UserError for a wrong hash or a missing tape. */
  async use<T>(hashes: readonly string[], work: (files: readonly string[]) => Promise<T>): Promise<T> {
    for (const hash of hashes)
      if (!TAPE_HASH.test(hash))
        throw new UserError({ code: 'tape', message: `"${hash}" is not the hash of a tape`, hint: 'a tape is named by its SHA-256' });
    for (const hash of hashes) this.#used.set(hash, (this.#used.get(hash) ?? 0) + 1);
    try {
      const files: string[] = [];
      for (const hash of hashes) files.push(await this.#fileOf(hash));
      return await work(files);
    } finally {
      for (const hash of hashes) this.#used.set(hash, (this.#used.get(hash) ?? 1) - 1);
    }
  }

  async #fileOf(hash: string): Promise<string> {
    const known = await this.#checked.get(hash);
    if (known !== undefined && existsSync(known)) return this.#touched(known); // another process may have removed it
    const file = this.#fetch(hash);
    this.#checked.set(hash, file);
    file.catch(() => this.#checked.delete(hash));
    return file;
  }

  async #fetch(hash: string): Promise<string> {
    const { source, place, folder } = this.#options;
    // a source on this machine: its file is used in place, and is not copied
    const located = await source.locate?.(hash);
    if (located !== undefined) {
      if (await isWhole(located, hash)) return located;
      throw new UserError({ code: 'tape', message: `${located} is damaged`, hint: 'copy it again' });
    }
    const file = join(folder, `${hash}.tape`);
    if (existsSync(file) && (await isWhole(file, hash))) return this.#touched(file);
    for (let download = 0; download < MAX_DOWNLOADS; download++) if (await this.#download(hash, file)) return this.#touched(file);
    throw new Error(`${place} has a tape named ${hash}, but its content is different or damaged`);
  }

  /** Downloads a tape; returns false if its content is wrong. */
  async #download(hash: string, file: string): Promise<boolean> {
    const { source, place, folder, pid } = this.#options;
    const bytes = await source.fetch(hash);
    if (bytes === undefined)
      throw new UserError({ code: 'tape', message: `${place} has no tape with the hash ${hash}`, hint: `put it there as ${hash}.tape` });
    makeFolder(folder);
    const part = `${file}.${pid}.part`;
    try {
      await pipeline(bytes, createWriteStream(part));
      if (!(await isWhole(part, hash))) return false;
      renameSync(part, file);
    } finally {
      rmSync(part, { force: true });
    }
    this.#makeRoom();
    return true;
  }

  /** Sets the time of the file's last use, and returns the file. */
  #touched(file: string): string {
    const now = this.#options.clock.now() / 1_000;
    if (file.startsWith(this.#options.folder)) utimesSync(file, now, now);
    return file;
  }

  /** Removes the least recently used tapes, except those that a job is using. */
  #makeRoom(): void {
    const { folder, mostBytes } = this.#options;
    const tapes = readdirSync(folder).flatMap((name) => {
      const stat = statSync(join(folder, name), { throwIfNoEntry: false });
      return name.endsWith('.tape') && stat !== undefined ? [{ hash: name.replace('.tape', ''), bytes: stat.size, at: stat.mtimeMs }] : [];
    });
    let bytes = tapes.reduce((sum, tape) => sum + tape.bytes, 0);
    for (const tape of tapes.toSorted((a, b) => a.at - b.at)) {
      if (bytes <= mostBytes) return;
      if ((this.#used.get(tape.hash) ?? 0) > 0) continue;
      this.#checked.delete(tape.hash);
      rmSync(join(folder, `${tape.hash}.tape`), { force: true });
      bytes -= tape.bytes;
    }
  }
}

const isWhole = async (file: string, hash: string): Promise<boolean> => (await contentHashOf(file).catch(() => undefined)) === hash;
