// The embedded exchange as a whole: in this process, over a socket, on a clock.
import { describe, expect, test } from 'vitest';
import { systemClock, VirtualClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import { type Signer, toBase58 } from '../../../src/base/wire/ed25519.ts';
import { micros } from '../../../src/bot/domain/numbers.ts';
import { type EmbeddedOptions, startEmbedded } from '../../../src/embedded/server/embedded.ts';
import { ActionCodec, type WireAction } from '../../../src/venues/wire/codec.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';
import { keyOf, START, signedBody } from './hosted/open-api.ts';

const schema = bundledSchema();
const codec = new ActionCodec(schema);
const bug = (thrown: unknown): void => {
  throw thrown;
};
const anyText = expect.any(String) as string;
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
  test('one seed and one clock give one exchange, however many requests it gets', async () => {
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

  test('warns of the time that it leaves out, and counts it', async () => {
    let [now, timer] = [0, () => undefined as void];
    const at = (_: number, run: () => void) => {
      timer = run;
      return () => undefined;
    };
    const warnings: string[] = [];
    const warn = (text: string) => void warnings.push(text);
    const { skipped, close } = await startEmbedded({ ...usual, clock: { now: () => now, at, skipped: () => 0 }, warn });
    now = 100_000;
    timer();
    expect(skipped()).toBe(40_000);
    expect(warnings).toEqual([expect.stringContaining('the embedded exchange is 40 s behind the clock for good')]);
    await close();
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

  test('a port that is taken is a UserError, and leaves no clock running', async () => {
    const first = await startEmbedded({ ...usual, port: 0 });
    const port = Number(new URL(first.url ?? '').port);
    let timers = 0;
    const at = () => {
      timers++;
      return () => {
        timers--;
      };
    };
    await expect(startEmbedded({ ...usual, clock: { now: () => 0, at, skipped: () => 0 }, port })).rejects.toThrow(UserError);
    expect(timers).toBe(0);
    await first.close();
  });

  test('serves the local API beside the hosted one on request: one funded account on both, traded from either', async () => {
    const { url = '', localUrl = '', localAccount, local, close } = await startEmbedded({ ...usual, port: 0, localPort: 0 });
    const { id, user } = localAccount!;
    const a = async (path: string, init?: RequestInit) => (await (await fetch(`${localUrl}${path}`, init)).json()) as { result: unknown };
    const b = async (path: string) => (await (await fetch(`${url}${path}`)).json()) as { accountIds: number[]; orders: unknown[] };

    expect((await b(`/user/${toBase58(user.publicKey)}`)).accountIds).toEqual([id]);
    expect((await a('/account')).result).toMatchObject({ username: String(id), totalAccountValue: 1_000 });
    expect((await a('/wallet/transfers')).result).toMatchObject([{ type: 'deposit', coin: 'USDC', size: 1_000 }]);
    for (const move of ['coin=USDC&size=1000', 'coin=SOL&size=100'])
      expect(await a(`/wallet/deposits?${move}`)).toMatchObject({ success: true });

    const wish = { market: 'ETH-PERP', side: 'buy', price: 2_500, type: 'limit', size: 0.1 };
    expect(await a('/orders', { method: 'POST', body: JSON.stringify(wish) })).toMatchObject({ success: true });
    expect((await b(`/account/${id}`)).orders).toMatchObject([{ marketId: 1, price: 2_500, size: 0.1 }]);

    const session = keyOf(2);
    const act = async (signer: Signer, action: WireAction) => {
      const body = Buffer.from(signedBody(signer, codec.encode(action), action.kind));
      const headers = { 'content-type': 'application/octet-stream' };
      const reply = await fetch(`${url}/action`, { method: 'POST', body, headers });
      return codec.decodeReceipt(new Uint8Array(await reply.arrayBuffer()));
    };
    const timestamp = (await (await fetch(`${url}/timestamp`)).json()) as number;
    const keys = { userPubkey: user.publicKey, sessionPubkey: session.publicKey };
    const opened = await act(user, { kind: 'createSession', timestamp, nonce: 1, ...keys, expiry: timestamp + 60 });
    if (opened.kind !== 'createSession') throw new Error(opened.kind);
    const order = { marketId: 1, side: 'ask', fillMode: 'LIMIT', price: 350_000n, size: 100n } as const;
    expect((await act(session, { kind: 'placeOrder', timestamp, nonce: 2, sessionId: opened.sessionId, ...order })).kind).toBe(
      'placeOrder',
    );
    expect((await a('/orders')).result).toMatchObject([{ side: 'sell', price: 3_500 }, { side: 'buy' }]);

    expect(await a('/nothing')).toEqual({ success: false, message: anyText, result: null });
    expect(await a('/orders', { method: 'PUT' })).toEqual({ success: false, message: anyText, result: null });
    expect(await a('/orders', { method: 'POST', body: 'x'.repeat(70_000) })).toEqual({ success: false, message: anyText, result: null });
    expect(local!({ method: 'GET', path: '/positions' }).status).toBe(200);
    await close();
    await expect(fetch(`${localUrl}/markets`)).rejects.toThrow();
    await expect(fetch(`${url}/info`)).rejects.toThrow();
  });

  test('has no local account without a port for it, and a funded one even if new users get no money', async () => {
    const without = await startEmbedded(usual);
    expect([without.local, without.localUrl, without.localAccount]).toEqual([undefined, undefined, undefined]);
    await without.close();
    const { exchange, localAccount, close } = await startEmbedded({ ...usual, faucet: micros(0), localPort: 0 });
    expect(exchange.account(localAccount!.id)!.balances).toEqual([{ tokenId: 0, token: 'USDC', amount: 100_000 }]);
    await close();
  });

  test('a second port that is taken closes the first', async () => {
    const first = await startEmbedded({ ...usual, port: 0 });
    const taken = Number(new URL(first.url ?? '').port);
    const free = await startEmbedded({ ...usual, port: 0 });
    const port = Number(new URL(free.url ?? '').port);
    await free.close();
    await expect(startEmbedded({ ...usual, port, localPort: taken })).rejects.toThrow(UserError);
    await expect(fetch(`http://127.0.0.1:${port}/info`)).rejects.toThrow();
    await first.close();
  });
});
