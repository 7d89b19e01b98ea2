// What the feed and the gateway of one simulated venue share.
import type { Observable } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import type { Polling } from '../kit/polling.ts';
import type { Network } from './network.ts';

export interface VenueContext {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly network: Network;
  readonly account: AccountId;
  /** The markets that are traded. */
  readonly markets: readonly Market[];
  readonly polling: Polling;
  /** Of its interval, how long each poller waits before it first asks. */
  readonly phase: number;
  readonly closing: Observable<void>;
}
