// Polls a URL: one request at a time, with limits on time and size. It follows no redirects, and sends no headers, cookies or credentials of ours.
import { finalize } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import { poll } from '../../../base/streams/poll.ts';
import { httpTransport } from '../../../base/transport/http.ts';
import type { Transport } from '../../../base/transport/transport.ts';
import type { PollInput } from '../../strategy/inputs.ts';
import type { Answers } from './events.ts';

const MAX_BYTES = 1024 * 1024;

class PollError extends Error {
  override readonly name = 'PollError';
  readonly retryAfterMs: Millis | undefined;

  constructor(message: string, retryAfterMs?: Millis) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Opens its connection when called, not when subscribed, and closes it with the subscription. */
export function pollUrl(input: PollInput, { clock, rng }: { clock: Clock; rng: Rng }): Answers {
  const url = new URL(input.url);
  const transport = httpTransport({ origin: url.origin, connections: 1, plain: true }); // plain: http is allowed, no secret is sent
  const { everyMs, timeoutMs } = input;
  return poll({
    clock,
    rng,
    everyMs,
    timeoutMs,
    ask: () => ask(url, { input, transport }),
    retryAfterMs: (error) => (error instanceof PollError ? error.retryAfterMs : undefined),
  }).pipe(finalize(() => void transport.close()));
}

async function ask(url: URL, { input, transport }: { input: PollInput; transport: Transport }): Promise<unknown> {
  const what = `GET ${url.origin}${url.pathname}`; // without the query, which may contain a key
  const path = `${url.pathname}${url.search}`;
  const { status, body, retryAfter } = await transport
    .request({ method: 'GET', path }, { timeoutMs: input.timeoutMs, maxBytes: MAX_BYTES })
    .catch((error: unknown) => {
      throw new PollError(`${what}: ${messageOf(error)}`);
    });
  if (status < 200 || status > 299) {
    const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    throw new PollError(`${what} answered ${status}${redirect}`, retryAfter === undefined ? undefined : retryAfter * 1_000);
  }
  try {
    return input.parse(new TextDecoder().decode(body));
  } catch (error) {
    throw new PollError(`${what}: its answer cannot be read: ${messageOf(error)}`);
  }
}
