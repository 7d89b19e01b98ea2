// Reads the lines of a file, gzip or plain text, piece by piece.
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf, UserError } from '../../../base/errors.ts';
import { READ_WITHOUT_WAITING } from '../../../base/text-file.ts';

export interface Input {
  readonly file: string;
  /** Size on disk, compressed if the file is. */
  readonly bytes: number;
  readonly gzip: boolean;
}

/** Examines the beginning of a file. Throws a `UserError` if the file is missing, empty, or neither gzip nor text. */
export async function openInput(file: string): Promise<Input> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, READ_WITHOUT_WAITING);
    const stats = await handle.stat();
    if (!stats.isFile()) throw wrongInput(`${file} is not a file`, 'give the recording itself');
    const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(HEAD), position: 0 });
    const head = buffer.subarray(0, bytesRead);
    if (bytesRead === 0) throw wrongInput(`${file} is empty`, 'was its download interrupted?');
    const gzip = head[0] === 0x1f && head[1] === 0x8b;
    if (!gzip && head.includes(0)) throw wrongInput(`${file} is neither gzip nor text`, 'unpack it, or download it again');
    return { file, bytes: stats.size, gzip };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw wrongInput(`${file} cannot be read: ${messageOf(error)}`, 'check the path');
  } finally {
    await handle?.close();
  }
}

const HEAD = 512;
/** Maximum length of a line, which may hold a whole book. A file with a longer one is not a recording. */
const LONGEST_LINE = 1 << 26;

/** Yields the lines in order, all of one piece of the file at a time. Calls `onRead` with the number of bytes of each piece. */
export async function* readLines({ file, gzip }: Input, onRead: (bytes: number) => void): AsyncGenerator<readonly string[]> {
  const source = createReadStream(file, { highWaterMark: 1 << 18 });
  const text: Readable = gzip ? pipeline(source, createGunzip({ chunkSize: 1 << 18 }), () => undefined) : source;
  text.setEncoding('utf8');
  let rest = '';
  let read = 0;
  try {
    for await (const piece of text as AsyncIterable<string>) {
      onRead(source.bytesRead - read);
      read = source.bytesRead;
      const lines = (rest + piece).split(/\r?\n/);
      rest = lines.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw wrongInput(`${file} has a line of more than 64 MiB`, 'check that it is a recording');
      yield lines;
    }
  } catch (error) {
    throw error instanceof UserError ? error : brokenFile(file, error);
  }
  if (rest !== '') yield [rest];
}

function brokenFile(file: string, error: unknown): UserError {
  const cut = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR';
  if (cut)
    return wrongInput(
      `${file} ends in the middle of its gzip data`,
      'download or record it again; or save what there is: gunzip -c FILE > TEXT',
    );
  return wrongInput(`${file} cannot be read: ${messageOf(error)}`, 'gunzip -t FILE says whether it is damaged');
}

export const wrongInput = (message: string, hint: string): UserError => new UserError({ code: 'import', message, hint });
