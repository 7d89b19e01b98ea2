// now.json: the current state of a run for other processes, written once a second and not synced.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Millis } from '../../../base/clock.ts';
import { replaceFile } from '../../../base/files/text-file.ts';
import { timeText } from '../../../base/text/duration.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { type AlarmLine, type FindingLine, moneyText } from '../../accounting/lines.ts';
import type { AccountRef, MarketId } from '../../domain/ids.ts';
import type { OrderIntent } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';
import type { Mode } from '../../domain/mode.ts';
import type { IntentText } from '../state/reasons.ts';
import { type RunNow, type Status, statusOf } from './run-now.ts';
import type { Trading } from './trading.ts';

const FILE = 'now.json';
const EVERY: Millis = 1_000;
const ALARMS = 10;
/** A live run that has written nothing for this long counts as hanging. */
const SILENCE: Millis = 5_000;

type WithoutTime = Omit<FindingLine, 'at' | 'kind'>;

/** Money, prices and sizes are decimal text; markets are symbols. */
export interface Now {
  readonly version: 1;
  /** RFC 3339. */
  readonly at: string;
  readonly pid: number;
  /** Absent until the account was read. */
  readonly account?: AccountRef | undefined;
  readonly status: Status;
  /** Profit since 00:00 UTC; absent in files of earlier versions. */
  readonly today?: string | undefined;
  readonly mode: Mode;
  /** Reason of the mode; absent while it is active. */
  readonly modeReason?: string | undefined;
  /** Why the run is stopping; absent while it trades. */
  readonly stopping?: string | undefined;
  /** Intents of the last turn. */
  readonly intents: readonly IntentText[];
  /** All findings of the last turn, new or not. */
  readonly holding: readonly WithoutTime[];
  readonly unhealthy: readonly { readonly stream: string; readonly market?: string | undefined; readonly reason: string }[];
  /** Orders without a definite answer. */
  readonly unknown: readonly UnknownOrder[];
  /** The latest alarms, newest last. */
  readonly alarms: readonly AlarmLine[];
  /** What the public data is worth, as sentences; absent if nothing is to be said. */
  readonly quality?: string | undefined;
}

interface UnknownOrder {
  readonly clientOrderId: string;
  readonly market: string;
  readonly side: string;
  readonly price: string;
  readonly size: string;
  /** Engine time in seconds. */
  readonly deadAfter?: number | undefined;
}

/**
 * Writes `now.json` until the run has ended. It is written to another file and renamed, so that a reader never sees half of it. It is not synced,
 * because it is useless after a power cut. A failed write does not stop the run; readers see that the file is old.
 */
export function keepNow(trading: Trading, { directory, clock }: { directory: string; clock: Clock }): void {
  const file = join(directory, FILE);
  const alarms: AlarmLine[] = [];
  let written: Millis | undefined;
  const write = (): void => {
    written = clock.now();
    try {
      replaceFile(file, `${JSON.stringify(nowOf(trading.now(), { at: written, alarms }))}\n`);
    } catch {
      // readers then see the old file
    }
  };
  trading.lines.subscribe((line) => {
    if (line.kind === 'alarm' && alarms.push(line) > ALARMS) alarms.shift();
  });
  trading.run.turns.subscribe({
    next: () => {
      if (written === undefined || clock.now() >= written + EVERY) write();
    },
    complete: write,
  });
}

function nowOf(run: RunNow, { at, alarms }: Pick<Now, 'alarms'> & { readonly at: Millis }): Now {
  const { traded, account, totals, mode, modeReason, stopping, intents, findings, unhealthy, unknown, quality } = run;
  const markets = new Map(traded.map((market) => [market.id, market]));
  const symbolOf = (market: MarketId | undefined): string | undefined => (market === undefined ? undefined : markets.get(market)?.symbol);
  return {
    version: 1,
    at: timeText(at),
    pid: process.pid,
    account: account?.value.id,
    status: statusOf(run, at),
    today: moneyText(totals.today),
    mode,
    modeReason,
    stopping,
    intents: intents.flatMap((intent) => {
      const market = markets.get(intent.market);
      return market === undefined ? [] : [intentText(intent, market)];
    }),
    holding: findings.map(({ guard, market, side, verdict, reason }) => ({ guard, market: symbolOf(market), side, verdict, reason })),
    unhealthy: [...unhealthy].map(({ stream, market, reason }) => ({ stream, market: symbolOf(market), reason })),
    unknown: unknown.flatMap(({ clientOrderId, side, price, size, deadAfter, market: id }) => {
      const market = markets.get(id);
      if (market === undefined) return [];
      return [{ clientOrderId, market: market.symbol, side, price: market.priceText(price), size: market.sizeText(size), deadAfter }];
    }),
    alarms,
    quality,
  };
}

export function intentText(intent: OrderIntent, market: Market): IntentText {
  if (intent.kind === 'quote') return { market: market.symbol, bids: intent.bids.length, asks: intent.asks.length };
  return { market: market.symbol, position: market.sizeText(intent.position) };
}

/** Returns undefined if the file is missing or unreadable: the run is of an earlier version, or has not traded yet. */
export function readNow(directory: string): Now | undefined {
  try {
    const now = readJson(readFileSync(join(directory, FILE), 'utf8'), JSON_LIMITS.state) as Now;
    return now.version === 1 ? now : undefined;
  } catch {
    return undefined;
  }
}

/** True if a live run hangs, by the time of its last write. False if it has not written yet. */
export const isSilent = (now: Now | undefined, at: Millis): boolean => now !== undefined && at - Date.parse(now.at) > SILENCE;
