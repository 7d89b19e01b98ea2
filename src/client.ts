// The exchange's endpoints as typed calls, for programs of one's own: what `tickwright/client` exports.
import type { Transport } from './base/transport.ts';
import { type HostedClient, type HostedTimeouts, hostedClient } from './exchange/hosted/client/client.ts';
import { type LocalClient, type LocalClientOptions, localClient } from './exchange/local/client/client.ts';
import { httpTransport } from './exchange/transport/http.ts';

export type { Millis } from './base/clock.ts';
export { UserError } from './base/errors.ts';
export { type HttpReply, type HttpRequest, type Transport, TransportError } from './base/transport.ts';
export type { AccountId, MarketId } from './domain/ids.ts';
export { type HostedClient, HostedError, type HostedTimeouts, type TradesQuery } from './exchange/hosted/client/client.ts';
export { type LocalClient, LocalError, type LocalTimeouts, type NewOrder } from './exchange/local/client/client.ts';
export { ActionCodec, type Receipt, type WireAction } from './wire/codec.ts';
export { type Signer, sessionMessage, signerFrom } from './wire/ed25519.ts';
export type * as hosted from './wire/json/hosted.ts';
export type * as local from './wire/json/local.ts';
export { type ActionSchema, bundledSchema, loadSchema } from './wire/schema/schema.ts';

/** Where a client connects to. */
export interface Server {
  /** Scheme, host and port: `https://…`, or `http://` on this machine. A UserError otherwise. */
  readonly url: string;
  /** How many requests may be under way at once; 4 if not given. */
  readonly connections?: number;
}

/** A client whose connections are closed by `close()`, which breaks off what is under way. */
export type Closing<Client> = Client & { close(): Promise<void> };

const DEFAULT_CONNECTIONS = 4;

/** A client of the hosted exchange: every endpoint, each call one attempt. */
export function connectHosted({
  url,
  connections,
  timeouts,
}: Server & { readonly timeouts?: Partial<HostedTimeouts> }): Closing<HostedClient> {
  const transport = transportTo({ url, connections });
  return { ...hostedClient({ transport, timeouts }), close: () => transport.close() };
}

/** A client of the local signing process: every endpoint, each call one attempt. */
export function connectLocal({ url, connections, ...options }: Server & Omit<LocalClientOptions, 'transport'>): Closing<LocalClient> {
  const transport = transportTo({ url, connections });
  return { ...localClient({ transport, ...options }), close: () => transport.close() };
}

const transportTo = ({ url, connections = DEFAULT_CONNECTIONS }: { url: string; connections?: number | undefined }): Transport =>
  httpTransport({ origin: url, connections });
