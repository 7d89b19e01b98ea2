// Reads a file of the strategy whenever it has changed.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { filter, map } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import { poll } from '../../../base/streams/poll.ts';
import type { FileInput } from '../../strategy/inputs.ts';
import type { Answers } from './events.ts';

const INTERVAL: Millis = 1_000;
const TIMEOUT: Millis = 5_000;
const MAX_BYTES = 1024 * 1024;

interface Content {
  /** Undefined if the file has not changed since it was last read. */
  readonly read: { readonly value: unknown; readonly modified: Millis } | undefined;
}

/** Emits the content at the subscription and after each change, with the time at which the file was written; and each failure to read it. */
export function watchFile({ path, parse }: FileInput, { clock, rng }: { clock: Clock; rng: Rng }): Answers {
  const reader = new FileReader(resolve(path), parse);
  return poll({ clock, rng, everyMs: INTERVAL, timeoutMs: TIMEOUT, ask: () => reader.read() }).pipe(
    filter((answer) => answer.kind === 'failed' || answer.value.read !== undefined),
    map((answer) => {
      if (answer.kind === 'failed') return answer;
      const { value, modified } = answer.value.read!;
      return { ...answer, value, asked: Math.min(modified, answer.asked) }; // a file may be dated in the future
    }),
  );
}

/** Reads a file if it has changed since the last call. */
export class FileReader {
  readonly #path: string;
  readonly #parse: FileInput['parse'];
  /** Identifies the last content that was read; undefined after a failure, so that the same content is read again. */
  #version: string | undefined;

  constructor(path: string, parse: FileInput['parse']) {
    [this.#path, this.#parse] = [path, parse];
  }

  async read(): Promise<Content> {
    try {
      return await this.#readIfChanged();
    } catch (error) {
      this.#version = undefined;
      throw new Error(`${this.#path} cannot be read: ${messageOf(error)}`, { cause: error });
    }
  }

  async #readIfChanged(): Promise<Content> {
    const handle = await open(this.#path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe without a writer would block
    try {
      const status = await handle.stat();
      const { size, mtimeMs, ino } = status;
      if (!status.isFile()) throw new Error('it is not a regular file');
      const version = `${ino} ${mtimeMs} ${size}`;
      if (version === this.#version) return { read: undefined };
      if (size > MAX_BYTES) throw new Error(`it has ${size} bytes; at most ${MAX_BYTES} are allowed`);
      const value = this.#parse(await handle.readFile('utf8'));
      this.#version = version;
      return { read: { value, modified: Math.round(mtimeMs) } };
    } finally {
      await handle.close();
    }
  }
}
