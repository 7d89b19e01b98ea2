// The log of a command: pino, which masks whatever is a secret by its name.
import { type DestinationStream, type Logger, pino } from 'pino';

const SECRETS = ['secret', 'secretKey', 'privateKey', 'sessionKey', 'key', 'seedPhrase', 'password', 'token', 'authorization'];

export function logTo(destination: DestinationStream): Logger {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino({ base: null, redact: { paths, censor: '[redacted]' }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
