// The exports of `tickwright/client`: the exchange's endpoints as typed calls.

import { httpTransport } from './base/transport/http.ts';
import type { Transport } from './base/transport/transport.ts';
import { type HostedClient, type HostedTimeouts, hostedClient } from './venues/client/hosted.ts';
import { type LocalClient, type LocalClientOptions, localClient } from './venues/client/local/client.ts';

export type { Millis } from './base/clock.ts';
export { UserError } from './base/errors.ts';
export { ClientError } from './base/transport/client-error.ts';
export { type HttpReply, type HttpRequest, type Transport, TransportError } from './base/transport/transport.ts';
export { type Signer, sessionMessage, signerFrom } from './base/wire/ed25519.ts';
export type { AccountId, MarketId } from './bot/domain/ids.ts';
export type { HostedClient, HostedTimeouts, TradesQuery } from './venues/client/hosted.ts';
export type { LocalClient, LocalTimeouts, NewOrder } from './venues/client/local/client.ts';
export { ActionCodec, type Receipt, type WireAction } from './venues/wire/codec.ts';
export type * as hosted from './venues/wire/json/hosted.ts';
export type * as local from './venues/wire/json/local.ts';
export { type ActionSchema, bundledSchema, loadSchema } from './venues/wire/schema/schema.ts';

/** The server that a client connects to. */
export interface Server {
  /** Scheme, host and port: `https://…`, or `http://` on this machine. Others cause a UserError. */
  readonly url: string;
  /** Maximum number of concurrent requests. Default 4. */
  readonly connections?: number;
}

/** A client with `close()`, which closes its connections and aborts requests in flight. */
export type Closing<Client> = Client & { close(): Promise<void> };

const DEFAULT_CONNECTIONS = 4;

/** Returns a client for every endpoint of the hosted exchange; each call makes one attempt. */
export function connectHosted({
  url,
  connections,
  timeouts,
}: Server & { readonly timeouts?: Partial<HostedTimeouts> }): Closing<HostedClient> {
  const transport = transportTo({ url, connections });
  return { ...hostedClient({ transport, timeouts }), close: () => transport.close() };
}

/** Returns a client for every endpoint of the local signing process; each call makes one attempt. */
export function connectLocal({ url, connections, ...options }: Server & Omit<LocalClientOptions, 'transport'>): Closing<LocalClient> {
  const transport = transportTo({ url, connections });
  return { ...localClient({ transport, ...options }), close: () => transport.close() };
}

const transportTo = ({ url, connections = DEFAULT_CONNECTIONS }: { url: string; connections?: number | undefined }): Transport =>
  httpTransport({ origin: url, connections });
