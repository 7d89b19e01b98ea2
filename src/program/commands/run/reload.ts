// `run --watch`: reloads the strategy's file when it changes, and continues the run with the new code.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Cancel, type Clock, every, type Millis } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { LoadedConfig } from '../../../bot/run/core/config.ts';
import { createdDecider, type Decider } from '../../../bot/strategy/decide.ts';
import { loadStrategy } from '../../../bot/strategy/loading/loader.ts';
import { type Replaceable, replaceable } from '../../../bot/strategy/loading/replaceable.ts';
import { marketsNamedIn } from '../../../bot/strategy/markets.ts';
import { resolveParams } from '../../../bot/strategy/params.ts';

/**
 * Interval between two reads of the file. A change is loaded once two consecutive reads find the same text, so that a partly written file is not
 * loaded.
 */
const EVERY: Millis = 250;
/** Number of digits of a hash: enough to distinguish versions, and too few for the log to mask them as a key. */
const DIGITS = 16;

export interface Reloading {
  /** The strategy's file. */
  readonly file: string;
  readonly config: LoadedConfig;
  readonly seed: string;
  /** The markets of the run, by symbol. */
  readonly markets: readonly string[];
}

/** Returns a decider that starts with the current code. `begin` watches the file until the end of the run. */
export function reloading(
  first: Decider,
  reload: Reloading,
  { clock, markets }: { readonly clock: Clock; readonly markets: readonly Market[] },
): { readonly decide: Decider; readonly begin: (done: Promise<unknown>) => void } {
  const decider = replaceable(first);
  return {
    decide: decider.decide,
    begin: (done) => {
      const stop = everyChange(reload.file, clock, (hash) => void loadAgain(hash, reload, { markets, decider }));
      void done.finally(stop);
    },
  };
}

/** The decider that gets the new code. */
interface Target {
  readonly markets: readonly Market[];
  readonly decider: Replaceable;
}

async function loadAgain(hash: string, reload: Reloading, { markets, decider }: Target): Promise<void> {
  const { file } = reload;
  const fields = { file, hash };
  const keeps = (error: unknown): string => `${file} has changed, and the run keeps its present code: ${messageOf(error)}`;
  try {
    const decide = await createDecider(hash, reload, markets);
    decider.replace({
      decide,
      replaced: (log) => log.info(`loaded ${file} again (${hash}); the new code continues with the orders of the run`, fields),
      refused: (log, error) => log.warn(keeps(error), fields),
    });
  } catch (error) {
    decider.warn(keeps(error), fields);
  }
}

async function createDecider(
  hash: string,
  { file, config, seed, markets: symbols }: Reloading,
  markets: readonly Market[],
): Promise<Decider> {
  const { strategy } = await loadStrategy(file, hash);
  const params = resolveParams(strategy, config.params, (key) => config.placeOfParam(key));
  const named = marketsNamedIn(params, strategy.name);
  if ([...named].sort().join() === [...symbols].sort().join())
    return createdDecider(strategy, params, rngFrom(seed).fork('strategy'))(markets);
  throw new UserError({
    code: 'watch',
    message: `it trades ${named.join(', ')} now, and the run ${symbols.join(', ')}; start the run again`,
  });
}

/** Calls `changed` with the hash of the file after each change. */
function everyChange(file: string, clock: Clock, changed: (hash: string) => void): Cancel {
  let loaded = hashOf(file);
  let previous = loaded;
  return every(clock, EVERY, () => {
    const hash = hashOf(file);
    if (hash !== undefined && hash === previous && hash !== loaded) {
      loaded = hash;
      changed(hash);
    }
    previous = hash;
  });
}

/** Returns the beginning of the SHA-256 in hex; undefined while the file is missing, for example while an editor replaces it. */
function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, DIGITS);
  } catch {
    return undefined;
  }
}
