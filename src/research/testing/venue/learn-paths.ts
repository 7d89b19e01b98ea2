// Finds out which requests of an adapter ask for what, so that the faults of the simulation strike the same endpoints as at the hosted exchange.
import { type HttpRequest, isRead } from '../../../base/transport/transport.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Path, PathOf } from '../../simulation/plan/faults.ts';
import { VenueBench, type VenueSubject } from './bench.ts';

export interface Learned {
  readonly market: Market;
  readonly pathOf: PathOf;
}

const keyOf = ({ method, path, body }: HttpRequest): string =>
  `${method} ${path.split('?')[0]} ${body === undefined ? '' : new TextDecoder().decode(body)}`;

/** Makes each read once, at a fresh exchange, and notes its requests. */
export async function learnPaths(subject: VenueSubject): Promise<Learned> {
  const bench = await new VenueBench(subject).open({ connected: false });
  const { client, clientLine, market } = bench;
  const known = new Map<string, Path>();
  const learn = async (path: Path, read: () => Promise<unknown>): Promise<void> => {
    clientLine.requests.length = 0;
    await read();
    for (const request of clientLine.requests) known.set(keyOf(request), path);
  };
  await learn('info', () => bench.wait(client.listing()));
  await learn('user', () => bench.wait(client.owner()));
  await learn('book', () => bench.wait(client.book(market)));
  await learn('live', () => bench.wait(client.live([market])));
  await learn('trades', () => bench.pages(client.trades(market)));
  await learn('trades', () => bench.fills());
  await learn('account', () => bench.account());
  // a read that was not noted counts as `info`, any other request as `action`
  return { market, pathOf: (request) => (isRead(request) ? (known.get(keyOf(request)) ?? 'info') : 'action') };
}
