// A connection to an exchange in another process, as a bot has it: over HTTP, with a session.
import { lastValueFrom, merge, takeWhile, tap } from 'rxjs';
import { systemClock } from '../src/base/clock.ts';
import { walletOf } from '../src/base/keys/key.ts';
import { rngFrom } from '../src/base/rng.ts';
import { httpTransport } from '../src/base/transport/http.ts';
import type { Transport } from '../src/base/transport/transport.ts';
import { newSecretKey } from '../src/base/wire/ed25519.ts';
import type { Event } from '../src/bot/domain/event.ts';
import type { Venue } from '../src/bot/exchange/port.ts';
import { type LoadedConfig, loadConfig } from '../src/bot/run/core/config.ts';
import { type HostedClient, hostedClient } from '../src/venues/client/hosted.ts';
import { connectHosted, type HostedConnectOptions } from '../src/venues/hosted/open.ts';
import { bundledSchema } from '../src/venues/wire/schema/schema.ts';
import { forkServer } from './forked-server.ts';

export interface Connection {
  readonly url: string;
  readonly client: HostedClient;
  readonly transport: Transport;
  readonly venue: Venue;
  /** The default configuration, with a request budget that suffices for every market. */
  readonly config: LoadedConfig;
  close(): Promise<void>;
}

/** A session of a new user at an exchange over HTTP. */
export const newUserAt = (
  transport: Transport,
  options: Pick<HostedConnectOptions, 'polling' | 'markets' | 'dialStreams'>,
): Promise<Venue> =>
  connectHosted({
    transport,
    clock: systemClock,
    rng: rngFrom('bench'),
    wallet: walletOf(newSecretKey()),
    schema: bundledSchema(),
    sessionKey: newSecretKey(),
    log: { info: () => undefined, warn: (message) => console.error(message) },
    firstNonce: 1,
    ...options,
  });

export async function openConnection({ markets: count }: { markets: number }): Promise<Connection> {
  const server = await forkServer('exchange-process.ts', [String(count)]);
  const { url } = server;
  const transport = httpTransport({ origin: url, connections: 16 });
  const client = hostedClient({ transport });
  const config = loadConfig({ file: undefined, sets: ['polling.requestsPerSecond=200'] });
  const markets = (await client.info()).markets.map(({ symbol }) => symbol);
  const venue = await newUserAt(transport, { polling: config.polling, markets });
  const close = async (): Promise<void> => {
    await venue.gateway.close();
    await transport.close();
    await server.close();
  };
  return { url, client, transport, venue, config, close };
}

/** Returns the events that a turn needs besides the book: the newest of each kind, oldest first. */
export async function lookAround({ gateway, feed }: Venue): Promise<readonly Event[]> {
  const kinds: readonly Event['kind'][] = ['timeSeen', 'infoSeen', 'accountSeen', 'sessionSeen'];
  const newest = new Map<Event['kind'], Event>();
  const looking = merge(gateway.events, feed.events).pipe(
    tap((event) => newest.set(event.kind, event)),
    takeWhile(() => !kinds.every((kind) => newest.has(kind)), true),
  );
  await lastValueFrom(looking);
  return [...newest.values()].filter(({ kind }) => kinds.includes(kind)).sort((a, b) => a.at - b.at);
}
