// What a run is doing now: one model, made from the world by the run itself (`trading.ts`) and from the turns by its watch (`program/monitoring/watch.ts`).
// Its views: the status line of --json, `now.json`, the status of the page and the terminal, and the metrics.
import type { Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import { moneyText } from '../../accounting/lines.ts';
import { positionsOf } from '../../accounting/summary.ts';
import type { Account } from '../../domain/account.ts';
import type { RunTotals } from '../../domain/accounting/run-totals.ts';
import type { HealthSeen } from '../../domain/event.ts';
import type { OrderIntent } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';
import type { Mode } from '../../domain/mode.ts';
import { toDecimal } from '../../domain/numbers.ts';
import type { Order } from '../../domain/order.ts';
import type { Finding } from '../../domain/turn.ts';
import type { Seen } from '../../world/seen.ts';
import type { World } from '../../world/world.ts';

export interface RunNow {
  readonly traded: readonly Market[];
  /** Undefined before the first account. */
  readonly account: Seen<Account> | undefined;
  readonly totals: RunTotals;
  /** Number of orders that are, or may be, at the exchange. */
  readonly openOrders: number;
  /** The orders without a definite answer. */
  readonly unknown: readonly Order[];
  readonly mode: Mode;
  /** Undefined while the mode is `active`. */
  readonly modeReason: string | undefined;
  /** Why the run is stopping; undefined while it trades. */
  readonly stopping: string | undefined;
  /** The intents of the newest turn. */
  readonly intents: readonly OrderIntent[];
  /** What guards, gates and inputs hold back now. */
  readonly findings: readonly Finding[];
  /** The streams that are unhealthy now, with the reason of each. */
  readonly unhealthy: Iterable<HealthSeen>;
  /** What the public data is worth, as sentences; undefined if nothing is to be said. */
  readonly quality: string | undefined;
}

/** `intents`, `findings`: of the newest turn; `quality`: of the feed. */
export const runNowOf = (world: World, { intents, findings, quality }: Pick<RunNow, 'intents' | 'findings' | 'quality'>): RunNow => ({
  traded: [...world.markets.values()],
  account: world.account,
  totals: world.accounting.totals,
  openOrders: world.orders().length,
  unknown: world.orders().filter(({ status }) => status === 'unknown'),
  mode: world.mode,
  modeReason: world.modeReason,
  stopping: world.stopping,
  intents,
  findings,
  unhealthy: world.unhealthy(),
  quality,
});

/** The state of a run, once a second. Money is decimal text, in quote tokens. */
export interface Status {
  readonly kind: 'status';
  readonly at: string;
  /** The worth of the account as the exchange states it: some count positions at the index price. */
  readonly equity?: string | undefined;
  /** With positions at the mark price. */
  readonly pnl: string;
  /** Number of fills that count with a substitute for an impossible price or fee; absent if there are none. */
  readonly provisional?: number | undefined;
  readonly positions: Readonly<Record<string, string>>;
  readonly margins?: (Readonly<Record<'omf' | 'mf' | 'imf' | 'mmf' | 'pon' | 'pn', string>> & { readonly cmf?: string }) | undefined;
  readonly openOrders: number;
  /** Age of the account in milliseconds; undefined before the first. */
  readonly dataAgeMs?: number | undefined;
}

export function statusOf({ traded, account, totals: { profit, provisional }, openOrders }: RunNow, at: Millis): Status {
  const margins = account?.value.margins;
  return {
    kind: 'status',
    at: timeText(at),
    equity: margins === undefined ? undefined : moneyText(margins.mf),
    pnl: moneyText(profit),
    ...(provisional > 0 && { provisional }),
    positions: positionsOf(account?.value, traded),
    margins: margins === undefined ? undefined : marginTexts(margins),
    openOrders,
    dataAgeMs: account === undefined ? undefined : Math.max(0, at - account.asked),
  };
}

/** Returns the margins as text, in quote tokens with two decimals. */
function marginTexts({ omf, mf, imf, cmf, mmf, pon, pn }: Account['margins']): NonNullable<Status['margins']> {
  const text = (value: typeof omf): string => toDecimal(value).toFixed(2);
  const cancel = cmf === undefined ? {} : { cmf: text(cmf) };
  return { omf: text(omf), mf: text(mf), imf: text(imf), ...cancel, mmf: text(mmf), pon: text(pon), pn: text(pn) };
}
