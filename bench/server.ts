// Measures the embedded exchange as a server: the CPU time of its process for each request, beside that of a plain node:http that sends the same bytes.
// In alternation; the least of some rounds, because other work of the machine only adds.
import { Pool } from 'undici';
import { assert } from '../src/base/errors.ts';
import { newSecretKey, sessionMessage, signerFrom, toBase58 } from '../src/base/wire/ed25519.ts';
import { ActionCodec } from '../src/venues/wire/codec.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { seal } from '../src/venues/wire/sign-action.ts';
import type { BookJson } from './books.ts';
import { type ForkedServer, forkServer } from './forked-server.ts';
import { type Bench, type Row, times } from './measure.ts';

/** Clients at a time, each with a connection that stays open; a server of ours takes 512. */
const CLIENTS = [1, 500];
const REQUESTS = 3_000;
const ROUNDS = 5;
/** Rounds that do not count, in which the code is still being compiled. */
const WARM_UP = 4;
/** How many times the CPU time of the plain server is allowed, except for signed actions, whose signature is verified. */
const AIM = 2;

/** What a client asks for; a body is made for each request. */
interface Asked {
  readonly name: string;
  readonly path: string;
  readonly body?: () => Uint8Array;
}

export const server: Bench = async () => {
  const ours = await forkServer('exchange-process.ts', ['4']);
  const plain = await forkServer('plain-server.ts', [ours.url]);
  try {
    const user = await openAccount(ours.url);
    const asked: readonly Asked[] = [
      { name: 'a book', path: '/market/0/orderbook' },
      { name: '50 trades', path: '/trades?marketId=0&pageSize=50' },
      { name: `an account with ${RESTING} orders`, path: `/account/${user.account}` },
      { name: 'the info', path: '/info' },
      { name: 'a signed order', path: '/action', body: user.order },
    ];
    const rows: Row[] = [];
    for (const one of asked) for (const clients of CLIENTS) rows.push(await rowOf(one, { ours, plain, clients }));
    return rows;
  } finally {
    await plain.close();
    await ours.close();
  }
};

async function rowOf(asked: Asked, { ours, plain, clients }: { ours: ForkedServer; plain: ForkedServer; clients: number }): Promise<Row> {
  let [our, their] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const micros = [await microsOf(asked, ours, clients), await microsOf(asked, plain, clients)] as const;
    if (round >= 0) [our, their] = [Math.min(our, micros[0]), Math.min(their, micros[1])];
  }
  const bounded = asked.body === undefined;
  return {
    name: `server: ${asked.name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`,
    figure: `${our.toFixed(1)} µs of CPU a request`,
    baseline: `node:http ${their.toFixed(1)} µs`,
    ratio: times(their / our),
    aim: bounded ? `at least ${times(1 / AIM)}` : '',
    met: bounded ? our <= AIM * their : undefined,
  };
}

/** Returns the CPU microseconds of a server's process for each request. */
async function microsOf({ path, body }: Asked, one: ForkedServer, clients: number): Promise<number> {
  const pool = new Pool(one.url, { connections: clients, pipelining: 1 });
  const ask = async (): Promise<void> => void (await answerOf(pool, path, body?.()));
  await Promise.all(Array.from({ length: clients }, ask)); // connects
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left-- > 0) await ask();
  };
  const before = await one.cpuSeconds();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (await one.cpuSeconds()) - before;
  await pool.close();
  return (seconds / REQUESTS) * 1e6;
}

async function answerOf(pool: Pool, path: string, bytes?: Uint8Array): Promise<Uint8Array> {
  const sent = bytes && { body: bytes, headers: { 'content-type': 'application/octet-stream' } };
  const { statusCode, body } = await pool.request({ path, method: bytes ? 'POST' : 'GET', ...sent });
  assert(statusCode === 200, `${path} is answered with ${statusCode}`);
  return new Uint8Array(await body.arrayBuffer());
}

/** A new user with resting orders. */
interface BenchUser {
  readonly account: number;
  /** Returns the bytes of another order, of which nothing is filled and nothing rests. */
  readonly order: () => Uint8Array;
}

const RESTING = 20;
const SIZE = 83n;
const HOUR = 3_600;

async function openAccount(url: string): Promise<BenchUser> {
  const codec = new ActionCodec(bundledSchema());
  const [user, session] = [signerFrom(newSecretKey()), signerFrom(newSecretKey())];
  const pool = new Pool(url);
  const read = async <T>(path: string): Promise<T> => JSON.parse(Buffer.from(await answerOf(pool, path)).toString()) as T;
  let nonce = 0;
  const stamped = () => ({ timestamp: Math.floor(Date.now() / 1_000), nonce: nonce++ });
  const keys = { userPubkey: user.publicKey, sessionPubkey: session.publicKey };
  const { timestamp, nonce: first } = stamped();
  const framed = codec.encode({ kind: 'createSession', timestamp, nonce: first, ...keys, expiry: timestamp + HOUR });
  const receipt = codec.decodeReceipt(await answerOf(pool, '/action', Buffer.concat([framed, user.sign(sessionMessage(framed))])));
  assert(receipt.kind === 'createSession', `no session is opened: ${receipt.kind}`);
  const { sessionId } = receipt;
  const { bids } = await read<BookJson>('/market/0/orderbook');
  const price = BigInt(Math.round((bids[0]?.[0] ?? 0) * 9.9)); // in tenths, one percent below the best bid
  const order = (fillMode: 'POST_ONLY' | 'IMMEDIATE_OR_CANCEL'): Uint8Array =>
    seal(
      { kind: 'placeOrder', ...stamped(), sessionId, marketId: 0, side: 'bid', fillMode, price, size: SIZE },
      { codec, signer: session },
    );
  for (let placed = 0; placed < RESTING; placed++) await answerOf(pool, '/action', order('POST_ONLY'));
  const { accountIds } = await read<{ accountIds: readonly [number] }>(`/user/${toBase58(user.publicKey)}`);
  const { orders } = await read<{ orders: readonly unknown[] }>(`/account/${accountIds[0]}`);
  assert(orders.length === RESTING, `${orders.length} of ${RESTING} orders rest`);
  await pool.close();
  return { account: accountIds[0], order: () => order('IMMEDIATE_OR_CANCEL') };
}
