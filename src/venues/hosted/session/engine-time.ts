// The exchange's time, read from `/timestamp`, never from a local clock. Only this time is signed.
// If the exchange's clock jumps, forwards or backwards, the next reading applies at once. `session.ts` then replaces a session that the jump has ended;
// `bot/world/market/engine-time.ts` says which placements have expired.
import { type HostedClient, secondsOfReading } from '../../client/hosted.ts';
import { SigningTime, type SigningTimeOptions } from '../../shared/signing-time.ts';
import { SIGNED_TIMES } from '../rules.ts';

export interface EngineTimeOptions extends Omit<SigningTimeOptions, 'readSeconds' | 'signedTimes'> {
  readonly client: Pick<HostedClient, 'timestamp'>;
}

export class EngineTime extends SigningTime {
  constructor({ client, ...options }: EngineTimeOptions) {
    super({ ...options, signedTimes: SIGNED_TIMES, readSeconds: async () => secondsOfReading(await client.timestamp()) });
  }
}
