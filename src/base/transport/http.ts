// The HTTP transport: a keep-alive pool to one origin, one attempt per request; failures show whether the request was sent.
// Also several such transports, one for each origin.
import { type Dispatcher, Pool } from 'undici';
import { type Millis, systemClock } from '../clock.ts';
import { messageOf, UserError } from '../errors.ts';
import { spanText } from '../text/duration.ts';
import { ActionConnections } from './action-connections.ts';
import { type HttpReply, type HttpRequest, isRead, type Transport, TransportError } from './transport.ts';

interface Limits {
  readonly timeoutMs: Millis;
  readonly maxBytes: number;
}

/**
 * `origin` is scheme, host and port only; http without encryption only to this machine, unless `plain` is true. Throws a UserError `origin` otherwise. A
 * redirect is returned as any other answer. Closing aborts the requests in flight.
 */
export function httpTransport({ origin, connections, plain = false }: { origin: string; connections: number; plain?: boolean }): Transport {
  const checked = checkedOrigin(origin, plain);
  const openReads = (): Pool => new Pool(checked, { connections, pipelining: 1 });
  const openActions = (isUsed: boolean): ActionConnections => new ActionConnections(checked, { most: connections, isUsed });
  // Reads and actions use separate connections, so that one never waits for the answer to the other.
  let reads = openReads();
  let actions = openActions(false);
  let isOpen = true;
  const destroyAll = async (error: Error): Promise<void> => {
    await Promise.all([reads, actions].map((pool) => pool.destroy(error)));
  };
  return {
    request(request, limits) {
      const send = (dispatcher: Dispatcher): Promise<HttpReply> => attempt(dispatcher, request, limits);
      if (request.ownConnection === true) return actions.sendAlone(send);
      if (!isRead(request)) return actions.act(send);
      return actions.readToKeepOpen()?.(send) ?? send(reads);
    },
    reset(reason) {
      if (!isOpen) return;
      void destroyAll(new Error(reason));
      reads = openReads();
      actions = openActions(actions.isUsed);
    },
    renew(body) {
      if (isOpen) actions.renew(body);
    },
    close() {
      isOpen = false;
      return destroyAll(new Error('the transport is closed'));
    },
  };
}

/** Sends a request. `onRequestStart` comes before the first byte is written: a failure before it is `notSent`, a later one is not. */
function attempt(dispatcher: Dispatcher, request: HttpRequest, { timeoutMs, maxBytes }: Limits): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let received = 0;
    let started: Dispatcher.DispatchController | undefined;
    let failure: TransportError | undefined;
    let head: Omit<HttpReply, 'body'> = { status: 0, contentType: '' };

    const fail = (message: string, kind: TransportError['kind'] = started === undefined ? 'notSent' : 'noReply'): void => {
      if (failure !== undefined) return;
      stopTimer();
      failure = new TransportError(kind, message);
      reject(failure);
      started?.abort(failure);
    };
    const stopTimer = systemClock.at(systemClock.now() + timeoutMs, () => fail(`no reply within ${spanText(timeoutMs)}`));

    dispatcher.dispatch(optionsOf(request, timeoutMs), {
      onRequestStart(controller) {
        started = controller;
        if (failure !== undefined) controller.abort(failure); // it waited in the queue for too long, and must not be sent now
      },
      onResponseStart(_, status, headers) {
        head = { status, contentType: textOf(headers['content-type']) ?? '', retryAfter: retryAfterOf(headers), date: dateOf(headers) };
      },
      onResponseData(_, chunk) {
        received += chunk.length;
        if (received > maxBytes) fail(`the reply exceeds ${maxBytes} bytes`, 'tooLarge');
        else chunks.push(chunk);
      },
      onResponseEnd() {
        stopTimer();
        resolve({ ...head, body: Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => fail(faultText(error)),
    });
  });
}

function optionsOf({ method, path, body, contentType, headers: more = {} }: HttpRequest, timeoutMs: Millis): Dispatcher.DispatchOptions {
  const headers = contentType === undefined ? more : { ...more, 'content-type': contentType };
  return { method, path, headers, body: body ?? null, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const textOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const dateOf = (headers: Headers): number | undefined => {
  const time = Date.parse(textOf(headers['date']) ?? '');
  return Number.isNaN(time) ? undefined : time / 1_000;
};

/** Returns seconds. A date is compared with the date of the same reply, so that no local clock matters. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = textOf(headers['retry-after']);
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = Date.parse(value) / 1_000 - (dateOf(headers) ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** Returns the error's message, or its code: Node's error for a name with several addresses has no message. */
function faultText(error: Error): string {
  const message = messageOf(error);
  return message !== '' || !('code' in error) ? message : String(error.code);
}

function checkedOrigin(origin: string, plain: boolean): string {
  if (!URL.canParse(origin)) throw originError(`"${origin}" is not a URL`);
  const url = new URL(origin);
  if (url.username !== '' || url.password !== '') throw originError('the exchange URL carries a user name or password');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw originError(`"${origin}" is not an http URL`);
  if (url.protocol === 'http:' && !plain && !isLoopback(url.hostname))
    throw originError(`"${origin}" is not encrypted, and not on this machine`);
  if (url.protocol === 'https:' && process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') throw uncheckedError();
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') throw originError(`"${origin}" has more than scheme, host and port`);
  return url.origin;
}

const originError = (message: string): UserError =>
  new UserError({ code: 'origin', message, hint: 'write the exchange as https://host, or http://127.0.0.1:PORT for one on this machine' });

/** With this variable set, an attacker on the network could read and answer every request. */
const uncheckedError = (): UserError =>
  new UserError({
    code: 'origin',
    message: 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: the certificate of the exchange would not be checked',
    hint: 'unset it; to trust a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its certificate',
  });

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

/** HTTP transports to several origins, each made when it is first needed. */
export interface TransportsByOrigin {
  /** Throws a UserError `origin` as `httpTransport` does. */
  to(this: void, origin: string): Transport;
  /** Closes all of them. */
  close(this: void): Promise<void>;
}

/** `connections`: to each origin. */
export function transportsByOrigin(connections: number): TransportsByOrigin {
  const made = new Map<string, Transport>();
  return {
    to(origin) {
      const transport = made.get(origin) ?? httpTransport({ origin, connections });
      made.set(origin, transport);
      return transport;
    },
    async close() {
      await Promise.all([...made.values()].map((transport) => transport.close()));
    },
  };
}
