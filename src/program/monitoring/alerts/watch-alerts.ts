// Raises the alerts of a run from its turns; each alert once while its cause lasts. `alerts.ts` sends them.
import { DAY, type Millis } from '../../../base/clock.ts';
import { moneyText } from '../../../bot/accounting/lines.ts';
import type { ClientOrderId } from '../../../bot/domain/ids.ts';
import type { Mode } from '../../../bot/domain/mode.ts';
import { micros } from '../../../bot/domain/numbers.ts';
import type { RunOutcome } from '../../../bot/domain/outcome.ts';
import type { Turn } from '../../../bot/domain/turn.ts';
import type { AlertKind } from '../../../bot/run/core/settings.ts';
import { marginShares } from '../margins.ts';
import type { RunWatch } from '../watch.ts';
import type { Alert, Severity } from './alert.ts';

export interface AlertRules {
  /** The kinds to send. */
  readonly kinds: ReadonlySet<AlertKind>;
  /** An order without a definite answer is reported after this time. */
  readonly unknownAfterMs: Millis;
  /** The margin use at which an alert is raised: at 1 the limit itself is reached. */
  readonly marginShare: number;
}

/** Hysteresis: after an alert, margin use must fall below this part of `marginShare` before the next alert. */
const RESET_SHARE = 0.9;

export class WatchAlerts {
  readonly #watch: RunWatch;
  readonly #rules: AlertRules;
  readonly #raise: (alert: Alert) => void;
  readonly #unknownSince = new Map<ClientOrderId, Millis>();
  readonly #reported = new Set<ClientOrderId>();
  #mode: Mode = 'active';
  #isNearLimit = false;
  #day: number | undefined;
  #dayBegan = { pnl: 0, fills: 0 };

  constructor(watch: RunWatch, { rules, raise }: { rules: AlertRules; raise: (alert: Alert) => void }) {
    this.#watch = watch;
    this.#rules = rules;
    this.#raise = (alert) => {
      if (rules.kinds.has(alert.kind)) raise(alert);
    };
  }

  begun(at: Millis): void {
    const { strategy, exchange, markets, live, identity } = this.#watch.facts;
    const symbols = markets.map(({ symbol }) => symbol).join(', ');
    this.#alert(
      at,
      'run',
      'info',
      `started: ${strategy} trades ${symbols} on ${exchange}${live ? ', with real money' : ''}${identity === undefined ? '' : `; its state is in ${identity.state}`}`,
    );
  }

  /** Call it with each turn, after the watch was updated. */
  add(turn: Turn): void {
    for (const { name, reason, market } of turn.alarms) {
      if (name === 'mode' && this.#rules.kinds.has('mode')) continue; // #checkMode reports it
      const where = market === undefined ? '' : ` ${this.#watch.markets.get(market)?.market.symbol ?? market}`;
      this.#alert(turn.at, 'alarm', 'alarm', `${name}${where}: ${reason}`);
    }
    this.#checkMode(turn.at);
    this.#checkUnknown(turn);
    this.#checkMargin(turn.at);
    this.#checkDay(turn.at);
  }

  ended(at: Millis, { outcome, words }: { readonly outcome: RunOutcome; readonly words: readonly string[] }): void {
    this.#alert(at, 'run', outcome === 'failed' ? 'alarm' : 'info', `${outcome}: ${[...words, this.#totals()].join('; ')}`);
  }

  #alert(at: Millis, kind: AlertKind, severity: Severity, text: string): void {
    this.#raise({ at, kind, severity, text });
  }

  #checkMode(at: Millis): void {
    const { mode, modeReason } = this.#watch;
    if (mode === this.#mode) return;
    this.#mode = mode;
    this.#alert(at, 'mode', 'alarm', `the mode is ${mode} now: ${modeReason ?? 'no reason recorded'}`);
  }

  #checkUnknown({ at, changes }: Turn): void {
    for (const { order, status } of changes) {
      if (status === 'unknown') this.#unknownSince.set(order.clientOrderId, this.#unknownSince.get(order.clientOrderId) ?? at);
      else this.#unknownSince.delete(order.clientOrderId);
    }
    for (const [id, since] of this.#unknownSince) {
      if (at < since + this.#rules.unknownAfterMs || this.#reported.has(id)) continue;
      this.#reported.add(id);
      this.#alert(at, 'unknown', 'warning', `order ${id} has had no definite answer for ${Math.round((at - since) / 1_000)} s`);
    }
    for (const id of this.#reported) {
      if (this.#unknownSince.has(id)) continue;
      this.#reported.delete(id);
      this.#alert(at, 'unknown', 'info', `order ${id} has its answer now`);
    }
  }

  #checkMargin(at: Millis): void {
    const margins = this.#watch.account?.value.margins;
    if (margins === undefined) return;
    const { open, maintenance } = marginShares(margins);
    const share = Math.max(open, maintenance);
    if (share < this.#rules.marginShare * RESET_SHARE) this.#isNearLimit = false;
    if (share < this.#rules.marginShare || this.#isNearLimit) return;
    this.#isNearLimit = true;
    const line = maintenance >= open ? 'liquidation (mmf of mf)' : 'the refusal of new orders (imf of omf)';
    this.#alert(at, 'margin', 'alarm', `the margin is at ${Math.round(share * 100)} % of the way to ${line}`);
  }

  /** Raises a summary of the previous day at the first turn of a UTC day. */
  #checkDay(at: Millis): void {
    const day = Math.floor(at / DAY);
    if (day === this.#day) return;
    const { fills } = this.#watch.totals;
    const pnl = this.#watch.totals.profit;
    if (this.#day !== undefined) {
      const made = `profit ${moneyText(micros(pnl - this.#dayBegan.pnl))} and ${fills - this.#dayBegan.fills} fills`;
      this.#alert(at, 'daily', 'info', `the day of ${new Date(this.#day * DAY).toISOString().slice(0, 10)}: ${made}; ${this.#totals()}`);
    }
    this.#day = day;
    this.#dayBegan = { pnl, fills };
  }

  #totals(): string {
    const { fees, fills } = this.#watch.totals;
    const equity = this.#watch.account?.value.margins.mf;
    return `since the start profit ${moneyText(this.#watch.totals.profit)}, fees ${moneyText(fees)}, ${fills} fills${equity === undefined ? '' : `, equity ${moneyText(equity)}`}`;
  }
}
