// The stream of events at a real server with a client that never reads. With a fake client: `stream.test.ts`.
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { logIn, openTestPage, sendRequest } from './test-page.ts';

test('a client of the real server that never reads does not increase the memory of the run, and the others are served', async () => {
  const testPage = await openTestPage();
  const cookie = await logIn(testPage);
  const socket = await new Promise<Socket>((resolve) => {
    const opened = connect(testPage.port, '127.0.0.1', () => resolve(opened));
  });
  socket.on('error', () => undefined); // the server drops a client that does not read, and the connection is reset
  socket.pause();
  socket.write(`GET /api/stream?from=0 HTTP/1.1\r\nhost: 127.0.0.1:${testPage.port}\r\ncookie: ${cookie}\r\n\r\n`);
  while (testPage.source.stream.clients === 0) await new Promise((resolve) => setImmediate(resolve));
  const text = 'x'.repeat(10_000);
  const emit = (): void => {
    for (let count = 0; count < 100; count++) testPage.source.stream.emit({ kind: 'log', at: text });
    testPage.source.stream.flush();
  };
  for (let round = 0; round < 20; round++) emit(); // the kernel's buffers are full, and the limit is reached
  const before = process.memoryUsage().external + process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 200; round++) emit(); // 200 MB
  expect(process.memoryUsage().external + process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  expect((await sendRequest(testPage.port, '/api/state', { headers: { cookie } })).status).toBe(200);
  socket.destroy();
  await testPage.close();
});
