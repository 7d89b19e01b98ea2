// The requests that a server on loopback refuses, because a web page sent them.
import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { refuseBrowserRequest } from '../../../src/base/server/browser-requests.ts';

const statusOf = (headers: IncomingHttpHeaders): number | undefined => refuseBrowserRequest(headers)?.status;

test.each<[string, IncomingHttpHeaders]>([
  ['a plain client', { host: '127.0.0.1:3000' }],
  ['by name', { host: 'localhost:3000' }],
  ['by name in capitals', { host: 'LOCALHOST:3000' }],
  ['without a port', { host: 'localhost' }],
  ['through a forwarded port', { host: 'localhost:9999' }],
  ['an address that the user typed', { host: 'localhost:3000', 'sec-fetch-site': 'none' }],
  [
    'a page of this server',
    { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000', referer: 'http://localhost:3000/a' },
  ],
  ['a fetch of Node', { host: '127.0.0.1:3000', 'sec-fetch-mode': 'cors' }],
])('answered: %s', (_, headers) => expect(refuseBrowserRequest(headers)).toBeUndefined());

test.each<[string, IncomingHttpHeaders]>([
  ['another name', { host: 'evil.test:3000' }],
  ['a name that begins with ours', { host: 'localhost.evil.test:3000' }],
  ['a name that ends with ours', { host: 'evil-localhost:3000' }],
  ['no name', {}],
  ['an empty name', { host: '' }],
  ['all addresses of the machine', { host: '0.0.0.0:3000' }],
  ['loopback in another spelling', { host: '2130706433:3000' }],
  ['our name before another', { host: 'localhost:3000@evil.test' }],
  ['another name and its own origin', { host: 'evil.test:3000', origin: 'http://evil.test:3000', 'sec-fetch-site': 'same-origin' }],
])('421 where the host is %s', (_, headers) => expect(statusOf(headers)).toBe(421));

test.each<[string, IncomingHttpHeaders]>([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ['a form of another origin', { origin: 'http://evil.test' }],
  ['a sandboxed page or a file', { origin: 'null' }],
  ['this origin over TLS', { origin: 'https://localhost:3000' }],
  ['this machine on another port', { origin: 'http://localhost:8000' }],
  ['an image of a page that names itself', { referer: 'http://evil.test/page' }],
  ['a referer that begins with ours', { referer: 'http://localhost:3000.evil.test/' }],
])('403 where it comes from %s', (_, headers) => expect(statusOf({ host: 'localhost:3000', ...headers })).toBe(403));
