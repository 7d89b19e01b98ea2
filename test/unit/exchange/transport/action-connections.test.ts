// The connections of actions, with real sockets: reads keep some of them open, and actions find them open.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionConnections } from '../../../../src/base/transport/action-connections.ts';
import type { HttpReply } from '../../../../src/base/transport/transport.ts';

let server: Server;
let opened: number;
let origin: string;
beforeEach(async () => {
  opened = 0;
  server = createServer((_, response) => void response.end('ok'));
  server.on('connection', () => void opened++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void server.close());

const send = async (dispatcher: Dispatcher): Promise<HttpReply> => {
  const { statusCode: status, body } = await request(origin, { dispatcher });
  return { status, contentType: '', body: await body.bytes() };
};
const four = [1, 2, 3, 4];
const OVER = new Error('the test is over');

test('reads open and keep connections, and actions that are sent together find them open', async () => {
  const connections = new ActionConnections(origin, { most: 8, idleMs: 0 });
  await connections.act(send);
  await Promise.all(four.map(async () => connections.readToKeepOpen()?.(send)));
  expect(opened).toBe(4);
  await Promise.all(four.map(async () => connections.readToKeepOpen()?.(send)));
  await Promise.all(four.map(() => connections.act(send)));
  expect(opened).toBe(4);
  await connections.destroy(OVER);
});

test('an action never waits for a read while a connection may be opened', async () => {
  const connections = new ActionConnections(origin, { most: 2, idleMs: 0 });
  await connections.act(send);
  await Promise.all([connections.readToKeepOpen()?.(send) ?? 'no connection', connections.act(send)]);
  expect(opened).toBe(2);
  await connections.destroy(OVER);
});

test('nothing is kept open before an action was sent, nor while all are in use', async () => {
  const connections = new ActionConnections(origin, { most: 1, idleMs: 0 });
  expect(connections.readToKeepOpen()).toBeUndefined();
  const acting = connections.act(send);
  expect(connections.readToKeepOpen()).toBeUndefined();
  await acting;
  expect(connections.readToKeepOpen()).toBeDefined();
  await connections.destroy(OVER);
});

test('connections that were used recently get no read', async () => {
  const connections = new ActionConnections(origin, { most: 1 });
  await connections.act(send);
  expect(connections.readToKeepOpen()).toBeUndefined();
  await connections.destroy(OVER);
});

test('after a renewal actions use a connection that only reads have used, and it is open', async () => {
  const connections = new ActionConnections(origin, { most: 8, idleMs: 0 });
  await connections.act(send);
  await Promise.all(four.map(async () => connections.readToKeepOpen()?.(send)));
  await connections.act(send);
  const before = opened;
  connections.renew();
  await connections.act(send);
  expect(opened).toBe(before);
  connections.renew();
  connections.renew();
  await connections.act(send);
  expect(opened).toBe(before);
  await connections.destroy(OVER);
});

test('after a renewal for one reply only the connection of that reply is left', async () => {
  const connections = new ActionConnections(origin, { most: 8, idleMs: 0 });
  const [refused] = await Promise.all(four.map(() => connections.act(send)));
  connections.renew(refused?.body);
  await Promise.all(four.slice(1).map(() => connections.act(send)));
  expect(opened).toBe(4);
  await connections.act(send);
  connections.renew();
  await connections.act(send);
  expect(opened).toBe(5);
  await connections.destroy(OVER);
});
