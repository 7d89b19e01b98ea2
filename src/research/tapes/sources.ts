// Sources of tapes: a folder, a web server, or an S3 bucket, where a tape is named HASH.tape.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { UserError } from '../../base/errors.ts';
import { packageOf } from '../../base/package.ts';
import { openTape } from '../../embedded/tape/reader.ts';

/** The name of a tape: the SHA-256 of its content, in hex. */
export const TAPE_HASH = /^[0-9a-f]{64}$/;

export interface TapePlace {
  /** Returns the bytes of a tape; undefined if there is none with this hash. Rejects if the source cannot be reached. */
  fetch(hash: string): Promise<Readable | undefined>;
  /** Returns the tape's file on this machine, under any name. Absent if the source is remote. */
  locate?(hash: string): Promise<string | undefined>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** `place`: a folder, `http://…`, `https://…`, or `s3://BUCKET/PREFIX`, for which `env` has the credentials. Throws a UserError for anything else. */
export async function tapeSourceOf(place: string, env: Env): Promise<TapePlace> {
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(place) ?? [];
  if (scheme === undefined) return folderSource(place);
  if (scheme === 'http' || scheme === 'https') return webSource(place);
  if (scheme === 's3') return bucketSource(place, env);
  throw wrong(`--tapes ${place} is not a place for tapes`, 'write a folder, http://…, https://… or s3://BUCKET/PREFIX');
}

/** Tapes in a folder may have any name that ends with .tape. */
function folderSource(folder: string): TapePlace {
  const byHash = new Map<string, string>();
  const scanFolder = async (): Promise<void> => {
    for (const name of tapesIn(folder)) {
      const file = join(folder, name);
      const tape = await openTape(file).catch(() => undefined); // not readable, for example because it is being recorded
      if (tape === undefined) continue;
      byHash.set(tape.facts.hash, file);
      await tape.close();
    }
  };
  return {
    fetch: async () => undefined,
    async locate(hash) {
      if (!byHash.has(hash)) await scanFolder();
      return byHash.get(hash);
    },
  };
}

function tapesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.tape'));
  } catch {
    throw wrong(`--tapes ${folder} is not a folder that can be read`, 'check the path');
  }
}

function webSource(place: string): TapePlace {
  const base = place.replace(/\/*$/, '/');
  return {
    async fetch(hash) {
      const response = await fetch(`${base}${hash}.tape`);
      return bodyOf(response, place);
    },
  };
}

async function bucketSource(place: string, env: Env): Promise<TapePlace> {
  const { hostname: bucket, pathname } = new URL(place);
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_REGION: region = 'us-east-1' } = env;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw wrong(
      'no credentials for the bucket were given',
      'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for another store than AWS also AWS_ENDPOINT_URL',
    );
  const host = (env['AWS_ENDPOINT_URL'] ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '');
  const { S3mini } = await packageOf('s3mini', () => import('s3mini'));
  const client = new S3mini({ accessKeyId, secretAccessKey, region, endpoint: `${host}/${bucket}` });
  return {
    async fetch(hash) {
      const response = await client.getObjectResponse(prefix === '' ? `${hash}.tape` : `${prefix}/${hash}.tape`);
      return response === null ? undefined : bodyOf(response, place);
    },
  };
}

function bodyOf({ status, ok, body }: Response, place: string): Readable | undefined {
  if (status === 404) return undefined;
  if (!ok || body === null) throw new Error(`${place} answered with status ${status}`);
  return Readable.fromWeb(body);
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'option', message, hint });
