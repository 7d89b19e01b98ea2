// What the feed and the gateway of one embedded venue share.
import type { Observable } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { AccountId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { WriteAhead } from '../../bot/exchange/kit/sending/outgoing.ts';
import type { Polling } from '../../bot/exchange/kit/streams/polling.ts';
import type { Resumption } from '../../bot/exchange/kit/streams/trade-tail.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { RecordedCandles } from '../exchange/recorded/recorded-candles.ts';
import type { Looks } from './looks.ts';
import type { EmbeddedNetwork } from './network.ts';

export interface VenueContext {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly network: EmbeddedNetwork;
  readonly account: AccountId;
  /** The markets that are traded. */
  readonly markets: readonly Market[];
  readonly polling: Polling;
  /** How long each poller waits before its first request, as a share of its interval. */
  readonly phase: number;
  /** By market id: the candles of the markets that follow a tape of candles. */
  readonly candles: readonly (RecordedCandles | undefined)[];
  /** By market id: the candles that are played, if `candles` are longer. */
  readonly shorterCandles: readonly (RecordedCandles | undefined)[];
  /** Set if all data is requested together, for tapes of candles. */
  readonly looks: Looks | undefined;
  /** Records actions before they are sent. */
  readonly writeAhead: WriteAhead;
  /** Where an earlier process of the run stopped reading our trades. */
  readonly resume: Resumption | undefined;
  readonly closing: Observable<void>;
}
