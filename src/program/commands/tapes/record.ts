// `bot record`: records public market data, of a hosted exchange in real time or of the embedded one faster than real time.

import { type Millis, systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import { httpTransport } from '../../../base/transport/http.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { DEFAULT_POLLING } from '../../../bot/exchange/kit/streams/polling.ts';
import { recordEmbedded } from '../../../embedded/recording/record-embedded.ts';
import { recordHosted } from '../../../embedded/recording/record-hosted.ts';
import type { TapeFacts } from '../../../embedded/tape/writer.ts';
import { readRegime } from '../../../embedded/venue/market-file.ts';
import { connectHostedFeed } from '../../../venues/hosted/open.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { progressOf, withProgress } from '../../output/progress.ts';
import { logWords } from '../../output/words.ts';
import { logTo } from '../../process/logs.ts';
import { randomSeed } from '../../values.ts';
import type { RecordFlags } from './command.ts';
import { whileLocked } from './tape-files.ts';

const CONNECTIONS = 8;

export async function record(flags: RecordFlags, host: Host): Promise<ExitCode> {
  const { url } = flags;
  const files = flags.markets.map((market) => fileOf(flags, market));
  const facts = await whileLocked(files, host, () =>
    url === undefined ? recordEmbeddedMarkets(flags, host) : recordHostedMarkets({ ...flags, url }, host),
  );
  for (const [index, made] of facts.entries()) {
    if (made !== undefined) say(host.stdout, `${files[index]}: ${made.rows} rows, ${(made.bytes / 1e6).toFixed(1)} MB, ${made.hash}`);
  }
  const unseen = flags.markets.filter((_, index) => facts[index] === undefined);
  if (unseen.length === 0) return 0;
  throw new UserError({
    code: 'exchange',
    message: `no order book of ${unseen.join(', ')} with a bid and an ask was seen, so no tape was written for it`,
    hint: 'record for longer, or when the market trades',
  });
}

async function recordEmbeddedMarkets({ markets, out, for: spanMs, seed = randomSeed(), market: regime }: RecordFlags, host: Host) {
  if (spanMs === undefined)
    throw new UserError({
      code: 'use',
      message: 'a recording of the embedded exchange needs --for',
      hint: 'for example --for 1h; or record a hosted exchange with --url',
    });
  const facts: TapeFacts[] = [];
  for (const market of markets)
    facts.push(await recordMarket({ market, spanMs, seed, regime, out: fileOf({ markets, out }, market) }, `record ${market}`, host));
  return facts;
}

interface EmbeddedRecording {
  /** Its symbol. */
  readonly market: string;
  readonly spanMs: Millis;
  readonly seed: string;
  /** How the market moves: the name or the file of `--market`. */
  readonly regime: string | undefined;
  readonly out: string;
}

/** Records a market of the embedded exchange, and shows the progress as `what`. */
export function recordMarket({ regime, ...options }: EmbeddedRecording, what: string, host: Host): Promise<TapeFacts> {
  const { market, spanMs, seed } = options;
  const command = `bot record --markets ${market} --for ${spanMs / 1_000}s --seed ${seed}${regime === undefined ? '' : ` --market ${regime}`}`;
  return withProgress(what, host, (progress) => recordEmbedded({ ...options, regime: readRegime(regime), command, progress }));
}

async function recordHostedMarkets(flags: RecordFlags & { readonly url: string }, host: Host): ReturnType<typeof recordHosted> {
  const { url, markets, poll, for: spanMs } = flags;
  const clock = systemClock;
  const transport = httpTransport({ origin: url, connections: CONNECTIONS });
  const polling = { ...DEFAULT_POLLING, orderBookMs: poll };
  try {
    const feed = await connectHostedFeed({
      transport,
      clock,
      rng: rngFrom(randomSeed()),
      polling,
      markets,
      log: logTo({ write: (line) => say(host.stderr, logWords(line.trimEnd())) }),
    });
    const progress = spanMs === undefined ? undefined : progressOf(`record ${markets.join(', ')}`, host);
    const started = clock.now();
    const until = new Promise<void>((resolve) => {
      host.onSignal(() => resolve());
      if (spanMs !== undefined) clock.at(started + spanMs, resolve);
    });
    try {
      return await recordHosted({
        feed,
        clock,
        pollMs: poll,
        source: `polls of ${url}`,
        command: `bot record --url ${url} --markets ${markets.join(',')} --poll ${poll}`,
        fileOf: ({ symbol }: Market) => fileOf(flags, symbol),
        until,
        progress: (rows) => spanMs !== undefined && progress?.at((clock.now() - started) / spanMs, `${rows} rows`),
      });
    } finally {
      progress?.end();
      feed.close();
    }
  } finally {
    await transport.close();
  }
}

/** Returns the file of a market; with several markets, the symbol is placed before the extension. */
function fileOf({ markets, out }: Pick<RecordFlags, 'markets' | 'out'>, symbol: string): string {
  return markets.length === 1 ? out : out.replace(/(\.[^./]*)?$/, `.${symbol}$1`);
}
