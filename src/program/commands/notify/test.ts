// `bot notify test`: sends one message to each target of alerts.
import { systemClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { httpTransport } from '../../../base/transport/http.ts';
import { configOf } from '../../configuration.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { requireTargets, targetsOf } from '../../monitoring/alerts/addresses.ts';
import type { Message } from '../../monitoring/alerts/alert.ts';
import type { AlertTarget } from '../../monitoring/alerts/targets.ts';
import type { NotifyFlags } from './command.ts';

const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 };

/** Returns 0 if every target accepted the message, else 1. Throws a UserError for wrong input. */
export async function testNotify({ json, ...flags }: NotifyFlags, { stdout }: Host): Promise<ExitCode> {
  const targets = requireTargets(targetsOf(configOf(flags).notify));
  const results = await Promise.all(targets.map(async (target) => ({ target: target.name, failure: await failureOf(target) })));
  for (const { target, failure } of results) {
    if (json)
      say(stdout, JSON.stringify({ kind: 'notified', target, ok: failure === undefined, ...(failure !== undefined && { failure }) }));
    else say(stdout, `${target}: ${failure === undefined ? 'accepted the test message' : `did not accept it: ${failure}`}`);
  }
  return results.every(({ failure }) => failure === undefined) ? 0 : 1;
}

/** Sends the message; returns the reason of a failure, undefined if the target accepted it. */
async function failureOf(target: AlertTarget): Promise<string | undefined> {
  const transport = httpTransport({ origin: target.origin, connections: 1 });
  try {
    const { status } = await transport.request(target.request(testMessage()), LIMITS);
    if (status >= 200 && status < 300) return undefined;
    return `it answered ${status}${status === 404 || status === 401 ? ': check the URL' : ''}`;
  } catch (error) {
    return messageOf(error);
  } finally {
    await transport.close();
  }
}

function testMessage(): Message {
  const at = systemClock.now();
  return { run: 'tickwright', alerts: [{ at, kind: 'run', severity: 'info', text: 'this is a test message' }], left: 0, id: `test-${at}` };
}
