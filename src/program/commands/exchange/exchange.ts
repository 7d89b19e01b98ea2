// `bot exchange`: runs the embedded exchange alone until it is interrupted.

import { type Millis, systemClock } from '../../../base/clock.ts';
import { readNamedFile } from '../../../base/files/text-file.ts';
import { COMMAND } from '../../../base/package.ts';
import { type Micros, toDecimal } from '../../../bot/domain/numbers.ts';
import { DEFAULT_FUNDS, LISTED_MARKETS, withBaseFees } from '../../../embedded/exchange/state/listing.ts';
import { type Embedded, startEmbedded } from '../../../embedded/server/embedded.ts';
import { readRegime } from '../../../embedded/venue/market-file.ts';
import { type ActionSchema, bundledSchema, loadSchema } from '../../../venues/wire/schema/schema.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { logTo } from '../../process/logs.ts';
import { randomSeed } from '../../values.ts';
import type { ExchangeFlags } from './command.ts';

/** How far back the trades go that are listed at the start: as far as a run reads, fifty pages of four trades a minute. */
const LISTED_PAST: Millis = 12 * 3_600_000;

export async function exchange(flags: ExchangeFlags, host: Host): Promise<ExitCode> {
  const { hostedPort, localPort, hyperliquidPort, speed, json, seed = randomSeed(), faucet = DEFAULT_FUNDS } = flags;
  const log = logTo(host.stderr);
  const interrupted = new Promise<void>((resolve) => {
    host.onSignal(() => resolve());
    host.stdout.once('error', () => resolve());
  });
  const embedded = await startEmbedded({
    seed,
    regime: readRegime(flags.market),
    markets: hyperliquidPort === undefined ? LISTED_MARKETS : withBaseFees(LISTED_MARKETS),
    start: systemClock.now(),
    clock: systemClock,
    speed,
    faucet,
    schema: schemaOf(flags.schema),
    port: hostedPort,
    localPort,
    hyperliquidPort,
    pastMs: LISTED_PAST,
    onBug: (err) => log.error({ err }, 'a request was answered with 500'),
    warn: (text) => log.warn(text),
  });
  say(host.stdout, json ? readyLine(embedded, seed) : readyText(embedded, { seed, speed, faucet }));
  await interrupted;
  await embedded.close();
  return 0;
}

function schemaOf(which: string): ActionSchema {
  if (which === 'bundled') return bundledSchema();
  const hint = 'write bundled, or the path of a .proto file';
  return loadSchema(readNamedFile(which, { code: 'option', what: `--schema ${which}`, hint }));
}

const symbolsOf = ({ exchange: { markets } }: Embedded): readonly string[] => markets.map(({ symbol }) => symbol);

const readyLine = (embedded: Embedded, seed: string): string =>
  JSON.stringify({
    kind: 'ready',
    hosted: embedded.url,
    local: embedded.localUrl,
    hyperliquid: embedded.hyperliquidUrl,
    markets: symbolsOf(embedded),
    seed,
  });

function readyText(embedded: Embedded, { seed, speed, faucet }: { seed: string; speed: number; faucet: Micros }): string {
  const newcomers = faucet === 0 ? 'new users are rejected' : `each new user receives ${toDecimal(faucet)} USDC`;
  return [
    `The embedded exchange is at ${embedded.url} (seed ${seed}, ${speed} simulated ${speed === 1 ? 'second' : 'seconds'} per second).`,
    `Markets: ${symbolsOf(embedded).join(', ')}; ${newcomers}. To trade on it, from another terminal:`,
    '',
    `  ${COMMAND} keys new my.key`,
    `  ${COMMAND} --strategy grid --exchange hosted --url ${embedded.url} --key my.key --live`,
    '',
    ...(embedded.localUrl === undefined ? [] : localText(embedded.localUrl)),
    ...(embedded.hyperliquidUrl === undefined ? [] : hyperliquidText(embedded.hyperliquidUrl)),
    'Ctrl-C ends it.',
  ].join('\n');
}

const hyperliquidText = (url: string): readonly string[] => [
  `Hyperliquid's API is at ${url}. To follow it without a key:`,
  '',
  `  ${COMMAND} --strategy grid --exchange hyperliquid --url ${url} --paper`,
  '',
];

const localText = (url: string): readonly string[] => [
  `Its local signing process, with its own funded account, is at ${url}. To trade through it without a key:`,
  '',
  `  ${COMMAND} --strategy grid --exchange local --url ${url} --live`,
  '',
];
