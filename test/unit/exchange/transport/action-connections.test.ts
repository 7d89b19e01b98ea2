// The connections of actions, with real sockets: reads keep some of them open, and actions find them open.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionConnections } from '../../../../src/exchange/transport/action-connections.ts';

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

const send = async (dispatcher: Dispatcher): Promise<string> => (await request(origin, { dispatcher })).body.text();
const four = [1, 2, 3, 4];

test('reads open and keep connections, and actions that are sent together find them open', async () => {
  const connections = new ActionConnections(origin, { most: 8, idleMs: 0 });
  await connections.act(send);
  await Promise.all(four.map(() => connections.readToKeepOpen()?.(send)));
  expect(opened).toBe(4);
  await Promise.all(four.map(() => connections.readToKeepOpen()?.(send)));
  await Promise.all(four.map(() => connections.act(send)));
  expect(opened).toBe(4);
  await connections.close();
});

test('an action never waits for a read while a connection may be opened', async () => {
  const connections = new ActionConnections(origin, { most: 2, idleMs: 0 });
  await connections.act(send);
  await Promise.all([connections.readToKeepOpen()?.(send), connections.act(send)]);
  expect(opened).toBe(2);
  await connections.close();
});

test('nothing is kept open before an action was sent, nor while all are in use', async () => {
  const connections = new ActionConnections(origin, { most: 1, idleMs: 0 });
  expect(connections.readToKeepOpen()).toBeUndefined();
  const acting = connections.act(send);
  expect(connections.readToKeepOpen()).toBeUndefined();
  await acting;
  expect(connections.readToKeepOpen()).toBeDefined();
  await connections.destroy(new Error('the test is over'));
});

test('connections that were used recently get no read', async () => {
  const connections = new ActionConnections(origin, { most: 1 });
  await connections.act(send);
  expect(connections.readToKeepOpen()).toBeUndefined();
  await connections.close();
});
