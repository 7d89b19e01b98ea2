// How exchange time passes: what happens by itself in its order, and every 100 ms a step.
import type { Millis } from '../base/clock.ts';
import { STAMPS_PER_MILLI, type Stamp } from '../domain/rows.ts';
import type { House } from './house.ts';
import { supervise } from './liquidation.ts';
import { payDue } from './payday.ts';
import { cancelLeaving } from './placing.ts';
import type { Drive } from './source.ts';

export const STEP: Millis = 100;

/** Everything that is due until `when`; of all markets in one order of time, to the millisecond. */
export function pass(house: House, drives: readonly Drive[], when: Millis): void {
  for (let due = house.now - (house.now % STEP) + STEP; due <= when; ) {
    follow(house, drives, due);
    const before = house.actions;
    step(house, drives);
    due = house.actions === before ? nextAfterCalm(house, drives, due) : due + STEP;
  }
  follow(house, drives, when);
}

/** After a step that changed nothing: steps before anything can happen would change nothing either. */
function nextAfterCalm(house: House, drives: readonly Drive[], due: Millis): Millis {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { steady, next } of drives) earliest = Math.min(earliest, steady ? next / STAMPS_PER_MILLI : due);
  for (const { terms } of house.pits) earliest = Math.min(earliest, terms.next(due) ?? earliest);
  return Math.max(due + STEP, Math.ceil(earliest / STEP) * STEP);
}

/** What happens by itself until `when`: of one market as far as no other has anything to tell, and within a millisecond market by market. */
function follow(house: House, drives: readonly Drive[], when: Millis): void {
  const until = when * STAMPS_PER_MILLI;
  for (;;) {
    let [first, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const { next } of drives) {
      if (next < second) second = Math.max(first, next);
      if (next < first) first = next;
    }
    if (first > until) break;
    const end = Math.min(until, Math.max(endOfMilli(first), endOfMilli(second) - STAMPS_PER_MILLI));
    for (const drive of drives) if (drive.next <= end) drive.follow(end);
  }
  house.now = when;
}

const endOfMilli = (stamp: Stamp): Stamp => Math.ceil(stamp / STAMPS_PER_MILLI) * STAMPS_PER_MILLI;

/** Waiting cancels are done, markets move, funding is paid, and every account is looked at. */
function step(house: House, drives: readonly Drive[]): void {
  cancelLeaving(house);
  for (const drive of drives) drive.step();
  payDue(house);
  for (const account of house.accounts) if (!account.house && account.holdings.size > 0) supervise(house, account);
}
