// Tapes by their content hash: from a folder, a web server and a bucket, cached in a folder, and verified before use.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import { packageOf } from '../../../src/base/package.ts';
import { contentHashOf, openTape } from '../../../src/embedded/tape/reader.ts';
import { TapeCache } from '../../../src/research/tapes/cache.ts';
import { tapeSourceOf } from '../../../src/research/tapes/sources.ts';

const TAPE = resolve(import.meta.dirname, '../../../backtest-data/btcusdc-1h.tape');
const bytes = readFileSync(TAPE);
/** The same file with one byte of a block changed. */
const damaged = Buffer.from(bytes);
damaged[Math.floor(bytes.length / 2)]! ^= 1;

let hash = '';
beforeAll(async () => {
  const tape = await openTape(TAPE);
  hash = tape.facts.hash;
  await tape.close();
});

const folderOf = (): string => mkdtempSync(join(tmpdir(), 'tapes-'));
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server on this machine that records the requested paths. */
async function serve(
  answer: (path: string, response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    answer(request.url ?? '', response, request);
  }).listen(0, '127.0.0.1');
  await new Promise((done) => void server.once('listening', done));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, paths };
}

async function cacheOf(
  place: string,
  { folder = folderOf(), mostBytes = 1e9, env = {} }: { folder?: string; mostBytes?: number; env?: Record<string, string> } = {},
) {
  const source = await tapeSourceOf(place, env);
  return { folder, cache: new TapeCache({ source, place, folder, mostBytes, clock: systemClock, pid: 1 }) };
}
const hashesOf = (files: readonly string[]): Promise<readonly string[]> => Promise.all(files.map(contentHashOf));

describe('a tape by its hash', () => {
  test('from a folder is the file itself, under any name', async () => {
    const folder = folderOf();
    const file = join(folder, 'any name.tape');
    copyFileSync(TAPE, file);
    writeFileSync(join(folder, 'broken.tape'), 'no tape');
    const { cache } = await cacheOf(folder);
    expect(await cache.use([hash], async (files) => files)).toEqual([file]);
  });

  test('from a folder is refused if its rows do not match the hash', async () => {
    const folder = folderOf();
    writeFileSync(join(folder, 'a.tape'), damaged);
    const { cache } = await cacheOf(folder);
    await expect(cache.use([hash], hashesOf)).rejects.toThrow('a.tape is damaged');
  });

  test('from a web server is fetched once, and again by another process only if the cached one is damaged', async () => {
    const { url, paths } = await serve((_, response) => void response.end(bytes));
    const { cache, folder } = await cacheOf(`${url}/data`);
    expect(await cache.use([hash], hashesOf)).toEqual([hash]);
    expect(await cache.use([hash], hashesOf)).toEqual([hash]);
    expect(paths).toEqual([`/data/${hash}.tape`]);
    const second = await cacheOf(`${url}/data`, { folder });
    expect(await second.cache.use([hash], hashesOf)).toEqual([hash]);
    expect(paths.length).toBe(1);
    writeFileSync(join(folder, `${hash}.tape`), damaged);
    const third = await cacheOf(`${url}/data`, { folder });
    expect(await third.cache.use([hash], hashesOf)).toEqual([hash]);
    expect(paths.length).toBe(2);
  });

  test('that arrives damaged or truncated is fetched once more, and then refused', async () => {
    let answers = [damaged, bytes];
    const { url } = await serve((_, response) => void response.end(answers.shift()));
    expect(await (await cacheOf(url)).cache.use([hash], hashesOf)).toEqual([hash]);
    answers = [damaged, bytes.subarray(0, 1_000)];
    const { cache, folder } = await cacheOf(url);
    await expect(cache.use([hash], hashesOf)).rejects.toThrow('its content is different or damaged');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that is missing is a UserError; a failing server is not, because it may succeed later', async () => {
    const { url } = await serve((path, response) => void response.writeHead(path.startsWith('/gone') ? 404 : 503).end());
    const { cache } = await cacheOf(`${url}/gone`);
    await expect(cache.use([hash], hashesOf)).rejects.toThrow(UserError);
    const failing = await cacheOf(url);
    const error: unknown = await failing.cache.use([hash], hashesOf).catch((thrown: unknown) => thrown);
    expect([error instanceof UserError, String(error)]).toEqual([false, expect.stringContaining('status 503')]);
  });

  test('from a bucket is requested with a signature, under the prefix', async () => {
    const signed: string[] = [];
    const { url, paths } = await serve((path, response, { headers }) => {
      signed.push(headers.authorization ?? '');
      if (path.includes(hash)) response.end(bytes);
      else response.writeHead(404).end();
    });
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_ENDPOINT_URL: url };
    const { cache } = await cacheOf('s3://bucket/some/tapes', { env });
    expect(await cache.use([hash], hashesOf)).toEqual([hash]);
    expect(paths).toEqual([`/bucket/some/tapes/${hash}.tape`]);
    expect(signed[0]).toMatch(/^AWS4-HMAC-SHA256 Credential=id\//);
    await expect(cache.use(['0'.repeat(64)], hashesOf)).rejects.toThrow(UserError);
    await expect(tapeSourceOf('s3://bucket', {})).rejects.toThrow('no credentials');
    await expect(tapeSourceOf('ftp://host', {})).rejects.toThrow(UserError);
  });

  test('is removed when others need the space, but not while a job uses it', async () => {
    const { url } = await serve((_, response) => void response.end(bytes));
    const folder = folderOf();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${'a'.repeat(64)}.tape`), 'an old one');
    const { cache } = await cacheOf(url, { folder, mostBytes: 1_000 });
    await cache.use([hash], async () => expect(readdirSync(folder)).toEqual([`${hash}.tape`]));
  });
});

test('the error for a missing package names it and the command that installs it', async () => {
  const missing = 'a-package-that-nobody-has';
  await expect(packageOf(missing, () => import(missing))).rejects.toMatchObject({ hint: `type: npm install ${missing}` });
});
