// The exchange's time, requested once and then polled.
import { type Observable, tap } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { Answer } from '../../../streams/answer.ts';
import type { Ask } from '../../kit/streams/polling.ts';
import type { HostedClient } from '../client/client.ts';
import { EngineTime, secondsOfReading } from './engine-time.ts';

export async function firstTime(client: HostedClient, clock: Clock): Promise<EngineTime> {
  const asked = clock.now();
  return new EngineTime({ seconds: secondsOfReading(await client.timestamp()), asked });
}

/** Polls the engine time in seconds; `time` observes each answer. */
export function timesOf({
  client,
  time,
  ask,
  everyMs,
}: {
  client: HostedClient;
  time: EngineTime;
  ask: Ask;
  everyMs: Millis;
}): Observable<Answer<number>> {
  return ask({ everyMs, ask: async () => secondsOfReading(await client.timestamp()), priority: 'high' }).pipe(
    tap((answer) => {
      if (answer.kind === 'seen') time.observe({ seconds: answer.value, asked: answer.asked });
    }),
  );
}
