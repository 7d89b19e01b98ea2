// The polled streams of our account: balances, positions and orders, and our own trades.
import { merge, mergeMap, type Observable } from 'rxjs';
import type { Millis } from '../../../../base/clock.ts';
import { concat } from '../../../../base/collections/lists.ts';
import type { Answer } from '../../../../base/streams/answer.ts';
import type { Account } from '../../../domain/account.ts';
import type { AccountEvent, AccountSeen, FillsSeen } from '../../../domain/event.ts';
import { NO_ACTION } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';
import { AccountSeries } from './account-series.ts';
import type { StreamTools } from './market-streams.ts';
import { maxAgeOf, STALE_AFTER } from './polling.ts';
import { keyOf } from './trade-tail.ts';
import { withHealth } from './with-health.ts';

export interface AccountOptions {
  readonly read: () => Promise<Account>;
  /** Returns a text that changes with each action of the account: its number, or its content. */
  readonly revisionOf: (account: Account) => string;
  /** How long that text may stay the same, if the account is polled often enough. */
  readonly maxUnchangedMs: Millis;
  /** Emits after each action of the account. */
  readonly changed?: Observable<unknown> | undefined;
  /** Decides by their numbers which accounts are believed. */
  readonly series?: AccountSeries | undefined;
}

/** Emits polled accounts, without those that are older than the newest one, and what is found about their numbers. */
export function accountEvents(
  { clock, ask, polling }: StreamTools,
  { read, revisionOf, maxUnchangedMs, changed, series = new AccountSeries({ clock }) }: AccountOptions,
): Observable<AccountEvent> {
  const everyMs = polling.accountMs;
  const accounts = ask({ every: 'account', ask: read, priority: 'high', changed }).pipe(
    mergeMap((answer): Answer<Account>[] => {
      if (answer.kind === 'failed') return [answer];
      const value = series.take(answer);
      return value === undefined ? [] : [{ ...answer, value }];
    }),
    withHealth({
      clock,
      stream: 'account',
      what: 'account',
      maxAgeMs: maxAgeOf(STALE_AFTER.account, everyMs),
      stuck: { idOf: revisionOf, maxMs: maxAgeOf(maxUnchangedMs, everyMs) },
      events: ({ at, asked, value }): AccountSeen[] => [{ kind: 'accountSeen', at, asked, account: value }],
    }),
  );
  return merge(series.findings, accounts);
}

/** Returns a text that changes with each action of the account; with `value`, also with its value. For accounts without update numbers. */
export const contentOf = ({ orders, balances, positions, margins }: Account, { value }: { readonly value: boolean }): string =>
  JSON.stringify([orders, balances, positions.map(({ market, size }) => [market, size]), value ? margins.mf : undefined]);

/** The source of our trades: `takeNew` returns the trades of a read that were not returned before. */
export interface FillSource {
  read(): Promise<readonly Fill[]>;
  takeNew(read: readonly Fill[]): readonly Fill[];
  /** Returns the trades of a read that `readAgain` has named and that are listed with another price or fee now. */
  takeChanged(read: readonly Fill[]): readonly Fill[];
  /** True if a pushed fill was not reported before. */
  takeEarly?(fill: Fill): boolean;
}

export interface FillOptions {
  readonly trades: FillSource;
  /** For messages: `round of own trades`. */
  readonly what: string;
  /** Maximum delay of the list behind execution. */
  readonly lagMs: Millis;
  /** Called with the fills of a round and the start of the round before. */
  readonly filled: (fills: readonly Fill[], lastRound: Millis) => void;
  /** Fills from a socket: emitted earlier than by polling, and never twice. */
  readonly pushed?: Observable<Fill> | undefined;
  /** Emits after each action of the account. */
  readonly changed?: Observable<unknown> | undefined;
}

/** Emits the fills. Their `asked` is moved back by the listing lag, so that all fills before it have been emitted. A pushed fill does not move it. */
export function fillEvents({ clock, ask, polling }: StreamTools, options: FillOptions): Observable<AccountEvent> {
  const { trades, what, lagMs, filled, pushed, changed } = options;
  const everyMs = polling.fillsMs;
  let lastRound: Millis | undefined;
  const round = ({ asked, ...seen }: Omit<FillsSeen, 'kind'>): FillsSeen[] => [{ kind: 'fillsSeen', asked: asked - lagMs, ...seen }];
  const polled = ask({ every: 'fills', ask: () => trades.read(), priority: 'high', requests: 'several', changed }).pipe(
    withHealth({
      clock,
      stream: 'fills',
      what,
      maxAgeMs: maxAgeOf(STALE_AFTER.fills, everyMs),
      events: ({ at, asked, value }): FillsSeen[] => {
        const fills = trades.takeNew(value);
        if (fills.length > 0 && lastRound !== undefined) filled(fills, lastRound);
        const earlier = lastRound === undefined ? earlierIn(value, fills) : {};
        lastRound = asked;
        return round({ at, asked, fills: concat(fills, trades.takeChanged(value)), ...earlier });
      },
    }),
  );
  if (pushed === undefined) return polled;
  const sooner = pushed.pipe(
    mergeMap((fill) => {
      if (lastRound === undefined) return []; // the first round reports it
      return trades.takeEarly?.(fill) === true ? round({ at: clock.now(), asked: lastRound, fills: [fill] }) : [];
    }),
  );
  return merge(polled, sooner);
}

/** Returns the trades of a read that are not new, each once. */
function earlierIn(read: readonly Fill[], fresh: readonly Fill[]): Pick<FillsSeen, 'earlier'> {
  const known = read.filter((fill) => fill.actionId !== NO_ACTION && !fresh.includes(fill));
  const each = new Map(known.map((fill) => [`${keyOf(fill)}/${fill.role}`, fill]));
  return each.size === 0 ? {} : { earlier: [...each.values()] };
}
