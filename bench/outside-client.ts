// The plain client of the `outside` bench, in its own process: fetches the book, signs one order and sends it, every 250 ms.
import { newSecretKey } from '../src/base/wire/ed25519.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import type { BookJson } from './books.ts';
import { PlainClient } from './plain-client.ts';

const EVERY = 250;
const url = process.argv[2] ?? '';
const client = new PlainClient({ schema: bundledSchema().text, secret: newSecretKey() });

setInterval(() => void answerBook(), EVERY);

/** The exchange refuses the order, because the key has no session, but its bytes are sent. */
async function answerBook(): Promise<void> {
  const book = (await (await fetch(`${url}/market/0/orderbook`)).json()) as BookJson;
  const [body] = client.answer(book, { orders: 1, timestamp: Math.floor(Date.now() / 1_000) });
  const reply = await fetch(`${url}/action`, {
    method: 'POST',
    body: Buffer.from(body ?? []),
    headers: { 'content-type': 'application/octet-stream' },
  });
  await reply.arrayBuffer();
}
