// Advances exchange time: recorded rows in order, and a step every 100 ms.
import type { Millis } from '../../../base/clock.ts';
import { STAMPS_PER_MILLI, type Stamp } from '../../rows/rows.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { MarketDriver } from '../state/market-source.ts';
import { payDueFunding } from './funding/pay-funding.ts';
import { checkMargins } from './liquidation.ts';
import { cancelQueued } from './placing.ts';

/** The interval of the exchange's own actions: at multiples of it, queued cancels, traders, funding and liquidations are executed. */
export const STEP: Millis = 100;

/** Executes all rows and steps up to `when`; all markets in order of time, to the millisecond. */
export function advance(state: ExchangeState, drivers: readonly MarketDriver[], when: Millis): void {
  for (let due = state.now - (state.now % STEP) + STEP; due <= when; ) {
    follow(state, drivers, due);
    const before = state.actions;
    step(state, drivers);
    due = state.actions === before ? nextAfterCalm(state, drivers, due) : due + STEP;
  }
  follow(state, drivers, when);
}

/** Returns the next step that can change anything, called after a step that changed nothing. */
function nextAfterCalm(state: ExchangeState, drivers: readonly MarketDriver[], due: Millis): Millis {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { isIdleUntilNext, next } of drivers) earliest = Math.min(earliest, isIdleUntilNext ? next / STAMPS_PER_MILLI : due);
  for (const { terms } of state.marketStates) earliest = Math.min(earliest, terms.next(due) ?? earliest);
  return Math.max(due + STEP, Math.ceil(earliest / STEP) * STEP);
}

/** Plays recorded rows up to `when`, in order of time across markets; within a millisecond, market by market. */
function follow(state: ExchangeState, drivers: readonly MarketDriver[], when: Millis): void {
  const until = when * STAMPS_PER_MILLI;
  for (;;) {
    let first = Number.POSITIVE_INFINITY;
    let second = Number.POSITIVE_INFINITY;
    for (const { next } of drivers) {
      if (next < second) second = Math.max(first, next);
      if (next < first) first = next;
    }
    if (first > until) break;
    // The market with the first row plays alone until the millisecond of the second market's row. If both are in one millisecond, both play it.
    const end = Math.min(until, Math.max(endOfMilli(first), endOfMilli(second) - STAMPS_PER_MILLI));
    for (const driver of drivers) if (driver.next <= end) driver.follow(end);
  }
  state.now = when;
}

const endOfMilli = (stamp: Stamp): Stamp => Math.ceil(stamp / STAMPS_PER_MILLI) * STAMPS_PER_MILLI;

/** Executes queued cancels, moves markets, pays funding, and checks every account. */
function step(state: ExchangeState, drivers: readonly MarketDriver[]): void {
  cancelQueued(state);
  for (const driver of drivers) driver.step();
  payDueFunding(state);
  for (const account of state.accounts) if (!account.isOtherTrader && account.holdings.size > 0) checkMargins(state, account);
}
