// A plain server, for comparison, in its own process: node:http that sends the bytes of the embedded exchange. It asks that one for each path once,
// keeps the answer, and does nothing with a request but read its body, if it can have one.
import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './forked-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const origin = process.argv[2] ?? '';
const answers = new Map<string, Answer>();

const server = createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
  const { url = '', method = '', headers } = request;
  const send = ({ status, headers, body }: Answer): void => void response.writeHead(status, headers).end(body);
  const answer = answers.get(url);
  if (method === 'GET' && answer !== undefined) return send(answer);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => {
    if (answer === undefined) void fetched(url, { method, body: chunks, type: headers['content-type'] }).then(send);
    else send(answer);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
answerParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

async function fetched(
  path: string,
  { method, body, type }: { method: string; body: readonly Buffer[]; type: string | undefined },
): Promise<Answer> {
  const sent = method === 'GET' ? {} : { body: Buffer.concat(body), headers: { 'content-type': type ?? '' } };
  const reply = await fetch(origin + path, { method, ...sent });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const headers = { 'content-type': reply.headers.get('content-type') ?? '', 'content-length': bytes.length };
  const answer = { status: reply.status, headers, body: bytes };
  answers.set(path, answer);
  return answer;
}
