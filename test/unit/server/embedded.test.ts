// The embedded exchange started as a whole: in process, over a socket, on a clock.
import { describe, expect, test } from 'vitest';
import { systemClock, VirtualClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import { micros } from '../../../src/domain/numbers.ts';
import { type EmbeddedOptions, startEmbedded } from '../../../src/server/embedded.ts';
import { ActionCodec } from '../../../src/wire/codec.ts';
import { bundledSchema } from '../../../src/wire/schema.ts';
import { keyOf, START, signedBody } from './hosted/desk.ts';

const schema = bundledSchema();
const codec = new ActionCodec(schema);
const bug = (thrown: unknown): void => {
  throw thrown;
};
const usual: EmbeddedOptions = {
  seed: 'embedded',
  start: START,
  clock: systemClock,
  speed: 1,
  faucet: micros(1_000e6),
  schema,
  onBug: bug,
};

describe('the embedded exchange', () => {
  test('one seed and one clock give one exchange, however often it is asked', async () => {
    const books: string[] = [];
    for (const every of [40, 1_000]) {
      const clock = new VirtualClock(0);
      const { hosted, close } = await startEmbedded({ ...usual, clock, speed: 10 });
      for (let time = 0; time <= 2_000; time += every) {
        clock.advanceTo(time);
        hosted({ method: 'GET', path: '/timestamp' });
      }
      const reply = (path: string) => new TextDecoder().decode(hosted({ method: 'GET', path }).body);
      expect(reply('/timestamp')).toBe(String(Math.floor((START + 20_000) / 1000)));
      books.push(reply('/market/0/orderbook') + reply('/trades'));
      await close();
    }
    expect(books[0]).toBe(books[1]);
  });

  test('over a socket: time, schema and a signed action', async () => {
    const { url = '', close } = await startEmbedded({ ...usual, port: 0 });
    const timestamp = (await (await fetch(`${url}/timestamp`)).json()) as number;
    expect(timestamp).toBeGreaterThanOrEqual(Math.floor(START / 1000));
    const proto = await fetch(`${url}/schema.proto`);
    expect([proto.headers.get('content-type'), await proto.text()]).toEqual(['text/plain; charset=utf-8', schema.text]);

    const [user, session] = [keyOf(1), keyOf(2)];
    const wish = { kind: 'createSession', userPubkey: user.publicKey, sessionPubkey: session.publicKey, expiry: timestamp + 60 } as const;
    const body = signedBody(user, codec.encode({ timestamp, nonce: 1, ...wish }), wish.kind);
    const reply = await fetch(`${url}/action`, {
      method: 'POST',
      body: Buffer.from(body),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    expect(codec.decodeReceipt(new Uint8Array(await reply.arrayBuffer()))).toMatchObject({ kind: 'createSession', sessionId: '1' });

    await close();
    await expect(fetch(`${url}/timestamp`)).rejects.toThrow();
  });

  test("a port that is taken is the user's to mend, and leaves no clock running", async () => {
    const first = await startEmbedded({ ...usual, port: 0 });
    const port = Number(new URL(first.url ?? '').port);
    let timers = 0;
    const at = () => {
      timers++;
      return () => {
        timers--;
      };
    };
    await expect(startEmbedded({ ...usual, clock: { now: () => 0, at }, port })).rejects.toThrow(UserError);
    expect(timers).toBe(0);
    await first.close();
  });
});
