// Checks Host and Origin of requests to a server on loopback, and refuses those of web pages: a page of any site in the user's browser can reach
// 127.0.0.1 and change the server's data.
import type { IncomingHttpHeaders } from 'node:http';

export interface BrowserRefusal {
  readonly status: 403 | 421;
  readonly message: string;
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);
/** Values of `Sec-Fetch-Site` for requests that no foreign page caused: by a page of this server, or by an address that the user typed. */
const HARMLESS_SITES: readonly string[] = ['same-origin', 'none'];

/**
 * Returns why a request is refused, or undefined if it may be answered. Any failed check refuses it, because a browser may omit the other headers:
 * `Host` must be a loopback name, since a page can let its own host name point to 127.0.0.1 (DNS rebinding); `Sec-Fetch-Site` must not name a foreign
 * site; `Origin` and `Referer`, which programs do not send, must be of this server itself. If a port is given, `Host` must name it.
 */
export function refuseBrowserRequest(headers: IncomingHttpHeaders, port?: number): BrowserRefusal | undefined {
  const { host, origin, referer } = headers;
  const site = headers['sec-fetch-site'];
  if (host === undefined || !LOOPBACK_NAMES.has(nameOf(host)) || (port !== undefined && !host.endsWith(`:${port}`))) {
    return { status: 421, message: 'this server answers to 127.0.0.1 and localhost only; use one of these names in the address' };
  }
  if (typeof site === 'string' && !HARMLESS_SITES.includes(site)) return foreign('Sec-Fetch-Site');
  if (origin !== undefined && origin !== `http://${host}`) return foreign('Origin');
  if (referer !== undefined && referer !== `http://${host}` && !referer.startsWith(`http://${host}/`)) return foreign('Referer');
  return undefined;
}

const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

const foreign = (header: string): BrowserRefusal => ({
  status: 403,
  message: `requests of web pages are refused, and the header ${header} shows that this is one; programs do not send it`,
});
