// The log of a command: pino, with fields of secret names and everything that looks like a key masked.
import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutKeys } from '../../base/text/secrets.ts';
import { visible } from '../../base/text/visible.ts';

const SECRETS = ['secret', 'secretKey', 'privateKey', 'sessionKey', 'key', 'seedPhrase', 'password', 'token', 'authorization'];

/** Returns a log that writes JSON lines to `destination`. */
export function logTo(destination: DestinationStream): Logger {
  const masked: DestinationStream = { write: (line) => destination.write(visible(withoutKeys(line))) };
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ base: null, redact: { paths, censor: '[redacted]' }, timestamp: pino.stdTimeFunctions.isoTime }, masked);
}
